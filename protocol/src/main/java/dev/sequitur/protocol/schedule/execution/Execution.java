package dev.sequitur.protocol.schedule.execution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.Target;
import java.util.Optional;

/**
 * An occurrence between Due and Settled.
 *
 * @param key of the present attempt; of the next one while it is due again
 * @param request what is handed over, unchanged over resends
 * @param price for each unit of gas, fixed when it was first started
 * @param startAt not before this; when it started, afterwards
 * @param privateTransaction as which the sequencer took the present attempt, once it has; one that
 *     is followed by another attempt was never taken
 */
@Copyable
public record Execution(
    OccurrenceKey key,
    ExecutionState state,
    Target request,
    long price,
    ConsensusTime startAt,
    Optional<TransactionId> privateTransaction,
    Optional<Conclusion> conclusion)
    implements ExecutionBuilder.With {

  public static Execution started(
      OccurrenceKey key, Target request, long price, ConsensusTime now) {
    return new Execution(
        key, ExecutionState.STARTED, request, price, now, Optional.empty(), Optional.empty());
  }

  /** Whether the table moves it on {@code event}. */
  public boolean answers(ExecutionEvent event) {
    return ExecutionTable.EXECUTION.moves(state, event);
  }

  public Execution submitted(TransactionId as) {
    return with().state(next(ExecutionEvent.SUBMIT)).privateTransaction(Optional.of(as)).build();
  }

  /**
   * @throws IllegalStateException if its outcome is not known, or was recorded before
   */
  public void settle() {
    next(ExecutionEvent.SETTLE);
  }

  /** Begins the attempt that was planned. */
  public Execution restarted(ConsensusTime now) {
    var started = next(ExecutionEvent.START);
    return new Execution(key, started, request, price, now, Optional.empty(), Optional.empty());
  }

  public Execution concluded(Conclusion with) {
    var state = next(ExecutionEvent.of(with));
    return with().state(state).conclusion(Optional.of(with)).build();
  }

  public Execution retrying(ConsensusTime at) {
    return with()
        .key(key.nextAttempt())
        .state(next(ExecutionEvent.RETRY))
        .startAt(at)
        .privateTransaction(Optional.empty())
        .build();
  }

  private ExecutionState next(ExecutionEvent event) {
    return ExecutionTable.EXECUTION.next(state, event, key);
  }
}
