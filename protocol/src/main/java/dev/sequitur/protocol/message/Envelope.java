package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What travels between nodes.
 *
 * @param messageId new for each send (EXC-2)
 * @param correlationId the {@code messageId} this replies to
 * @param from the node that the transport authenticated
 * @param traced of which of its transactions a trace goes on with this message; not more than the
 *     transport's ends agree to look at
 */
public record Envelope(
    ProtocolVersion protocolVersion,
    MessageId messageId,
    Optional<MessageId> correlationId,
    NodeName from,
    NodeName to,
    List<Traced> traced,
    Message payload) {
  public Envelope {
    traced = List.copyOf(traced);
  }

  /**
   * What a span of the receiver follows from, for one transaction that is sampled: the W3C trace
   * context in short.
   *
   * @param trace the trace id, not zero
   * @param span the id of the sender's span, not zero
   */
  public record Traced(TransactionId transaction, UUID trace, long span) {}

  /** The same within these traces. */
  public Envelope withTraced(List<Traced> traces) {
    return new Envelope(protocolVersion, messageId, correlationId, from, to, traces, payload);
  }

  /** The contract of the payload, if it is about one. */
  public Optional<ContractAddress> contract() {
    return payload instanceof Message.OfContract message
        ? Optional.of(message.contract())
        : Optional.empty();
  }
}
