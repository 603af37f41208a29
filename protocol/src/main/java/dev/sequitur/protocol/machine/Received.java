package dev.sequitur.protocol.machine;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Message;

/**
 * A message as a machine is given it: its sender is authenticated and a member of the committee.
 *
 * @param id what a reply correlates to
 */
public record Received<M extends Message>(NodeName from, MessageId id, M message) {
  /** The same with {@code other} in the message's place, which is often itself by its own type. */
  public <N extends Message> Received<N> with(N other) {
    return new Received<>(from, id, other);
  }
}
