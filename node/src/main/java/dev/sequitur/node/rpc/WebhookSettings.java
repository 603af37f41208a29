package dev.sequitur.node.rpc;

import java.time.Duration;

/**
 * How webhooks are sent.
 *
 * @param addresses to which; asked of the address that is dialled
 * @param plainHttp whether they may be sent without TLS
 * @param atOnce to one receiver
 * @param attempts how often a receiver refuses an event before it is dead
 * @param firstPause after a refusal, or while a receiver is not there; doubles
 * @param longestPause between two tries
 * @param timeout until a receiver has answered
 */
public record WebhookSettings(
    AllowedAddresses addresses,
    boolean plainHttp,
    int atOnce,
    int attempts,
    Duration firstPause,
    Duration longestPause,
    Duration timeout) {
  public static final WebhookSettings DEFAULT =
      new WebhookSettings(
          AllowedAddresses.PUBLIC,
          false,
          32,
          12,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10));

  public WebhookSettings {
    if (longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException("longest-pause is no shorter than first-pause.");
    }
  }
}
