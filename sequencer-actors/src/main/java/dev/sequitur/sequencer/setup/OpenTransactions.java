package dev.sequitur.sequencer.setup;

import static java.util.stream.Collectors.joining;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.sender.EndedRoom;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.SenderTransaction;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.text.Counted;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What this JVM's senders have that has not ended. Counted by state when somebody looks: a tenth of
 * a microsecond for each transaction; of age only the oldest are looked at. Thread-safe; a sender
 * that tells its state stores a reference.
 */
public final class OpenTransactions {
  private static final Set<TransactionState> OPEN =
      EnumSet.complementOf(EnumSet.of(TransactionState.CONFIRMED, TransactionState.REVERTED));

  /** As the alert on the age of the oldest has it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final int MOST_NAMED = 5;

  private final Map<ContractAddress, Sender> senders = new ConcurrentHashMap<>();
  private final EndedRoom room;

  /** What all senders remember of what has ended. */
  private final LongAdder ended = new LongAdder();

  /** One sender in memory. Its state is immutable, and its actor would keep it anyway. */
  public final class Sender {
    private final AtomicReference<SenderState> state = new AtomicReference<>(SenderState.initial());

    private Sender() {}

    public void is(SenderState now) {
      ended.add(now.ended().size() - state.getAndSet(now).ended().size());
    }

    /** How many ended transactions it may remember now, besides what the others do. */
    public int endedRoom() {
      return room.of(ended.sum() - state.getAcquire().ended().size(), senders.size());
    }
  }

  /**
   * @param registry of the node; it has not these names yet
   * @param clock that transactions are accepted by
   * @param room for what the senders remember of transactions that have ended
   */
  public OpenTransactions(PrometheusRegistry registry, Supplier<Instant> clock, EndedRoom room) {
    this.room = room;
    Gauges.show(
        registry,
        "sequitur_transactions_open",
        "Private transactions of this node's callers that have not ended, of senders in this"
            + " JVM's memory, by their state.",
        "state",
        this::byState);
    Gauges.show(
        registry,
        "sequitur_transactions_oldest_seconds",
        "How long ago the oldest of them was accepted that is neither parked nor its caller's to"
            + " submit; 0 if there is none.",
        () -> oldest(clock.get()));
  }

  /** The sender of a contract has come into memory. */
  public Sender begin(ContractAddress contract) {
    var sender = new Sender();
    var before = senders.put(contract, sender);
    if (before != null) {
      before.is(SenderState.initial());
    }
    return sender;
  }

  /** It has left memory; the next one may be there already. */
  public void left(ContractAddress contract, Sender sender) {
    sender.is(SenderState.initial());
    senders.remove(contract, sender);
  }

  private double oldest(Instant now) {
    return underWay()
        .flatMap(oldestFirst -> oldestFirst.findFirst().stream())
        .map(one -> one.age(now))
        .max(Comparator.naturalOrder())
        .map(age -> age.toMillis() / 1_000.0)
        .orElse(0.0);
  }

  /** Of each sender, the oldest first. */
  private Stream<Stream<SenderTransaction>> underWay() {
    return senders.values().stream().map(sender -> sender.state.getAcquire().live().oldest());
  }

  /**
   * What has not ended for long, for which nodes it waits: a sentence for the operator. It names no
   * transaction, since everybody who reaches the node may read it.
   */
  public Optional<String> stuck(Instant now) {
    long number = 0;
    var since = now;
    var nodes = new TreeSet<NodeName>();
    var stuck =
        underWay()
            .flatMap(oldestFirst -> oldestFirst.takeWhile(one -> one.age(now).compareTo(LONG) > 0))
            .toList();
    for (var one : stuck) {
      number++;
      since = one.accepted().isBefore(since) ? one.accepted() : since;
      nodes.addAll(one.awaitedNodes());
    }
    if (number == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "%s accepted more than %d minutes ago %s not ended, the oldest since %s%s. `sequitur transactions --stuck-for %dm` says for whom each waits."
            .formatted(
                Counted.of(number, "transaction"),
                LONG.toMinutes(),
                number == 1 ? "has" : "have",
                since.truncatedTo(ChronoUnit.SECONDS),
                nodes.isEmpty() ? "" : "; it is up to " + named(nodes),
                LONG.toMinutes()));
  }

  private static String named(Collection<NodeName> nodes) {
    var some = nodes.stream().limit(MOST_NAMED).map(NodeName::value).collect(joining(", "));
    return nodes.size() <= MOST_NAMED
        ? some
        : some + " and " + (nodes.size() - MOST_NAMED) + " more";
  }

  private Map<TransactionState, Double> byState() {
    var numbers = new EnumMap<TransactionState, Double>(TransactionState.class);
    OPEN.forEach(state -> numbers.put(state, 0.0));
    for (var sender : senders.values()) {
      sender
          .state
          .getAcquire()
          .transactions()
          .values()
          .forEach(one -> numbers.merge(one.state(), 1.0, Double::sum));
    }
    return numbers;
  }
}
