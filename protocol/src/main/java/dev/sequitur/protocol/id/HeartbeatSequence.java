package dev.sequitur.protocol.id;

/**
 * Orders the heartbeats and acceptances of one coordinator (AVL-5). Compared only with others of
 * the same node, never between nodes.
 *
 * @param incarnation grows with each start of the coordinator
 * @param number grows with each heartbeat
 */
public record HeartbeatSequence(long incarnation, long number)
    implements Comparable<HeartbeatSequence> {

  public HeartbeatSequence next() {
    return new HeartbeatSequence(incarnation, number + 1);
  }

  @Override
  public int compareTo(HeartbeatSequence other) {
    int order = Long.compare(incarnation, other.incarnation);
    return order == 0 ? Long.compare(number, other.number) : order;
  }

  @Override
  public String toString() {
    return incarnation + "-" + number;
  }
}
