package dev.sequitur.sequencer.transport.tls;

import java.time.Duration;

/**
 * The times of a {@link TlsTransport}.
 *
 * @param handshake in which a connection must be set up, hello included
 * @param ping how often the dialling side asks whether the other is there
 * @param silence after which a connection without an answer is given up
 * @param firstRetry the longest wait after a first failure; it doubles with each
 * @param lastRetry the longest wait of all
 */
public record TlsTimes(
    Duration handshake, Duration ping, Duration silence, Duration firstRetry, Duration lastRetry) {
  public static final TlsTimes DEFAULT =
      new TlsTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMillis(100),
          Duration.ofSeconds(10));

  public TlsTimes {
    if (silence.compareTo(ping.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "A connection is given up after two pings at the earliest: make silence "
              + ping.multipliedBy(2)
              + " or longer.");
    }
    if (lastRetry.compareTo(firstRetry) < 0 || firstRetry.isNegative() || firstRetry.isZero()) {
      throw new IllegalArgumentException("Waits between retries are positive and grow.");
    }
  }
}
