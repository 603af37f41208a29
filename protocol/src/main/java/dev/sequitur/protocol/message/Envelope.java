package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;

/**
 * What travels between nodes.
 *
 * @param messageId new for each send (EXC-2)
 * @param correlationId the {@code messageId} this replies to
 * @param from the node that the transport authenticated
 * @param traceParent W3C trace context, if the exchange is traced
 */
public record Envelope(
    ProtocolVersion protocolVersion,
    MessageId messageId,
    Optional<MessageId> correlationId,
    NodeName from,
    NodeName to,
    Optional<String> traceParent,
    Message payload) {

  /** The contract of the payload, if it is about one. */
  public Optional<ContractAddress> contract() {
    return payload instanceof Message.OfContract message
        ? Optional.of(message.contract())
        : Optional.empty();
  }
}
