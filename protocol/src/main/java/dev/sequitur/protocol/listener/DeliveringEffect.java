package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;

/**
 * What is to be done for a webhook.
 *
 * @param <R> a row, as it is sent
 */
public sealed interface DeliveringEffect<R> {
  /** Reads what comes behind this number. */
  record Look<R>(long after, int most) implements DeliveringEffect<R> {}

  /**
   * Sends one.
   *
   * @param attempt which, from 1
   */
  record Send<R>(long number, R row, int attempt) implements DeliveringEffect<R> {}

  /** Stores what the receiver has taken. What is held back is dead. */
  record Store<R>(Taken taken) implements DeliveringEffect<R> {}

  /** The operator is told that the receiver does not want a row, and that it is listed as dead. */
  record WarnOfDead<R>(long number, String why) implements DeliveringEffect<R> {}

  /** The operator is told why nothing is delivered now; once until something is again. */
  record WarnOfSilence<R>(String why, Duration again) implements DeliveringEffect<R> {}
}
