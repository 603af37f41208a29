package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.errand.Surroundings;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.sender.EndedRoom;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.transaction.TransactionStep;
import dev.sequitur.sequencer.setup.FailedRecoveries;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.OpenTransactions;
import dev.sequitur.sequencer.setup.Outbox;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.trace.TransactionLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** What every actor of a node shares within one JVM. Thread-safe. */
public final class NodeServices implements Surroundings {
  private static final int GROUPS_AT_ONCE = 200;

  private final NodeSetup setup;
  private final GroupRegistry groups;
  private final GroupCount groupCount;
  private final SequencerMetrics metrics;
  private final OpenTransactions open;
  private final FailedRecoveries recoveries;
  private final Outbox outbox;
  private final Entities entities;
  private final Executor computing;
  private final NodeStanding standing;
  private final Actors actors;

  /**
   * Who runs before those that share this.
   *
   * @param feed tells of blocks
   * @param keeper sees to the money for gas; empty where gas costs nothing
   */
  public record Actors(
      ActorRef<BlockFeedCommand> feed, Optional<ActorRef<GasKeeper.Command>> keeper) {}

  /**
   * @param computing runs signing and other work of milliseconds; never blocks
   */
  public NodeServices(
      NodeSetup setup,
      NodeStanding standing,
      Actors actors,
      Entities entities,
      Executor computing) {
    this.setup = setup;
    this.standing = standing;
    this.actors = actors;
    this.entities = entities;
    this.computing = computing;
    this.groups = setup.ports().groups();
    this.metrics = standing.metrics();
    this.open =
        new OpenTransactions(
            setup.registry(),
            this::now,
            new EndedRoom(setup.rules().sequencer().limits().confirmedRemembered()));
    this.recoveries = new FailedRecoveries(setup.registry(), this::now);
    this.groupCount =
        new GroupCount(() -> store().countKnown(), System::nanoTime, standing.groupsAtStart());
    Gauges.show(
        setup.registry(),
        "sequitur_groups",
        "Privacy groups that this node is in.",
        groupCount::now);
    this.outbox = new Outbox(setup.self(), setup.ports().transport(), metrics);
  }

  @Override
  public CompletionStage<Optional<BlockHeight>> acknowledged() {
    return store().indexedTo().thenApply(to -> to.map(IndexedTo::height));
  }

  public NodeName self() {
    return setup.self();
  }

  public NodeSetup setup() {
    return setup;
  }

  public GroupRegistry groups() {
    return groups;
  }

  /** How many groups this node is in. */
  public GroupCount groupCount() {
    return groupCount;
  }

  /** Whether this node is in a group with this contract: as the node store says. */
  public CompletionStage<Boolean> knows(ContractAddress contract) {
    return groups.seek(List.of(contract), store()).thenApply(sought -> groups.isKnown(contract));
  }

  /** What is about a group of this node; fails as an unknown group does if it is of none. */
  public <T> CompletionStage<T> ofGroup(
      ContractAddress contract, Supplier<? extends CompletionStage<T>> answer) {
    return knows(contract)
        .thenCompose(
            known ->
                known
                    ? answer.get()
                    : CompletableFuture.failedFuture(IntentRules.unknownGroup(contract)));
  }

  /** Goes through all groups of the node in pages, one after another, and keeps none of them. */
  CompletionStage<Void> everyGroup(Function<ContractAddress, ? extends CompletionStage<?>> each) {
    return everyGroup(Optional.empty(), each);
  }

  private CompletionStage<Void> everyGroup(
      Optional<ContractAddress> after,
      Function<ContractAddress, ? extends CompletionStage<?>> each) {
    return store()
        .knownGroups(after, GROUPS_AT_ONCE)
        .thenCompose(
            page ->
                Answers.inTurn(page, group -> each.apply(group.contract()))
                    .thenCompose(
                        done ->
                            page.size() < GROUPS_AT_ONCE
                                ? CompletableFuture.completedStage(null)
                                : everyGroup(Optional.of(page.getLast().contract()), each)));
  }

  /** What this JVM tells of the node. */
  public NodeStanding standing() {
    return standing;
  }

  public SequencerMetrics metrics() {
    return metrics;
  }

  /** Where senders of this JVM show what they have. */
  OpenTransactions openTransactions() {
    return open;
  }

  /** What has waited for long here, for the operator. */
  public Optional<String> stuck() {
    return open.stuck(now());
  }

  public Outbox outbox() {
    return outbox;
  }

  public Entities entities() {
    return entities;
  }

  @Override
  public Executor computing() {
    return computing;
  }

  @Override
  public Executor waiting() {
    return Thread::startVirtualThread;
  }

  @Override
  public Instant now() {
    return setup.clock().instant();
  }

  /** By this JVM's own connections. */
  Links links() {
    return node ->
        Optional.ofNullable(setup.ports().transport().links().get(node))
            .filter(link -> !link.connected() && !link.trouble().isEmpty())
            .map(Transport.Link::trouble);
  }

  @Override
  public BaseLedger ledger() {
    return setup.ports().ledger();
  }

  public NodeStore store() {
    return setup.ports().store();
  }

  @Override
  public IntentStore intents() {
    return store();
  }

  @Override
  public StateContents contents() {
    return store();
  }

  @Override
  public Keys keys() {
    return setup.ports().keys();
  }

  @Override
  public Signatures signatures() {
    return setup.ports().signatures();
  }

  @Override
  public void count(CoordinatorEffect.Counted what) {
    metrics.count(what);
  }

  @Override
  public void count(SenderEffect.Counted what) {
    metrics.count(what);
  }

  @Override
  public void count(SubmitterEffect.Counted what) {
    metrics.count(what);
  }

  @Override
  public void count(StateStore.Counted what) {
    metrics.count(what);
  }

  @Override
  public void count(GasPaid paid) {
    metrics.paid(paid);
  }

  @Override
  public void took(TransactionId transaction, TransactionStep step, Duration time) {
    metrics.took(step, time, setup.spans().traceId(transaction));
  }

  @Override
  public void fulfilled(ContractAddress contract, TransactionId transaction, Duration time) {
    metrics.confirmed(contract, time, setup.spans().traceId(transaction));
  }

  @Override
  public void use(KeyUse use) {
    actors.keeper().ifPresent(one -> one.tell(new GasKeeper.Used(use)));
  }

  /** Who sees to the money for gas; empty where gas costs nothing. */
  public Optional<ActorRef<GasKeeper.Command>> gasKeeper() {
    return actors.keeper();
  }

  @Override
  public void fault(Domain domain, String what, RuntimeException thrown) {
    standing.fault(domain, what, thrown);
  }

  @Override
  public void ended(List<NodeStore.NumberedReceipt> stored) {
    long confirmed = stored.stream().filter(each -> each.receipt().success()).count();
    metrics.transactions(SequencerMetrics.Transaction.CONFIRMED, confirmed);
    metrics.transactions(SequencerMetrics.Transaction.REVERTED, stored.size() - confirmed);
    TransactionLog.ended(stored, setup.spans());
    setup.spans().ended(stored);
  }

  /** Where actors of this JVM hear of blocks. */
  public ActorRef<BlockFeedCommand> feed() {
    return actors.feed();
  }

  @Override
  public BlockHeight height() {
    return standing.height();
  }

  /**
   * Why nothing may be done upon what this node holds of a group, as far as this JVM knows without
   * asking the state store, which may be why it does not answer (DST-10).
   */
  Optional<String> storeTrouble(ContractAddress contract) {
    return standing
        .lacking()
        .parted(contract)
        .or(
            () ->
                recoveries.hasFailed(StateStoreActor.KEY.name(), contract.value())
                    ? Optional.of(
                        "What this node holds of group " + contract + " cannot be loaded.")
                    : Optional.empty());
  }

  /** Which of this JVM's entities could not be loaded. */
  public FailedRecoveries recoveries() {
    return recoveries;
  }

  /** The group, read in the node store if it is not in memory; empty if this node is in none. */
  public CompletionStage<Optional<PrivacyGroup>> load(ContractAddress contract) {
    return groups.load(contract, store());
  }

  /**
   * @throws IllegalArgumentException if this node is not in the group, or it is not in memory
   */
  public PrivacyGroup group(ContractAddress contract) {
    return groups
        .find(contract)
        .orElseThrow(() -> new IllegalArgumentException("This node is in no group of " + contract));
  }

  public Domain domain(PrivacyGroup group) {
    return setup.domains().get(group.domain());
  }
}
