package dev.sequitur.protocol.settings;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;

/**
 * @param redelegation wait before the same coordinator is asked again after a rejection
 * @param attempt wait before a failed transaction is tried again, or one that conflicts with
 *     another time and again; and before the receipt of what another depends on is looked up again
 * @param maxAttempts failed tries after which the sender ends a transaction as reverted, unless its
 *     caller asks for fewer; that endorsers have refused it counts as {@code maxRefusals} of them
 * @param parkedFor after this a parked transaction resumes by itself (SND-5)
 * @param refusal wait before a refused assembly is made anew: of the coordinator, and longer, of
 *     the sender once it is told
 * @param maxRefusals refusals by endorsers after which the sender is told (EDR-5)
 */
public record RetrySettings(
    Backoff redelegation,
    Backoff attempt,
    int maxAttempts,
    Duration parkedFor,
    Backoff refusal,
    int maxRefusals) {
  public static final RetrySettings DEFAULT =
      new RetrySettings(
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)),
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10)),
          20,
          Duration.ofMinutes(5),
          new Backoff(Duration.ofMillis(500), Duration.ofSeconds(60)),
          3);
}
