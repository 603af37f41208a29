package dev.sequitur.protocol.settings;

import java.time.Duration;

/**
 * @param coordinatorInterval between two heartbeats of a coordinator
 * @param coordinatorFailureThreshold without a heartbeat for this long, a sender asks the
 *     coordinator again by delegating; also how long a sign of life counts as evidence (AVL-2)
 * @param submitterInterval between two heartbeats of a submitter
 * @param submitterFailureThreshold without a heartbeat naming it for this long, a dispatched
 *     transaction is delegated again (SUB-6)
 * @param maxHoldOff how long dispatched transactions of an earlier range may hold back a contract
 *     (SWO-3)
 * @param presumedUnavailable how long a node counts as unavailable after a handshake timed out, if
 *     it gives no sign of life
 * @param startupAgain the least time between two startup notifications for one contract
 */
public record HeartbeatSettings(
    Duration coordinatorInterval,
    Duration coordinatorFailureThreshold,
    Duration submitterInterval,
    Duration submitterFailureThreshold,
    Duration maxHoldOff,
    Duration presumedUnavailable,
    Duration startupAgain) {
  public static final HeartbeatSettings DEFAULT =
      new HeartbeatSettings(
          Duration.ofMillis(500),
          Duration.ofMillis(2_500),
          Duration.ofMillis(500),
          Duration.ofSeconds(8),
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5));

  public HeartbeatSettings {
    if (coordinatorFailureThreshold.compareTo(coordinatorInterval.multipliedBy(2)) < 0
        || submitterFailureThreshold.compareTo(submitterInterval.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "A failure threshold is at least two heartbeat intervals, so that one lost heartbeat"
              + " changes nothing.");
    }
  }
}
