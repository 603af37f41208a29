package dev.sequitur.protocol.machine;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Message;
import java.util.Optional;

/**
 * A message to be sent; whoever sends it gives it a message id.
 *
 * @param inReplyTo the message id of what it answers
 */
public record Outgoing(NodeName to, Message message, Optional<MessageId> inReplyTo) {
  public static Outgoing of(NodeName to, Message message) {
    return new Outgoing(to, message, Optional.empty());
  }
}
