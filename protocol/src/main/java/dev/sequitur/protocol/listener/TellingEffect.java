package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done for a subscription.
 *
 * @param <R> a row, as it is pushed
 */
public sealed interface TellingEffect<R> {
  /**
   * Reads what comes next, if the listener is there still and is not stopped.
   *
   * @param soFar what is gathered and not stored; empty to begin where the listener stands
   * @param most rows
   */
  record Look<R>(Optional<Taken> soFar, int most) implements TellingEffect<R> {}

  /**
   * Sends a batch.
   *
   * @param number of the batches of this subscription, from 1
   */
  record Deliver<R>(long number, List<R> rows) implements TellingEffect<R> {
    public Deliver {
      rows = List.copyOf(rows);
    }
  }

  /** Stores what the listener has taken, if it is there still. */
  record Store<R>(Taken taken) implements TellingEffect<R> {}

  /**
   * Offers the turn to the others that share the listener. Answered at once.
   *
   * @param late whether it owes an answer to a batch, and gets no other before
   */
  record Offer<R>(boolean late) implements TellingEffect<R> {}

  /** The answer has come which it owed. */
  record AnsweredLate<R>() implements TellingEffect<R> {}

  /** The operator is told why the listener is told nothing. */
  record Warn<R>(Throwable cause, Duration again) implements TellingEffect<R> {}

  /** The caller is told that the listener is gone. Nothing follows. */
  record TellGone<R>() implements TellingEffect<R> {}
}
