package dev.sequitur.simulation;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One network from one seed: the same seed and the same calls give the same run. */
final class Simulation {
  static final String MEMBER = "member";

  private final SimulationSetup setup;
  private final Tampering tampering;
  private final Conduct conduct;
  private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
  private final Timeline timeline = new Timeline();
  private final Trace trace = new Trace();
  private final Invariants invariants = new Invariants();
  private final SimulatedDomain domain = new SimulatedDomain();
  private final Map<NodeName, SimulatedNode> nodes = new LinkedHashMap<>();
  private final Map<ContractAddress, PrivacyGroup> first = new LinkedHashMap<>();

  /** As the final blocks have them. */
  private final Map<ContractAddress, PrivacyGroup> groups = new LinkedHashMap<>();

  private final Map<ContractAddress, CoordinatorSelection> selections = new LinkedHashMap<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final Scheduling scheduling = new Scheduling(this);
  private final Publics publics = new Publics(this);
  private final Messaging messaging = new Messaging(this);
  private final Foundings foundings = new Foundings(this);
  private final Coordinating coordinating = new Coordinating(this);
  private final Fundings fundings = new Fundings(this);
  private final Moves moves = new Moves(this);
  private final Committees committees;
  private final Restores restores = new Restores(this);
  private final SplittableRandom random;
  private final Caller caller = new Caller(this);
  private final Wire wire;
  private final SimulatedLedger ledger;
  private NodeLife acting;
  private long transactions;
  private long audited;
  private long steps;

  Simulation(SimulationSetup setup) {
    this(setup, Tampering.NONE);
  }

  Simulation(SimulationSetup setup, Tampering tampering) {
    this.setup = setup;
    this.committees = new Committees(this, setup.seed());
    this.tampering = tampering;
    this.conduct = new Conduct(domain, setup.settings().retries().maxRefusals());
    this.random = new SplittableRandom(setup.seed());
    for (int i = 0; i < setup.nodes(); i++) {
      var node = new NodeName(nameOf(i));
      nodes.put(node, new SimulatedNode(this, node, jvmsOf(i)));
    }
    for (int i = 0; i < setup.contracts(); i++) {
      var group = group(i);
      first.put(group.contract(), group);
      groups.put(group.contract(), group);
      selections.put(group.contract(), new CoordinatorSelection(group, setup.policy()));
    }
    wire = new Wire(this, random.split());
    ledger = new SimulatedLedger(List.copyOf(groups.values()), tampering);
    fundings.begin();
    after(setup.blockInterval(), this::mine);
    nodes.values().forEach(SimulatedNode::start);
  }

  private int jvmsOf(int node) {
    return setup.jvms() == 1
        ? 1
        : 1 + new SplittableRandom(setup.seed() * 89 + node).nextInt(setup.jvms());
  }

  /** a to z, then aa, ab and so on. */
  private static String nameOf(int node) {
    String last = Character.toString('a' + node % 26);
    return node < 26 ? last : nameOf(node / 26 - 1) + last;
  }

  private PrivacyGroup group(int index) {
    var members =
        participants(index)
            .map(
                node -> new Member(new Identity(MEMBER, node.name()), node.keys().verifier(MEMBER)))
            .toList();
    var first = new Quorum(new Committee(members), Math.min(setup.endorsers(), members.size()));
    var hash = new CanonicalDigest().add(setup.seed()).add((long) index).finish();
    String digits = HexFormat.of().formatHex(hash.toByteArray(), 0, 20);
    return new PrivacyGroup(
        new GroupId(hash),
        BaseLedger.LOCAL_CHAIN,
        new ContractAddress("0x" + digits),
        SimulatedDomain.NAME,
        "group " + index,
        CommitteeHistory.of(first),
        Bytes.EMPTY);
  }

  /** All nodes in the first group; one stays outside each other one, and must learn nothing. */
  private Stream<SimulatedNode> participants(int index) {
    if (index == 0 || nodes.size() <= 3) {
      return nodes.values().stream();
    }
    long outside = Math.floorMod(setup.seed() + index, nodes.size());
    var all = List.copyOf(nodes.values());
    return all.stream().filter(node -> !node.equals(all.get((int) outside)));
  }

  private void mine() {
    committees.beforeBlock(ledger.head() + 1);
    ledger.mine(now());
    while (audited < ledger.head() - setup.confirmations()) {
      var block = ledger.block(++audited);
      follow(block);
      invariants.onFinal(block);
      committees.onFinal(block);
      conduct.onFinal(block);
      scheduling.onFinal(block);
      publics.onFinal(block);
      foundings.onFinal(block);
      fundings.onFinal(block);
    }
    after(setup.blockInterval(), this::mine);
  }

  /** What nodes may read from now on. */
  private void follow(Block block) {
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.CommitteeChanged it) {
          var changed =
              groups.get(it.contract()).changed(it.change(), block.height()).orElseThrow();
          groups.put(it.contract(), changed);
          selections.get(it.contract()).follow(changed);
          committees.onChanged(it);
        }
      }
    }
  }

  // What a test asks for

  SimulationSetup setup() {
    return setup;
  }

  Instant now() {
    return timeline.now();
  }

  Duration elapsed() {
    return Duration.between(Timeline.START, now());
  }

  SimulatedNode node(String name) {
    return node(new NodeName(name));
  }

  SimulatedNode node(NodeName name) {
    return nodes.get(name);
  }

  Collection<SimulatedNode> nodes() {
    return nodes.values();
  }

  SimulatedLedger ledger() {
    return ledger;
  }

  SimulatedDomain domain() {
    return domain;
  }

  Wire wire() {
    return wire;
  }

  Trace trace() {
    return trace;
  }

  Invariants invariants() {
    return invariants;
  }

  Conduct conduct() {
    return conduct;
  }

  Coordinating coordinating() {
    return coordinating;
  }

  Publics publics() {
    return publics;
  }

  Messaging messaging() {
    return messaging;
  }

  Moves moves() {
    return moves;
  }

  Restores restores() {
    return restores;
  }

  Fundings fundings() {
    return fundings;
  }

  Foundings foundings() {
    return foundings;
  }

  Scheduling scheduling() {
    return scheduling;
  }

  Tampering tampering() {
    return tampering;
  }

  /** How often each has happened. */
  Map<Fault, Long> faults() {
    return faults;
  }

  void injected(Fault fault) {
    faults.merge(fault, 1L, Long::sum);
  }

  Caller caller() {
    return caller;
  }

  long steps() {
    return steps;
  }

  /** What the machines have counted. */
  Map<String, Long> counts() {
    return counts;
  }

  long counted(String what) {
    return counts.getOrDefault(what, 0L);
  }

  /** With all changes of committees that final blocks have. */
  Collection<PrivacyGroup> groups() {
    return groups.values();
  }

  /** As they began. */
  Collection<PrivacyGroup> firstGroups() {
    return first.values();
  }

  Committees committees() {
    return committees;
  }

  Optional<PrivacyGroup> group(ContractAddress contract) {
    return Optional.ofNullable(groups.get(contract));
  }

  /** The first contract. */
  ContractAddress contract() {
    return groups.keySet().iterator().next();
  }

  CoordinatorSelection selection(ContractAddress contract) {
    return selections.get(contract);
  }

  ContractAddress contractOf(ContractMachines entities) {
    return entities.states().contract();
  }

  /** Up to here nothing is ever taken back. */
  long finalHeight() {
    return audited;
  }

  /**
   * As the ledger does; the newest final blocks may be among those, as long as they hold nothing.
   */
  void takeBack(int blocks) {
    for (long height = ledger.head() - blocks + 1; height <= audited; height++) {
      if (!ledger.block(height).receipts().isEmpty()) {
        throw new IllegalArgumentException("Block " + height + " holds something.");
      }
    }
    ledger.takeBack(blocks);
    audited = Math.min(audited, ledger.head());
  }

  /**
   * Takes back final blocks too, whatever they hold; the ledger must get them back before anything
   * new is on it.
   *
   * @return gives them back
   */
  Runnable takeBackForAWhile(int blocks) {
    long before = audited;
    var giveBack = ledger.takeBack(blocks);
    return () -> {
      giveBack.run();
      audited = before;
    };
  }

  /**
   * Takes back final blocks for good, whatever they hold; the pool has a part of that again. What
   * counted as final before counts no more.
   */
  void replaceFinal(int blocks) {
    ledger.takeBack(blocks);
    ledger.losePooled(random);
    audited = Math.min(audited, ledger.head());
    invariants.forget();
    for (long height = 1; height <= audited; height++) {
      invariants.onFinal(ledger.block(height));
    }
  }

  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** The JVM in which something happens now; null outside of all. */
  NodeLife acting() {
    return acting;
  }

  void act(NodeLife in) {
    acting = in;
  }

  // What a test does

  void after(Duration wait, Runnable what) {
    timeline.after(wait, what);
  }

  TransactionId submit(
      NodeName node, ContractAddress contract, SimulatedDomain.Function function, String argument) {
    return submit(node, contract, function, argument, SubmitMode.AUTO, List.of());
  }

  TransactionId submit(
      NodeName node,
      ContractAddress contract,
      SimulatedDomain.Function function,
      String argument,
      SubmitMode mode,
      List<TransactionId> dependsOn) {
    return submit(node, made(node, contract, function, argument, mode, dependsOn));
  }

  /** Whose caller wants to be told within so long. */
  TransactionId submitFor(
      Duration time,
      NodeName node,
      ContractAddress contract,
      SimulatedDomain.Function function,
      String argument) {
    return submit(
        node, contract, function, argument, SubmitMode.AUTO, List.of(), Optional.of(time));
  }

  /**
   * @param within how long its caller waits; empty if as long as it takes
   */
  TransactionId submit(
      NodeName node,
      ContractAddress contract,
      SimulatedDomain.Function function,
      String argument,
      SubmitMode mode,
      List<TransactionId> dependsOn,
      Optional<Duration> within) {
    var made = made(node, contract, function, argument, mode, dependsOn);
    return submit(
        node, within.map(time -> made.by(node(node).running().now().plus(time))).orElse(made));
  }

  private TransactionId submit(NodeName node, PrivateTransaction transaction) {
    node(node).submit(transaction);
    return transaction.id();
  }

  private PrivateTransaction made(
      NodeName node,
      ContractAddress contract,
      SimulatedDomain.Function function,
      String argument,
      SubmitMode mode,
      List<TransactionId> dependsOn) {
    var fresh = freshTransaction();
    return new PrivateTransaction(
        fresh.id(),
        contract,
        SimulatedDomain.NAME,
        function.name(),
        new Identity(MEMBER, node),
        Bytes.utf8(argument),
        mode,
        dependsOn,
        fresh.salt());
  }

  /** All of the 256 ids of a series have one salt, so those of one sender have one commitment. */
  FreshIntent freshTransaction() {
    var id = new TransactionId(new UUID(setup.seed(), ++transactions));
    var series = id.series().toString();
    return new FreshIntent(id, Hash.sha256(series.getBytes(StandardCharsets.UTF_8)));
  }

  void run(Duration time) {
    var end = now().plus(time);
    while (step(end)) {}
    timeline.skipTo(end);
  }

  /**
   * Asks again after every few milliseconds.
   *
   * @return false if it did not come true in time
   */
  boolean runUntil(BooleanSupplier condition, Duration atMost) {
    var end = now().plus(atMost);
    while (!condition.getAsBoolean()) {
      if (!now().isBefore(end)) {
        return false;
      }
      run(Duration.ofMillis(20));
    }
    return true;
  }

  private boolean step(Instant end) {
    steps++;
    try {
      return timeline.step(end);
    } catch (SimulationFailure failure) {
      throw failure;
    } catch (RuntimeException | AssertionError failure) {
      throw failure(failure);
    }
  }

  /** Of whatever was thrown. */
  SimulationFailure failure(Throwable thrown) {
    String said = thrown.getMessage();
    return failure(said == null ? thrown.toString() : said, thrown);
  }

  SimulationFailure failure(String what, Throwable cause) {
    return new SimulationFailure(
        setup.seed(), "after " + elapsed() + ": " + what, trace.newest(60, line -> true), cause);
  }

  /**
   * Every accepted intent has a receipt, or is prepared and its caller's to submit; every schedule
   * has ended; every message has arrived; every group stands or is withdrawn.
   */
  boolean isSettled() {
    return open().findAny().isEmpty();
  }

  /** What has not ended, in words: of an intent, the word begins with its id. */
  List<String> unsettled() {
    return open().toList();
  }

  /**
   * One place says what is open and what that is called, so that nothing is open without a name.
   */
  private Stream<String> open() {
    return Stream.<Supplier<Stream<String>>>of(
            () -> nodes.values().stream().flatMap(SimulatedNode::unanswered),
            () -> nodes.values().stream().flatMap(scheduling::unsettled),
            () -> messaging.missing().stream(),
            () -> foundings.unsettled().stream(),
            () -> Stream.concat(intents(), publics.unsettled().stream()).map(this::openIntent))
        .flatMap(Supplier::get);
  }

  private Stream<TransactionId> intents() {
    return invariants.accepted().values().stream()
        .filter(each -> !invariants.isLost(each.transaction().id()))
        .filter(
            each -> {
              var disk = node(each.node()).disk();
              var id = each.transaction().id();
              return !disk.receipts.containsKey(id) && !disk.prepared.containsKey(id);
            })
        .map(each -> each.transaction().id());
  }

  private String openIntent(TransactionId id) {
    return id + " has no receipt";
  }
}
