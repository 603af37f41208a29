package dev.sequitur.schedule.call;

import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.attempt.Attempts.Effect;
import dev.sequitur.schedule.attempt.Attempts.Input;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.QueueInput;
import java.time.Duration;
import java.util.List;

/** What a queue's attempts have done by the sequencer. Thread-safe. */
public final class AttemptErrands {
  private final ScheduledCalls calls;
  private final Edge edge;

  /** Reaches the attempts and their queue, which live and die together. */
  public interface Edge {
    /** The attempts themselves; from any thread, and lost with their life. */
    void answer(Input input);

    /** The queue; in the order in which it is said. */
    void tellQueue(QueueInput input);

    /** Tick after so long; replaces what was asked before. */
    void wakeIn(Duration time);
  }

  public AttemptErrands(ScheduledCalls calls, Edge edge) {
    this.calls = calls;
    this.edge = edge;
  }

  public void run(List<Effect> effects) {
    effects.forEach(this::run);
  }

  private void run(Effect effect) {
    switch (effect) {
      case Effect.Submit(var key, var idempotencyKey, var call) ->
          calls
              .submit(idempotencyKey, call)
              .whenComplete(
                  (id, failure) ->
                      edge.answer(
                          failure == null ? new Input.Submitted(key, id) : failed(key, failure)));
      case Effect.Look(var key, var transaction) ->
          calls
              .ended(transaction)
              .whenComplete(
                  (ended, failure) ->
                      edge.answer(
                          failure == null ? new Input.Seen(key, ended) : new Input.Failed(key)));
      case Effect.WakeIn(var time) -> edge.wakeIn(time);
      case Effect.Tell(var input) -> edge.tellQueue(input);
    }
  }

  private static Input failed(OccurrenceKey key, Throwable failure) {
    var cause = Answers.cause(failure);
    return cause instanceof RefusedIntent refused
        ? new Input.Refused(key, refused.getMessage())
        : new Input.Failed(key);
  }
}
