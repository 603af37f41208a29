package dev.sequitur.schedule.call;

import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.attempt.Attempts.Effect;
import dev.sequitur.schedule.attempt.Attempts.Input;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.QueueInput;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What a queue's attempts have done by the sequencer. Thread-safe. */
public final class AttemptErrands {
  private static final Ended TAKEN = new Ended(true, "");

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

    /**
     * Brings a payment to another partition: done when it is taken there, durably. Any failure
     * leaves open whether it was; to bring it again is safe.
     */
    default CompletionStage<Void> carry(Crossing crossing) {
      throw new IllegalStateException("A queue of one has nothing to carry: " + crossing);
    }
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
      case Effect.Submit submit -> submit(submit);
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

  private void submit(Effect.Submit submit) {
    var key = submit.key();
    switch (submit.call()) {
      case Crossing crossing ->
          edge.carry(crossing)
              .whenComplete(
                  (taken, failure) ->
                      edge.answer(
                          failure == null
                              ? new Input.Seen(key, Optional.of(TAKEN))
                              : new Input.Failed(key)));
      case Target.Call call ->
          calls
              .submit(submit.idempotencyKey(), call)
              .whenComplete(
                  (id, failure) ->
                      edge.answer(
                          failure == null ? new Input.Submitted(key, id) : failed(key, failure)));
    }
  }

  private static Input failed(OccurrenceKey key, Throwable failure) {
    var cause = Answers.cause(failure);
    return cause instanceof RefusedIntent refused
        ? new Input.Refused(key, refused.getMessage())
        : new Input.Failed(key);
  }
}
