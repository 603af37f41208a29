package dev.sequitur.node.rehearsal;

import dev.sequitur.ledger.LedgerFaults;
import dev.sequitur.ledger.LedgerView;
import dev.sequitur.ledger.RehearsalLedger;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.transport.DelayTime;
import dev.sequitur.transport.FaultRule;
import dev.sequitur.transport.FaultRules;
import dev.sequitur.transport.FaultScope;
import dev.sequitur.transport.FaultyTransport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The faults that callers have set on one node. Each ends by itself; none outlives the process.
 * Thread-safe.
 */
public final class Rehearsal implements AutoCloseable {
  /** A fault lasts no longer than this. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  /** Faults at a time. */
  public static final int MOST = 20;

  private static final int MOST_DELAYED = 10_000;

  private final NodeName self;
  private final BaseLedger base;
  private final Optional<LedgerView> ledger;
  private final FaultRules rules = new FaultRules(System.nanoTime());
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          action -> {
            var thread = new Thread(action, "rehearsal");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<Integer, Active> faults = new LinkedHashMap<>();
  private final Map<String, Long> ended = new TreeMap<>();
  private int lastNumber;

  private record Active(RehearsedFault fault, Instant ends, OptionalInt rule) {}

  /**
   * A fault in force.
   *
   * @param number by which it was set, from 1
   * @param concerned messages, or transactions to revert, that it has concerned so far
   */
  public record Entry(int number, RehearsedFault fault, Instant ends, long concerned) {}

  /**
   * @param ledger the node's own, which is not closed with this
   */
  public Rehearsal(NodeName self, BaseLedger ledger) {
    this.self = self;
    this.base = ledger;
    this.ledger = view(ledger);
  }

  private Optional<LedgerView> view(BaseLedger of) {
    if (of instanceof LedgerView view) {
      return Optional.of(view);
    }
    return of instanceof RehearsalLedger rehearsed
        ? Optional.of(new LedgerView(rehearsed, InstantSource.system(), scheduler, self.hashCode()))
        : Optional.empty();
  }

  /** The ledger that the node must use, so that faults act on it. */
  public BaseLedger ledger() {
    return ledger.<BaseLedger>map(view -> view).orElse(base);
  }

  /** The transport that the node must use, so that faults act on it. */
  public Transport around(Transport transport) {
    return new FaultyTransport(
        transport,
        rules,
        (delay, action) -> scheduler.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS),
        MOST_DELAYED);
  }

  /**
   * Puts a fault in force.
   *
   * @param others whom this node can talk to
   * @param lasts after which it ends by itself
   * @return its number
   * @throws IllegalArgumentException with a sentence for the caller, if it cannot be set
   */
  public synchronized int begin(RehearsedFault fault, Set<NodeName> others, Duration lasts) {
    if (lasts.compareTo(Duration.ofSeconds(1)) < 0 || lasts.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "A fault lasts from 1 to " + LONGEST.toSeconds() + " seconds.");
    }
    if (faults.size() >= MOST) {
      throw new IllegalArgumentException(
          "There are " + MOST + " faults already: clear them, or wait for the end of some.");
    }
    var rule =
        switch (fault) {
          case RehearsedFault.Network network -> OptionalInt.of(rules.add(rule(network, others)));
          case RehearsedFault.OfLedger ignored when ledger.isEmpty() ->
              throw new IllegalArgumentException(
                  "No faults can be set on the ledger of this node.");
          case RehearsedFault.OfLedger ignored -> OptionalInt.empty();
        };
    int number = ++lastNumber;
    faults.put(number, new Active(fault, InstantSource.system().instant().plus(lasts), rule));
    applyToLedger();
    if (fault instanceof RehearsedFault.LedgerRevert revert) {
      ledger.get().revertNext(revert.contract(), revert.count());
    }
    scheduler.schedule(() -> end(number), lasts.toNanos(), TimeUnit.NANOSECONDS);
    return number;
  }

  private FaultRule rule(RehearsedFault.Network fault, Set<NodeName> others) {
    for (var peer : fault.peers()) {
      if (!others.contains(peer)) {
        throw new IllegalArgumentException(
            "This node has no peer " + peer + "; transport_peers lists all.");
      }
    }
    // Named one by one: what a node sends to itself crosses no network.
    var peers = fault.peers().isEmpty() ? others : fault.peers();
    if (peers.isEmpty()) {
      throw new IllegalArgumentException("This node has no peers that a fault could concern.");
    }
    return switch (fault) {
      case RehearsedFault.OfMessages some -> rule(some, peers);
      case RehearsedFault.Partition ignored ->
          new FaultRule.Partition(Set.of(self), peers, FaultRule.Partition.Direction.BOTH_WAYS);
    };
  }

  private static FaultRule rule(RehearsedFault.OfMessages fault, Set<NodeName> peers) {
    var traffic = fault.traffic();
    var scope = new FaultScope(Set.of(), peers, traffic.messages(), traffic.contracts());
    double probability = fault.probability();
    return switch (fault) {
      case RehearsedFault.Drop ignored -> new FaultRule.Drop(scope, probability);
      case RehearsedFault.Delay delay ->
          new FaultRule.Delay(
              scope, probability, new DelayTime.Uniform(Duration.ZERO, delay.atMost()));
      case RehearsedFault.Duplicate ignored -> new FaultRule.Duplicate(scope, probability);
    };
  }

  private synchronized void end(int number) {
    var active = faults.get(number);
    if (active != null) {
      add(active, ended);
      faults.remove(number);
      active.rule.ifPresent(rules::remove);
      if (active.fault instanceof RehearsedFault.LedgerRevert revert) {
        ledger.ifPresent(view -> view.revertNext(revert.contract(), 0));
      }
      applyToLedger();
    }
  }

  /** The longest of all lags. */
  private void applyToLedger() {
    int lag =
        faults.values().stream()
            .mapToInt(
                active -> active.fault instanceof RehearsedFault.LedgerLag some ? some.blocks() : 0)
            .max()
            .orElse(0);
    ledger.ifPresent(view -> view.set(LedgerFaults.NONE.withLagBlocks(lag)));
  }

  private void add(Active active, Map<String, Long> sums) {
    if (!(active.fault instanceof RehearsedFault.LedgerLag)) {
      sums.merge(active.fault.kind().word(), concerned(active), Long::sum);
    }
  }

  private long concerned(Active active) {
    if (active.fault instanceof RehearsedFault.LedgerRevert revert) {
      return ledger.map(view -> revert.count() - view.revertsLeft(revert.contract())).orElse(0);
    }
    return active.rule.isEmpty()
        ? 0
        : rules.list().stream()
            .filter(rule -> rule.number() == active.rule.getAsInt())
            .mapToLong(FaultRules.Numbered::applied)
            .sum();
  }

  /**
   * Ends all faults; what was delayed still arrives.
   *
   * @return how many there were
   */
  public synchronized int clear() {
    var numbers = List.copyOf(faults.keySet());
    numbers.forEach(this::end);
    return numbers.size();
  }

  /** What is in force, oldest first. */
  public synchronized List<Entry> list() {
    return faults.entrySet().stream()
        .map(
            entry -> {
              var active = entry.getValue();
              return new Entry(entry.getKey(), active.fault, active.ends, concerned(active));
            })
        .toList();
  }

  /**
   * Messages, or transactions to revert, that faults have concerned since the start, by kind, ended
   * ones included. A lag concerns everything, and is not counted.
   */
  public synchronized Map<String, Long> concerned() {
    var all = new TreeMap<>(ended);
    faults.values().forEach(active -> add(active, all));
    return all;
  }

  /** Ends all faults. */
  @Override
  public void close() {
    clear();
    scheduler.shutdownNow();
  }
}
