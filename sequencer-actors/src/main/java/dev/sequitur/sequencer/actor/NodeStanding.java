package dev.sequitur.sequencer.actor;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.protocol.errand.RoomErrands;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this JVM tells of the node: by gauges, by health, and in lines that come seldom. Each part
 * is a value that one actor puts in place as a whole, and whoever shows it to an operator reads it:
 * the indexer how the ledger is read, the gas keeper how the node stands with money, the reindexer
 * what is read again, each state store what its group lacks. The JVM's block feed, and it alone,
 * says how high it has come; that only grows. Actors decide by what another has said here in four
 * cases: by the height, by whether the ledger has parted from what was read, by whether money for
 * gas is waited for, and by whether a store that does not answer differs from the ledger. Each may
 * be late by a moment, as a message would be. Thread-safe.
 */
public final class NodeStanding {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStanding.class);

  private static final double MILLIS = 1e3;

  private final int confirmations;
  private final SequencerMetrics metrics;
  private final SeldomLines lines = new SeldomLines(System::nanoTime);
  private final LackingGroups lacking = new LackingGroups();
  private final CommitteeNews committees = new CommitteeNews();
  private final long groupsAtStart;
  private volatile BlockHeight height;
  private volatile GasReport gas = GasReport.NONE;
  private volatile LedgerReading reading = LedgerReading.NONE;
  private volatile Optional<String> reindexing = Optional.empty();
  private volatile Optional<String> witnessing = Optional.empty();
  private volatile Duration roomOverdue = Duration.ZERO;

  /**
   * @param height up to which the node had every block acknowledged before
   * @param groups how many it is in
   */
  public NodeStanding(NodeSetup setup, BlockHeight height, long groups) {
    this.height = height;
    this.groupsAtStart = groups;
    this.confirmations = setup.rules().confirmations();
    this.metrics = new SequencerMetrics(setup.registry());
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
        () -> reading().parted().isPresent() ? 1 : 0);
    Gauges.show(
        setup.registry(),
        "sequitur_ledger_blocks_behind",
        "Final blocks of the base ledger that this JVM, if it reads them, has yet to read.",
        () -> Math.max(0, reading().head().value() - confirmations - height().value()));
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
    Gauges.show(
        setup.registry(),
        "sequitur_room_overdue_seconds",
        "For how long what has ended could have been forgotten and is not yet, if this JVM makes"
            + " room: 0 where all of that is forgotten, and where room.keep is forever.",
        () -> roomOverdue.toMillis() / MILLIS);
  }

  private enum GasKeys {
    USED,
    LOW,
    WAITING
  }

  private Map<GasKeys, Double> gasKeys() {
    var report = gas;
    return Map.of(
        GasKeys.USED, (double) report.keys(),
        GasKeys.LOW, (double) report.low(),
        GasKeys.WAITING, (double) report.waiting());
  }

  public SequencerMetrics metrics() {
    return metrics;
  }

  /** How many groups the node was in when this JVM started. */
  long groupsAtStart() {
    return groupsAtStart;
  }

  /** The newest final block of which this JVM has heard. */
  public BlockHeight height() {
    return height;
  }

  /**
   * @param higher than before
   */
  void height(BlockHeight higher) {
    height = higher;
  }

  /** For how long the room keeper could have forgotten what it has not. */
  void roomOverdue(Duration time) {
    roomOverdue = time;
  }

  /** What the room keeper has done last. */
  void forgotten(RoomErrands.Step step) {
    roomOverdue(step.overdue());
    metrics.forgotten(Kept.CONTENTS, step.contents());
    metrics.forgotten(Kept.IDS, step.ids());
  }

  /** What the node has done about committees without being called. */
  public CommitteeNews committees() {
    return committees;
  }

  /** Where contents are lacking. */
  public LackingGroups lacking() {
    return lacking;
  }

  /** How the node stands with the money for gas, if this is the JVM that sees to it. */
  public GasReport gas() {
    return gas;
  }

  void gas(GasReport report) {
    gas = report;
  }

  /** How this JVM reads the base ledger, if it is the one of the node that does so. */
  public LedgerReading reading() {
    return reading;
  }

  void reading(LedgerReading now) {
    reading = now;
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

  /** Why the node agrees to no checkpoint of the ledger, if this is the JVM that would. */
  public Optional<String> witnessing() {
    return witnessing;
  }

  /**
   * @param why a sentence for the operator; empty if it agrees
   */
  void witnessing(Optional<String> why) {
    witnessing = why;
  }

  /** What may come again and again, by whatever others do. */
  public void warnSeldom(String sentence) {
    lines
        .due(sentence)
        .ifPresent(leftOut -> LOG.warn("{} ({} more since the last such line)", sentence, leftOut));
  }

  /** Without what the exception says, which may hold private data (EXC-5). */
  void fault(Domain domain, String what, RuntimeException thrown) {
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
}
