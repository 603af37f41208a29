package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.IntentAcceptance;
import dev.sequitur.protocol.errand.Surroundings;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Transaction;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.call.ScheduledTransactions;
import dev.sequitur.schedule.port.ScheduledCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** One life of a node, from a start to a crash: everything here is forgotten with it. */
final class NodeLife {
  /** Counts what came of a node that has no member in the group, and was dropped. */
  static final String NOT_A_MEMBER = "dropped, of no member";

  private static final String NOBODYS = "dropped, for no machine";

  /** How long the disk takes. */
  static final Duration WRITE = Duration.ofMillis(2);

  /** How long a JVM goes on that was left out and does not know it. */
  static final Duration OVERLAP = Duration.ofSeconds(6);

  /** From one JVM of a node to another. */
  private static final Duration HOP = Duration.ofNanos(300_000);

  /** Until an entity that has stopped is started again. */
  private static final Duration RESTART = Duration.ofMillis(500);

  /** How long computing, reading and asking the ledger take. */
  static final Duration WORK = Duration.ofMillis(1);

  private final Simulation simulation;
  private final SimulatedNode home;
  private final String jvm;
  private final Surroundings surroundings;
  private final HandoverShell handover;
  private final IntentAcceptance acceptance;
  private final ScheduledCalls scheduledCalls;
  private final GroupStore groups;
  private final FoundingShell founding;
  private NodeEntities entities;
  private boolean alive = true;
  private boolean fenced;
  private Speaker speaker;

  /** Of one that is left out: what it has heard of. */
  private Optional<BlockHeight> lastHeight = Optional.empty();

  /**
   * @param jvm its name, which is that of the life before it
   * @param entities of all JVMs of the node
   */
  NodeLife(Simulation simulation, SimulatedNode home, String jvm, NodeEntities entities) {
    this.simulation = simulation;
    this.home = home;
    this.jvm = jvm;
    this.speaker = Speaker.ofAll(home.name());
    this.entities = entities;
    this.surroundings = SimulatedSurroundings.of(this);
    this.handover = new HandoverShell(this);
    this.acceptance =
        new IntentAcceptance(
            surroundings.intents(), told -> later(Duration.ZERO, () -> handover.tell(told)));
    this.scheduledCalls =
        new ScheduledTransactions(
            new ScheduledTransactions.Node(
                name(),
                true,
                contract -> group(contract).map(this::local),
                this::now,
                (contract, from) -> simulation.freshTransaction(),
                () -> simulation.freshTransaction().id()),
            surroundings.intents(),
            this::submit);
    this.groups = new SimulatedGroups(this);
    this.founding = new FoundingShell(this);
  }

  /** Of a write beside the events of the same decision: sooner than theirs, or much later. */
  static Duration writeBeside(Object written) {
    return written.hashCode() % 2 == 0 ? WRITE.dividedBy(2) : WRITE.multipliedBy(16);
  }

  /** The first of its node: it has what there is once, until others join. */
  void startFirst() {
    entities.indexing = new Indexing(this, disk().indexedTo);
    for (var first : simulation.firstGroups()) {
      var group = disk().committees.getOrDefault(first.contract(), first);
      entities.selections.put(
          group.contract(), new CoordinatorSelection(group, simulation.setup().policy()));
    }
    for (var group : simulation.firstGroups()) {
      if (group.committee().hasMemberOn(name())) {
        var place = home.jvms().placeOf(group.contract().value());
        entities.ofContracts.put(group.contract(), EntityFactory.create(place, group.contract()));
      }
    }
    for (var each : entities.ofContracts.values()) {
      each.sender().start();
      each.submitter().start();
      each.states().start();
      each.messages().start();
    }
    disk()
        .readSoFar
        .flatMap(ReadSoFar::reindex)
        .ifPresent(reindex -> new Reindexing(this, reindex).start());
    entities.queue = new QueueShell(home.jvms().placeOf(QueueShell.NAME));
    entities.queue.start();
    entities.publics =
        new PublicSubmitterShell(
            home.jvms().placeOf(PublicSubmitterShell.NAME), simulation.setup());
    entities.publics.begin();
    founding.begin();
    moveKeeper();
    tick();
    handOverAgain();
  }

  /** One that others of its node are there before. */
  void join() {
    founding.begin();
    tick();
    handOverAgain();
  }

  private void handOverAgain() {
    handover.tick();
    later(Handover.AGAIN, this::handOverAgain);
  }

  private void tick() {
    if (entities.indexing.node() == this) {
      entities.indexing.poll();
    }
    for (var each : entities.ofContracts.values()) {
      tick(each.sender());
      tick(each.coordinator());
      tick(each.endorser());
      tick(each.submitter());
      tick(each.states());
      tick(each.messages());
    }
    tick(entities.publics);
    founding.look();
    entities.keepers.forEach(this::tick);
    later(simulation.setup().tick(), this::tick);
  }

  private void tick(Shell<?, ?, ?, ?> shell) {
    if (shell.node() == this) {
      shell.tick();
    }
  }

  NodeName name() {
    return home.name();
  }

  /** The name of this JVM. */
  String jvm() {
    return jvm;
  }

  boolean isAlive() {
    return alive;
  }

  /** It ends at once, with all that it has. */
  void die() {
    alive = false;
    Stream.concat(
            entities.ofContracts.values().stream().flatMap(ContractMachines::all),
            Stream.concat(entities.keepers.stream(), Stream.of(entities.queue, entities.publics)))
        .filter(each -> each.node() == this)
        .forEach(Shell::leave);
    handover.leave();
    founding.leave();
  }

  /** The others of its node go on without it, which it does not know. */
  void leaveOut() {
    if (entities.indexing.node() != this) {
      lastHeight = Optional.of(height());
    }
    entities = entities.asSeenBy(this);
    var before = speaker;
    speaker = new Speaker(name(), home.lives());
    simulation.conduct().onParted(before, speaker);
    simulation.coordinating().onParted(before, speaker);
  }

  /** What it writes to the node store is refused from now on. */
  void fence() {
    fenced = true;
  }

  /**
   * As the store asks with each write; who may not, ends.
   *
   * @throws NodeCrashed if it is left out
   */
  void requireMayWrite() {
    if (fenced && simulation.tampering().isFenced()) {
      simulation.injected(Fault.WRITE_REFUSED);
      home.jvms().lose(this);
      throw new NodeCrashed();
    }
  }

  /** Who speaks for the node: its cluster, or by itself a JVM that is left out of that. */
  Speaker speaker() {
    return speaker;
  }

  /** The JVMs of the cluster that this one is in. */
  List<NodeLife> fellows() {
    return home.jvms().fellows(this);
  }

  /** Whether what happens now happens in this JVM, or outside of all. */
  boolean isReached() {
    var acting = simulation.acting();
    return acting == null || acting == this || acting.home != home;
  }

  /** What one of the node's JVMs has another one do. */
  void hop(Runnable what) {
    later(HOP, what);
  }

  /** Has something done where an entity is; on the way to another JVM it may get lost. */
  void at(Shell<?, ?, ?, ?> shell, Runnable what) {
    var there = shell.node();
    if (there == this) {
      what.run();
    } else if (fellows().contains(there) && !home.losesLocalMessage()) {
      there.hop(what);
    }
  }

  /** Another life has written where this one of an entity would have: this one ends. */
  void overtaken(Shell<?, ?, ?, ?> shell) {
    simulation.injected(Fault.ENTITY_TWICE);
    trace("overtaken", shell.getClass().getSimpleName());
    shell.leave();
    later(RESTART, () -> entities.begin(each -> each == shell, any -> this));
  }

  /** By this node's clock. */
  Instant now() {
    return simulation.now().plus(home.clockSkew());
  }

  /** What a time of this node's clock is judged by: the newest block that it sees. */
  WallTime wall(Instant now) {
    long head = home.head();
    return head == 0 ? WallTime.of(now) : WallTime.judgedBy(now, ledger().block(head).timestamp());
  }

  BlockHeight height() {
    return lastHeight.orElseGet(entities.indexing::height);
  }

  Surroundings surroundings() {
    return surroundings;
  }

  HandoverShell handover() {
    return handover;
  }

  ScheduledCalls scheduledCalls() {
    return scheduledCalls;
  }

  PublicSubmitterShell publics() {
    return entities.publics;
  }

  private List<String> local(PrivacyGroup group) {
    return group.committee().identities().stream()
        .filter(member -> member.node().equals(name()))
        .map(Identity::name)
        .toList();
  }

  GroupStore groups() {
    return groups;
  }

  FoundingShell founding() {
    return founding;
  }

  /** Who sees to the money for gas, where it costs any. */
  Optional<KeeperShell> keeper() {
    var keepers = entities.keepers;
    return keepers.isEmpty() ? Optional.empty() : Optional.of(keepers.getLast());
  }

  /**
   * A sender goes to another JVM of the node, unless it is in the middle of something. What it is
   * told before it is there is lost.
   *
   * @return whether it goes
   */
  boolean moveSender(ContractAddress contract, Duration away) {
    var group = group(contract).orElseThrow();
    var before = entities(contract);
    if (before == null || !before.sender().isHere() || !before.sender().isQuiet()) {
      return false;
    }
    before.sender().leave();
    simulation.after(away, () -> home.jvms().arrive(before.sender(), group));
    return true;
  }

  /**
   * Another JVM of the node sees to the money for gas from now on; the one before believes for a
   * while that it still does.
   */
  void moveKeeper() {
    simulation
        .setup()
        .funding()
        .ifPresent(
            settings -> {
              var keepers = entities.keepers;
              keepers.add(new KeeperShell(this, settings));
              later(OVERLAP, () -> keepers.removeIf(each -> each != keepers.getLast()));
            });
  }

  QueueShell queue() {
    return entities.queue;
  }

  Disk disk() {
    return home.disk();
  }

  Keys keys() {
    return home.keys();
  }

  SimulatedDomain domain() {
    return simulation.domain();
  }

  SimulatedLedger ledger() {
    return simulation.ledger();
  }

  SimulatedNode home() {
    return home;
  }

  Simulation simulation() {
    return simulation;
  }

  boolean reachesLedger() {
    return home.reachesLedger();
  }

  /** As this node knows it. */
  Optional<PrivacyGroup> group(ContractAddress contract) {
    return Optional.ofNullable(entities.selections.get(contract)).map(CoordinatorSelection::group);
  }

  CoordinatorSelection selection(ContractAddress contract) {
    return entities.selections.get(contract);
  }

  ContractMachines entities(ContractAddress contract) {
    return entities.ofContracts.get(contract);
  }

  Collection<ContractMachines> entities() {
    return entities.ofContracts.values();
  }

  /** Does it later in this life, or never. */
  void later(Duration wait, Runnable what) {
    simulation.after(
        wait,
        () -> {
          if (alive) {
            alive(what);
          }
        });
  }

  /**
   * One of this node's actors tells another one, which may be in another JVM of the node: so it may
   * get lost.
   */
  void tell(Runnable told) {
    tell(Duration.ZERO, told);
  }

  /** The same, and the other one is at it for {@code work} first. */
  void tell(Duration work, Runnable told) {
    if (!home.losesLocalMessage()) {
      later(work, told);
    }
  }

  void alive(Runnable what) {
    var before = simulation.acting();
    simulation.act(this);
    try {
      what.run();
    } catch (NodeCrashed crashed) {
      simulation.trace().add(simulation.now(), name(), "crashed", "");
    } finally {
      simulation.act(before);
    }
  }

  /**
   * A point at which this node may crash.
   *
   * @throws NodeCrashed if it does
   */
  void reach(Moment moment) {
    if (home.crashesAt(moment, this)) {
      throw new NodeCrashed();
    }
  }

  void trace(String what, Object about) {
    simulation.trace().add(simulation.now(), name(), what, about);
  }

  void count(String what) {
    simulation.count(what);
  }

  void send(Outgoing outgoing) {
    var said = new Outgoing(outgoing.to(), home.says(outgoing.message()), outgoing.inReplyTo());
    var envelope = simulation.wire().send(this, said);
    reach(new Moment.Sent(name(), envelope));
  }

  void receive(Envelope envelope) {
    switch (envelope.payload()) {
      case Message.ForMachine message -> receive(envelope, message);
      // No machine answers to these, and only a liar sends them here.
      case Message.OfTrace ignored -> count(NOBODYS);
      case Message.OfChange ignored -> count(NOBODYS);
      case Message.OfVerifier message -> founding.receive(envelope, message);
      case Message.OfGroup message -> founding.receive(envelope, message);
    }
  }

  private void receive(Envelope envelope, Message.ForMachine message) {
    var contract = message.contract();
    var target = entities(contract);
    if (!envelope.from().equals(name())
        && !group(contract).orElseThrow().nodes().contains(envelope.from())) {
      count(NOT_A_MEMBER);
    } else if (target != null) {
      var received = new Received<>(envelope.from(), envelope.messageId(), message);
      // Most of a contract's entities are in one JVM; a hop more brings it to one that is not.
      at(target.sender(), () -> target.deliver(received));
    }
  }

  /** From a caller. */
  void submit(Transaction transaction) {
    var body = new CanonicalDigest().add(transaction.id().toString()).finish();
    var accepted = submit(List.of(new Intent(0, now(), Optional.empty(), body, transaction)));
    if (transaction instanceof NewGroup) {
      accepted.thenRun(() -> later(Duration.ZERO, founding::accepted));
    }
  }

  private CompletionStage<List<TransactionId>> submit(List<Intent> batch) {
    return acceptance
        .accept(batch)
        .thenApply(
            answer ->
                switch (answer) {
                  case Acceptance.Accepted(var ids, var ignored) -> ids;
                  case Acceptance.IdempotencyConflict conflict ->
                      throw new IllegalStateException("No key is used twice: " + conflict);
                });
  }

  /** Writes an intent. */
  void accept(Intent intent) {
    var transaction = intent.transaction();
    reach(new Moment.Accepting(name(), transaction.id()));
    disk().intents.put(transaction.id(), intent.at(disk().intents.size() + 1L));
    home.accepted(transaction.id());
    switch (transaction) {
      case PrivateTransaction it -> simulation.invariants().onAccepted(name(), it);
      case PublicTransaction it -> simulation.publics().onAccepted(name(), it);
      case NewGroup it -> simulation.foundings().onAccepted(name(), it);
    }
    trace("accepted", transaction.id());
    reach(new Moment.Accepted(name(), transaction.id()));
  }

  /** Whether the receipt was stored. */
  boolean complete(Receipt receipt) {
    boolean stored = disk().complete(receipt);
    trace(
        "receipt",
        receipt.transaction()
            + (receipt.success()
                ? " confirmed"
                : " reverted: " + receipt.failureMessage().orElse("")));
    if (simulation.foundings().isGenesis(receipt.transaction())) {
      simulation.foundings().onReceipt(name(), receipt);
    } else if (receipt.called().isPresent()) {
      simulation.publics().onReceipt(receipt);
    } else {
      simulation.invariants().onReceipt(receipt);
    }
    return stored;
  }

  /** Takes the place of one whose block is gone. */
  void correct(Receipt receipt) {
    disk().receipts.put(receipt.transaction(), receipt);
    trace("receipt", receipt.transaction() + " corrected");
    simulation.invariants().onReceipt(receipt);
  }

  void storePrepared(Prepared prepared) {
    var transaction = prepared.prepared().transaction();
    if (disk().prepared.putIfAbsent(transaction, prepared) == null) {
      simulation.caller().submit(prepared.prepared());
    }
  }

  /** Ends at once whatever a node was doing. */
  private static final class NodeCrashed extends RuntimeException {
    private static final long serialVersionUID = 1;

    NodeCrashed() {
      super("The node has crashed.", null, false, false);
    }
  }
}
