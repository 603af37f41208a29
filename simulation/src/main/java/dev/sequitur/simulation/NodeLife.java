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
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One life of a node, from a start to a crash: everything here is forgotten with it. */
final class NodeLife {
  /** Counts what came of a node that has no member in the group, and was dropped. */
  static final String NOT_A_MEMBER = "dropped, of no member";

  private static final String NOBODYS = "dropped, for no machine";

  /** How long the disk takes. */
  static final Duration WRITE = Duration.ofMillis(2);

  /** How long a JVM goes on that was left out and does not know it. */
  private static final Duration OVERLAP = Duration.ofSeconds(6);

  /** How long computing, reading and asking the ledger take. */
  static final Duration WORK = Duration.ofMillis(1);

  private final Simulation simulation;
  private final SimulatedNode home;
  private final Map<ContractAddress, ContractMachines> entities = new LinkedHashMap<>();
  private final Indexing indexing;
  private final Surroundings surroundings;
  private final HandoverShell handover;
  private final IntentAcceptance acceptance;
  private final ScheduledCalls scheduledCalls;
  private final QueueShell queue;
  private final PublicSubmitterShell publics;
  private final GroupStore groups;
  private final FoundingShell founding;
  private final List<KeeperShell> keepers = new ArrayList<>();

  NodeLife(Simulation simulation, SimulatedNode home) {
    this.simulation = simulation;
    this.home = home;
    this.indexing = new Indexing(this, home.disk().indexedTo);
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
                contract -> simulation.group(contract).map(this::local),
                this::now,
                (contract, from) -> simulation.freshTransaction(),
                () -> simulation.freshTransaction().id()),
            surroundings.intents(),
            this::submit);
    this.queue = new QueueShell(this);
    this.publics = new PublicSubmitterShell(this, simulation.setup());
    this.groups = new SimulatedGroups(this);
    this.founding = new FoundingShell(this);
  }

  /** Of a write beside the events of the same decision: sooner than theirs, or much later. */
  static Duration writeBeside(Object written) {
    return written.hashCode() % 2 == 0 ? WRITE.dividedBy(2) : WRITE.multipliedBy(16);
  }

  void start() {
    for (var group : simulation.groups()) {
      if (group.committee().hasMemberOn(name())) {
        entities.put(group.contract(), EntityFactory.create(this, simulation.setup(), group));
      }
    }
    for (var each : entities.values()) {
      each.sender().start();
      each.submitter().start();
      each.states().start();
      each.messages().start();
    }
    disk()
        .readSoFar
        .flatMap(ReadSoFar::reindex)
        .ifPresent(reindex -> new Reindexing(this, reindex).start());
    queue.start();
    publics.begin();
    founding.begin();
    moveKeeper();
    tick();
    handOverAgain();
  }

  private void handOverAgain() {
    handover.tick();
    later(Handover.AGAIN, this::handOverAgain);
  }

  private void tick() {
    indexing.poll();
    for (var each : entities.values()) {
      each.sender().tick();
      each.coordinator().tick();
      each.endorser().tick();
      each.submitter().tick();
      each.states().tick();
      each.messages().tick();
    }
    publics.tick();
    founding.look();
    keepers.forEach(KeeperShell::tick);
    later(simulation.setup().tick(), this::tick);
  }

  NodeName name() {
    return home.name();
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
    return indexing.height();
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
    return publics;
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
    return keepers.isEmpty() ? Optional.empty() : Optional.of(keepers.getLast());
  }

  /**
   * A sender goes to another JVM of the node, unless it is in the middle of something. What it is
   * told before it is there is lost.
   *
   * @return whether it goes
   */
  boolean moveSender(ContractAddress contract, Duration away) {
    var group = simulation.group(contract).orElseThrow();
    var before = entities.get(contract);
    if (before == null || !before.sender().isHere() || !before.sender().isQuiet()) {
      return false;
    }
    before.sender().leave();
    later(
        away,
        () -> {
          var there = EntityFactory.sender(this, simulation.setup(), group);
          entities.put(contract, entities.get(contract).with(there));
          there.start();
        });
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
              keepers.add(new KeeperShell(this, settings));
              later(OVERLAP, () -> keepers.removeIf(each -> each != keepers.getLast()));
            });
  }

  QueueShell queue() {
    return queue;
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

  ContractMachines entities(ContractAddress contract) {
    return entities.get(contract);
  }

  Collection<ContractMachines> entities() {
    return entities.values();
  }

  /** Does it later in this life, or never. */
  void later(Duration wait, Runnable what) {
    simulation.after(
        wait,
        () -> {
          if (home.isRunning(this)) {
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
    try {
      what.run();
    } catch (NodeCrashed crashed) {
      simulation.trace().add(simulation.now(), name(), "crashed", "");
    }
  }

  /**
   * A point at which this node may crash.
   *
   * @throws NodeCrashed if it does
   */
  void reach(Moment moment) {
    if (home.crashesAt(moment)) {
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
    var envelope = simulation.wire().send(name(), said);
    reach(new Moment.Sent(name(), envelope));
  }

  void receive(Envelope envelope) {
    switch (envelope.payload()) {
      case Message.ForMachine message -> receive(envelope, message);
      // No machine answers to these, and only a liar sends them here.
      case Message.OfTrace ignored -> count(NOBODYS);
      case Message.OfVerifier message -> founding.receive(envelope, message);
      case Message.OfGroup message -> founding.receive(envelope, message);
    }
  }

  private void receive(Envelope envelope, Message.ForMachine message) {
    var contract = message.contract();
    var target = entities.get(contract);
    if (!simulation.group(contract).orElseThrow().committee().hasMemberOn(envelope.from())) {
      count(NOT_A_MEMBER);
    } else if (target != null) {
      target.deliver(new Received<>(envelope.from(), envelope.messageId(), message));
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
