package dev.sequitur.protocol.messaging;

import dev.sequitur.protocol.id.NodeName;

/**
 * What a message book must not forget and what does not follow from the messages that are kept
 * (MSG-1).
 */
public sealed interface MessageBookEvent {
  /**
   * How far a receiver is: it has acknowledged more, or lacks what it had acknowledged.
   *
   * @param upTo the number up to which it has all messages of this node
   */
  record Acknowledged(NodeName by, long upTo) implements MessageBookEvent {}

  /**
   * A node has come into the group, for the first time or again (MSG-10).
   *
   * @param change the number of the change with which it came
   * @param after messages of this node up to this number are not for it
   */
  record Welcomed(NodeName node, int change, long after) implements MessageBookEvent {}
}
