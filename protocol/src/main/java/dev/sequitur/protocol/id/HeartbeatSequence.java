package dev.sequitur.protocol.id;

/**
 * Orders the heartbeats and acceptances of one coordinator (AVL-5). Compared only with others of
 * the same node, never between nodes.
 *
 * @param incarnation another one with each start of the coordinator; a start after its clock was
 *     set back may have a smaller one than those before
 * @param number grows with each heartbeat
 */
public record HeartbeatSequence(long incarnation, long number) {

  public HeartbeatSequence next() {
    return new HeartbeatSequence(incarnation, number + 1);
  }

  /**
   * Whether a heartbeat with this tells of what was accepted with {@code acceptance}: it is a later
   * one, or that of another start, which knows nothing of what this one has accepted.
   */
  public boolean tellsOf(HeartbeatSequence acceptance) {
    return incarnation != acceptance.incarnation || number > acceptance.number;
  }

  @Override
  public String toString() {
    return incarnation + "-" + number;
  }
}
