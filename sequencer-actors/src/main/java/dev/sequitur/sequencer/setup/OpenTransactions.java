package dev.sequitur.sequencer.setup;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.SenderTransaction;
import dev.sequitur.protocol.sender.TransactionState;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What this JVM's senders have that has not ended, counted by state when somebody looks: a tenth of
 * a microsecond for each transaction. Thread-safe; a sender that tells its state stores a
 * reference.
 */
public final class OpenTransactions {
  private static final Set<TransactionState> OPEN =
      EnumSet.complementOf(EnumSet.of(TransactionState.CONFIRMED, TransactionState.REVERTED));

  private final Map<ContractAddress, Sender> senders = new ConcurrentHashMap<>();

  /** One sender in memory. Its state is immutable, and its actor would keep it anyway. */
  public static final class Sender {
    private final AtomicReference<SenderState> state = new AtomicReference<>(SenderState.initial());

    public void is(SenderState now) {
      state.setRelease(now);
    }
  }

  /**
   * @param registry of the node; it has not these names yet
   * @param clock that transactions are accepted by
   */
  public OpenTransactions(PrometheusRegistry registry, Supplier<Instant> clock) {
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
        "How long ago the oldest of them was accepted that is not parked; 0 if there is none.",
        () -> oldest(clock.get()));
  }

  /** The sender of a contract has come into memory. */
  public Sender begin(ContractAddress contract) {
    var sender = new Sender();
    senders.put(contract, sender);
    return sender;
  }

  /** It has left memory; the next one may be there already. */
  public void left(ContractAddress contract, Sender sender) {
    senders.remove(contract, sender);
  }

  private double oldest(Instant now) {
    return senders.values().stream()
        .flatMap(sender -> sender.state.getAcquire().transactions().values().stream())
        .filter(one -> one.state() != TransactionState.PARKED)
        .map(SenderTransaction::accepted)
        .min(Comparator.naturalOrder())
        .map(accepted -> Math.max(0, Duration.between(accepted, now).toMillis() / 1_000.0))
        .orElse(0.0);
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
