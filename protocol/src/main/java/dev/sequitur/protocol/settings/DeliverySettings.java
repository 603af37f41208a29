package dev.sequitur.protocol.settings;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;

/**
 * @param resend between resends of a command or request
 * @param resendNotification between resends of a reliable notification
 * @param notificationSends after so many sends a coordinator that coordinates nothing gives up a
 *     notification
 * @param delegationTimeout without an answer for this long, a coordinator is unavailable
 * @param assembleTimeout without an answer for this long, a sender's transactions are abandoned
 * @param endorsementTimeout without an answer for this long, an assembly is given up
 * @param confirmationTimeout without an answer for this long, a dispatch is given up
 */
public record DeliverySettings(
    Backoff resend,
    Backoff resendNotification,
    int notificationSends,
    Duration delegationTimeout,
    Duration assembleTimeout,
    Duration endorsementTimeout,
    Duration confirmationTimeout) {
  public static final DeliverySettings DEFAULT =
      new DeliverySettings(
          new Backoff(Duration.ofMillis(800), Duration.ofSeconds(5)),
          new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10)),
          20,
          Duration.ofMillis(2_500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(10));
}
