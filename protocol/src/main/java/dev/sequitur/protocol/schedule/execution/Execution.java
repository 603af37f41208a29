package dev.sequitur.protocol.schedule.execution;

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
public record Execution(
    OccurrenceKey key,
    ExecutionState state,
    Target request,
    long price,
    ConsensusTime startAt,
    Optional<TransactionId> privateTransaction,
    Optional<Conclusion> conclusion) {

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
    var submitted = next(ExecutionEvent.SUBMIT);
    return new Execution(key, submitted, request, price, startAt, Optional.of(as), conclusion);
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
    var event = with instanceof Conclusion.Succeeded ? ExecutionEvent.SUCCEED : ExecutionEvent.FAIL;
    return new Execution(
        key, next(event), request, price, startAt, privateTransaction, Optional.of(with));
  }

  public Execution retrying(ConsensusTime at) {
    return new Execution(
        key.nextAttempt(),
        next(ExecutionEvent.RETRY),
        request,
        price,
        at,
        Optional.empty(),
        conclusion);
  }

  private ExecutionState next(ExecutionEvent event) {
    return ExecutionTable.EXECUTION.next(state, event, key);
  }
}
