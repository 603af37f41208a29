package dev.sequitur.schedule.execution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.execution.ExecutionTable.ExecutionEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An occurrence between Due and Settled.
 *
 * @param key of the present attempt; of the next one while it is due again
 * @param request what is handed over, unchanged over resends
 * @param price for each unit of gas, fixed when it was first started
 * @param startAt not before this; when it started, afterwards
 * @param transaction as which the sequencer took the present attempt, once it has; one that is
 *     followed by another attempt was never taken
 * @param failed the attempts before this one, oldest first
 */
@Copyable
public record Execution(
    OccurrenceKey key,
    ExecutionState state,
    Target request,
    long price,
    ConsensusTime startAt,
    Optional<TransactionId> transaction,
    Optional<Conclusion> conclusion,
    List<Attempted> failed)
    implements ExecutionBuilder.With {
  public Execution {
    failed = List.copyOf(failed);
  }

  public static Execution started(
      OccurrenceKey key, Target request, long price, ConsensusTime now) {
    return new Execution(
        key,
        ExecutionState.STARTED,
        request,
        price,
        now,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  /** Empty if that says nothing new. */
  public Optional<Execution> submitted(TransactionId as) {
    return on(ExecutionEvent.SUBMIT).map(moved -> moved.withTransaction(Optional.of(as)));
  }

  /**
   * @throws IllegalStateException if its outcome is not known, or was recorded before
   */
  public void settle() {
    moved(ExecutionEvent.SETTLE);
  }

  /** Begins the attempt that was planned. */
  public Execution restarted(ConsensusTime now) {
    return moved(ExecutionEvent.START)
        .with()
        .startAt(now)
        .transaction(Optional.empty())
        .conclusion(Optional.empty())
        .build();
  }

  /** Empty if that says nothing new. */
  public Optional<Execution> concluded(Conclusion with) {
    return on(ExecutionEvent.of(with)).map(moved -> moved.withConclusion(Optional.of(with)));
  }

  public Execution retrying(ConsensusTime at) {
    return moved(ExecutionEvent.RETRY)
        .with()
        .key(key.nextAttempt())
        .startAt(at)
        .transaction(Optional.empty())
        .failed(attempts())
        .build();
  }

  /** All so far that have ended, oldest first, one for each attempt that was made. */
  public List<Attempted> attempts() {
    return state == ExecutionState.DUE || conclusion.isEmpty()
        ? failed
        : Stream.concat(failed.stream(), Stream.of(new Attempted(startAt, conclusion.get().note())))
            .toList();
  }

  /** By an event that the table ignores nowhere. */
  private Execution moved(ExecutionEvent event) {
    return on(event).orElseThrow();
  }

  private Optional<Execution> on(ExecutionEvent event) {
    return ExecutionTable.EXECUTION.move(state, event, key, (next, nothing) -> withState(next));
  }
}
