package dev.sequitur.sequencer.trace;

/**
 * How much a {@link TraceRing} keeps.
 *
 * @param messages in the ring; a message takes about 300 bytes
 * @param messagesPerSecond when more pass, a smaller share of transactions is traced
 * @param contracts with heartbeats, those heard of last
 * @param heartbeatsPerContract the newest
 * @param transactionsPerHeartbeat further ids of a heartbeat are left out
 */
public record TraceLimits(
    int messages,
    int messagesPerSecond,
    int contracts,
    int heartbeatsPerContract,
    int transactionsPerHeartbeat) {

  /** About 30 MB when full. */
  public static final TraceLimits DEFAULT = new TraceLimits(100_000, 10_000, 256, 32, 64);

  public TraceLimits {
    if (messages < 1
        || messagesPerSecond < 1
        || contracts < 1
        || heartbeatsPerContract < 1
        || transactionsPerHeartbeat < 1) {
      throw new IllegalArgumentException("Each limit of a trace is at least 1.");
    }
  }
}
