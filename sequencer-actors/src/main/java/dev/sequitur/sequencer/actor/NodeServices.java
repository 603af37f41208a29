package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.errand.Surroundings;
import dev.sequitur.protocol.funding.Funding.GasReport;
import dev.sequitur.protocol.funding.Funding.KeyUse;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.port.Transport;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every actor of a node shares within one JVM. Thread-safe. */
public final class NodeServices implements Surroundings {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServices.class);

  private final NodeSetup setup;
  private final GroupRegistry groups;
  private final SequencerMetrics metrics;
  private final OpenTransactions open;
  private final FailedRecoveries recoveries;
  private final Outbox outbox;
  private final Entities entities;
  private final Executor computing;
  private volatile ActorRef<BlockFeedCommand> feed;
  private final SeldomLines lines = new SeldomLines(System::nanoTime);
  private final AtomicReference<Optional<String>> parted = new AtomicReference<>(Optional.empty());
  private volatile Optional<String> unread = Optional.empty();
  private volatile Optional<String> reindexing = Optional.empty();
  private volatile ActorRef<LedgerComparer.Command> comparer;
  private final LackingGroups lacking = new LackingGroups();
  private final AtomicLong finalHead = new AtomicLong();
  private final AtomicReference<GasReport> gas = new AtomicReference<>(GasReport.NONE);
  private volatile Optional<ActorRef<GasKeeper.Command>> keeper = Optional.empty();
  private final AtomicReference<BlockHeight> height = new AtomicReference<>(BlockHeight.ZERO);

  /**
   * @param computing runs signing and other work of milliseconds; never blocks
   */
  public NodeServices(NodeSetup setup, Entities entities, Executor computing) {
    this.setup = setup;
    this.entities = entities;
    this.computing = computing;
    this.groups = setup.ports().groups();
    this.metrics = new SequencerMetrics(setup.registry());
    this.open = new OpenTransactions(setup.registry(), this::now);
    this.recoveries = new FailedRecoveries(setup.registry(), this::now);
    Gauges.show(
        setup.registry(),
        "sequitur_block_height",
        "The newest final block of the base ledger that this JVM has read.",
        () -> height().value());
    Gauges.show(
        setup.registry(),
        "sequitur_ledger_parted",
        "1 while the base ledger lacks final blocks that this JVM has told of, and is read no"
            + " further; else 0.",
        () -> ledgerParted().isPresent() ? 1 : 0);
    Gauges.show(
        setup.registry(),
        "sequitur_ledger_blocks_behind",
        "Final blocks of the base ledger that this JVM, if it reads them, has yet to read.",
        () -> Math.max(0, finalHead.get() - height().value()));
    Gauges.show(
        setup.registry(),
        "sequitur_missing_contents",
        "Contents of states that this JVM's groups lack for certain, and ask the other members for.",
        lacking::states);
    Gauges.show(
        setup.registry(),
        "sequitur_groups_parted",
        "Groups of which this JVM holds other unspent states than the ledger shows.",
        lacking::parted);
    Gauges.show(
        setup.registry(),
        "sequitur_groups",
        "Privacy groups that this node is in.",
        () -> groups.all().size());
    Gauges.show(
        setup.registry(),
        "sequitur_gas_account_balance",
        "What the funding account has, in the ledger's smallest unit, if this JVM looks after it.",
        () -> gas().payerBalance().doubleValue());
    Gauges.show(
        setup.registry(),
        "sequitur_gas_keys",
        "Keys of this node that have paid for gas lately, if this JVM looks after them: all, those"
            + " with less than they should have, and those whose transactions wait for money.",
        "which",
        this::gasKeys);
    this.outbox = new Outbox(setup.self(), setup.ports().transport(), metrics);
  }

  @Override
  public CompletionStage<Optional<BlockHeight>> acknowledged() {
    return store().indexedTo().thenApply(to -> to.map(IndexedTo::height));
  }

  private enum GasKeys {
    USED,
    LOW,
    WAITING
  }

  private Map<GasKeys, Double> gasKeys() {
    var report = gas();
    return Map.of(
        GasKeys.USED, (double) report.keys(),
        GasKeys.LOW, (double) report.low(),
        GasKeys.WAITING, (double) report.waiting());
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
    keeper.ifPresent(one -> one.tell(new GasKeeper.Used(use)));
  }

  /** Who sees to the money for gas; empty where gas costs nothing. */
  public Optional<ActorRef<GasKeeper.Command>> gasKeeper() {
    return keeper;
  }

  /** Called once, before any entity is started. */
  public void useKeeper(ActorRef<GasKeeper.Command> theKeeper) {
    keeper = Optional.of(theKeeper);
  }

  /** How the node stands with the money for gas, if this is the JVM that sees to it. */
  public GasReport gas() {
    return gas.get();
  }

  public void gas(GasReport report) {
    gas.set(report);
  }

  /** The chain never takes a transfer from the funding account: the operator is told why. */
  void transferRefused(String reason) {
    warnSeldom("The chain does not take a transfer from the funding account: " + reason);
  }

  /** What may come again and again, by whatever others do. */
  public void warnSeldom(String sentence) {
    lines
        .due(sentence)
        .ifPresent(leftOut -> LOG.warn("{} ({} more since the last such line)", sentence, leftOut));
  }

  @Override
  public void fault(Domain domain, String what, RuntimeException thrown) {
    var cause = thrown.getClass().getName();
    lines
        .due(domain.name() + what + cause)
        .ifPresent(
            leftOut ->
                LOG.error(
                    "Domain {} cannot {}: {} ({} more since the last such line)",
                    domain.name(),
                    what,
                    cause,
                    leftOut));
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
    return feed;
  }

  /** Called once, before any entity is started. */
  public void use(ActorRef<BlockFeedCommand> theFeed) {
    feed = theFeed;
  }

  @Override
  public BlockHeight height() {
    return height.get();
  }

  public void indexed(BlockHeight newest) {
    height.accumulateAndGet(newest, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }

  /** Which of this JVM's entities could not be loaded. */
  public FailedRecoveries recoveries() {
    return recoveries;
  }

  /** The ledger's newest block, as this JVM has seen it when it read the ledger. */
  void ledgerHead(BlockHeight head) {
    finalHead.set(Math.max(0, head.value() - setup.rules().confirmations()));
  }

  /** Where contents are lacking. */
  public LackingGroups lacking() {
    return lacking;
  }

  /**
   * Why this JVM, if it is the one of the node that does so, reads no further on the base ledger.
   */
  public Optional<String> ledgerParted() {
    return parted.get();
  }

  /** Since when this JVM, if it is the one of the node that does so, can't read the base ledger. */
  public Optional<String> ledgerUnread() {
    return unread;
  }

  /**
   * What this JVM, if it is the one of the node that does so, does since the ledger is read again
   * from a fork on.
   */
  public Optional<String> reindexing() {
    return reindexing;
  }

  /**
   * @param what a sentence for the operator; empty if nothing is to be done
   */
  void reindexing(Optional<String> what) {
    reindexing = what;
  }

  /** Who makes groups what the ledger shows. */
  ActorRef<LedgerComparer.Command> comparer() {
    return comparer;
  }

  /** Called once, before any entity is started. */
  public void useComparer(ActorRef<LedgerComparer.Command> theComparer) {
    comparer = theComparer;
  }

  /**
   * @param why a sentence for the operator; empty if it could be read the last time, or only failed
   *     once
   */
  void ledgerUnread(Optional<String> why) {
    unread = why;
  }

  /**
   * @param why a sentence for the operator; empty if the ledger is read
   */
  public void ledgerParted(Optional<String> why) {
    parted.set(why);
  }

  /**
   * @throws IllegalArgumentException if this node is not in the group
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
