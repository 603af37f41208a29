package dev.sequitur.sequencer.setup;

import dev.sequitur.cluster.metrics.BoundedLabel;
import dev.sequitur.cluster.metrics.LabelledCounter;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.transaction.TransactionStep;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What the sequencer of one node counts, for {@code /metrics}. Thread-safe, cheap. */
public final class SequencerMetrics {
  public static final String MESSAGES_REACHED = "sequitur_messages_reached";

  /** Where a message goes. */
  public enum Destination {
    PEER,
    SELF
  }

  /** Where a message of another node finds the part of its contract that answers to it. */
  public enum Reached {
    /** In the JVM that it has come to. */
    HERE,
    /** In another JVM of the node, by one hop more. */
    ELSEWHERE
  }

  /** Why a message that has come is not heard. */
  public enum Dropped {
    INCOMPATIBLE_VERSION,
    UNKNOWN_CONTRACT,
    NOT_A_MEMBER,
    TOO_LONG,
    TOO_MANY_TRACES
  }

  /** What becomes of a question for a trace. */
  public enum Trace {
    ANSWERED,
    REFUSED
  }

  /** What becomes of a transaction of this node. */
  public enum Transaction {
    ACCEPTED,
    CONFIRMED,
    REVERTED
  }

  /** What was paid for. */
  public enum Paid {
    DONE,
    REVERTED
  }

  private static final double NANOS = 1e9;

  /** Groups that have a line of their own; the others share one. */
  private static final int MOST_GROUPS = 100;

  private static final double[] STEP_SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };
  private static final double[] CONFIRMATION_SECONDS = {
    0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200
  };

  private final LabelledCounter<Destination> sent;
  private final LabelledCounter<Reached> reached;
  private final LabelledCounter<Dropped> dropped;
  private final LabelledCounter<Trace> traces;
  private final LabelledCounter<Transaction> transactions;
  private final LabelledCounter<SenderEffect.Counted> sender;
  private final LabelledCounter<CoordinatorEffect.Counted> coordinator;
  private final LabelledCounter<SubmitterEffect.Counted> submitter;
  private final LabelledCounter<StateStore.Counted> stateStore;
  private final LabelledCounter<LedgerReceipt.RevertReason> reverts;
  private final LabelledCounter<Paid> paid;
  private final Map<TransactionStep, DistributionDataPoint> steps =
      new EnumMap<>(TransactionStep.class);
  private final BoundedLabel<ContractAddress, DistributionDataPoint> confirmations;
  private final CounterDataPoint topUps;
  private final CounterDataPoint ledgerUnreachable;
  private final CounterDataPoint blocksUndone;
  private final LabelledCounter<Kept> forgotten;
  private final LabelledCounter<Kept> freed;

  /**
   * @param registry of this node; it has none of these names yet
   */
  public SequencerMetrics(PrometheusRegistry registry) {
    sent =
        new LabelledCounter<>(
            registry,
            "sequitur_messages_sent",
            "Messages of the protocol that this JVM sent, to peers or within the node.",
            "to",
            Destination.class);
    reached =
        new LabelledCounter<>(
            registry,
            MESSAGES_REACHED,
            "Messages of other nodes about contracts, by whether the JVM that they came to has the"
                + " contract's parts: else they go on to another JVM of the node.",
            "where",
            Reached.class);
    dropped =
        new LabelledCounter<>(
            registry,
            "sequitur_messages_dropped",
            "Messages that came and were not heard: from a wrong peer, or in an attack.",
            "reason",
            Dropped.class);
    traces =
        new LabelledCounter<>(
            registry,
            "sequitur_traces",
            "Questions for traces: of others that were answered, and of callers here that were"
                + " refused since too many are being gathered.",
            "outcome",
            Trace.class);
    transactions =
        new LabelledCounter<>(
            registry,
            "sequitur_transactions",
            "Private transactions of this node's callers.",
            "event",
            Transaction.class);
    sender =
        new LabelledCounter<>(
            registry,
            "sequitur_sender_events",
            "What went otherwise than hoped for, as senders saw it.",
            "event",
            SenderEffect.Counted.class);
    coordinator =
        new LabelledCounter<>(
            registry,
            "sequitur_coordinator_events",
            "What went otherwise than hoped for, as coordinators saw it.",
            "event",
            CoordinatorEffect.Counted.class);
    submitter =
        new LabelledCounter<>(
            registry,
            "sequitur_submitter_events",
            "What submitters did with base-ledger transactions.",
            "event",
            SubmitterEffect.Counted.class);
    stateStore =
        new LabelledCounter<>(
            registry,
            "sequitur_state_store_events",
            "What state stores did not take.",
            "event",
            StateStore.Counted.class);
    reverts =
        new LabelledCounter<>(
            registry,
            "sequitur_ledger_reverts",
            "Base-ledger transactions of this node that were refused there.",
            "reason",
            LedgerReceipt.RevertReason.class);
    paid =
        new LabelledCounter<>(
            registry,
            "sequitur_gas_paid",
            "What base-ledger transactions of this node have cost, in the ledger's smallest unit:"
                + " for what was done, and for what was refused.",
            "for",
            Paid.class);
    var stepSeconds =
        Histogram.builder()
            .name("sequitur_transaction_step_duration_seconds")
            .help(
                "How long private transactions took for each step, by the clock of the node that"
                    + " takes it: submitted at the submitter's, all others at the sender's.")
            .labelNames("step")
            .classicOnly()
            .classicUpperBounds(STEP_SECONDS)
            .register(registry);
    for (var step : TransactionStep.values()) {
      steps.put(step, stepSeconds.labelValues(LabelledCounter.word(step)));
    }
    var confirmationSeconds =
        Histogram.builder()
            .name("sequitur_transaction_confirmation_seconds")
            .help(
                "From the acceptance of a private transaction of this node to its confirmation,"
                    + " restarts included, by the address of its group's contract.")
            .labelNames("group")
            .classicOnly()
            .classicUpperBounds(CONFIRMATION_SECONDS)
            .register(registry);
    confirmations = new BoundedLabel<>(MOST_GROUPS, confirmationSeconds::labelValues);
    topUps =
        Counter.builder()
            .name("sequitur_gas_top_ups")
            .help("Transfers from the funding account to keys of this node.")
            .register(registry);
    ledgerUnreachable =
        Counter.builder()
            .name("sequitur_ledger_unreachable")
            .help("Reads of the base ledger that failed; the log says why.")
            .register(registry);
    blocksUndone =
        Counter.builder()
            .name("sequitur_ledger_blocks_undone")
            .help("Times that final blocks were replaced of which nobody was told but the height.")
            .register(registry);
    forgotten =
        new LabelledCounter<>(
            registry,
            "sequitur_room_forgotten",
            "Receipts whose contents, and receipts whose ids, this JVM has forgotten.",
            "kept",
            Kept.class);
    freed =
        new LabelledCounter<>(
            registry,
            "sequitur_room_freed_bytes",
            "Bytes of entries of the node store that went with them, less what is left of them.",
            "kept",
            Kept.class);
  }

  public void sent(Destination to, int howMany) {
    sent.add(to, howMany);
  }

  public void reached(Reached where) {
    reached.increment(where);
  }

  public void dropped(Dropped why) {
    dropped.increment(why);
  }

  public void trace(Trace outcome) {
    traces.increment(outcome);
  }

  public void transactions(Transaction event, long howMany) {
    transactions.add(event, howMany);
  }

  public void count(SenderEffect.Counted what) {
    sender.increment(what);
  }

  public void count(CoordinatorEffect.Counted what) {
    coordinator.increment(what);
  }

  public void count(SubmitterEffect.Counted what) {
    submitter.increment(what);
  }

  public void count(StateStore.Counted what) {
    stateStore.increment(what);
  }

  public void reverted(LedgerReceipt.RevertReason why) {
    reverts.increment(why);
  }

  public void paid(GasPaid gas) {
    paid.add(Paid.DONE, gas.total().subtract(gas.reverted()).doubleValue());
    paid.add(Paid.REVERTED, gas.reverted().doubleValue());
  }

  /**
   * @param trace that it is in, if it is in any: shown beside the figure as its example
   */
  public void took(TransactionStep step, Duration time, Optional<String> trace) {
    observe(steps.get(step), time, trace);
  }

  /** As for {@link #took}: one of a group is confirmed, so long after it was accepted. */
  public void confirmed(ContractAddress group, Duration time, Optional<String> trace) {
    observe(confirmations.of(group), time, trace);
  }

  private static void observe(DistributionDataPoint point, Duration time, Optional<String> trace) {
    // The clock may have been set back between the two.
    double seconds = Math.max(0, time.toNanos() / NANOS);
    if (trace.isPresent()) {
      point.observeWithExemplar(seconds, Labels.of("trace_id", trace.get()));
    } else {
      point.observe(seconds);
    }
  }

  public void toppedUp() {
    topUps.inc();
  }

  public void ledgerUnreachable() {
    ledgerUnreachable.inc();
  }

  public void blocksUndone() {
    blocksUndone.inc();
  }

  /** What making room has come to. */
  public void forgotten(Kept what, RoomStore.Freed gone) {
    forgotten.add(what, gone.receipts());
    freed.add(what, Math.max(0, gone.bytes()));
  }

  /** What is read within the process: by benchmarks, the demo, and tests. */
  public record Counts(long messagesToPeers, long switchovers, long reassemblies, long reverts) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    public Counts plus(Counts other) {
      return new Counts(
          messagesToPeers + other.messagesToPeers,
          switchovers + other.switchovers,
          reassemblies + other.reassemblies,
          reverts + other.reverts);
    }

    public Counts since(Counts earlier) {
      return new Counts(
          messagesToPeers - earlier.messagesToPeers,
          switchovers - earlier.switchovers,
          reassemblies - earlier.reassemblies,
          reverts - earlier.reverts);
    }
  }

  /** As they are now. */
  public Counts counts() {
    return new Counts(
        sent.get(Destination.PEER),
        sender.get(SenderEffect.Counted.SWITCHOVER),
        coordinator.get(CoordinatorEffect.Counted.REASSEMBLY),
        submitter.get(SubmitterEffect.Counted.LEDGER_REVERT));
  }

  /** How many messages of other nodes found who answers to them there. */
  public long get(Reached where) {
    return reached.get(where);
  }

  /** How many messages were not heard for this reason. */
  public long get(Dropped why) {
    return dropped.get(why);
  }
}
