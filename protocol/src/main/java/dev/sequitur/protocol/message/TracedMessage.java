package dev.sequitur.protocol.message;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message as a process has seen it pass; holds no private data.
 *
 * @param number orders what one process has seen, sent and received alike
 * @param time by the clock of that process
 * @param fromRole sender, coordinator, endorser, submitter or store
 * @param type the message's name in the specification
 * @param detail a few words: a reason, a height; never content
 */
@Copyable
public record TracedMessage(
    Sight sight,
    long number,
    Instant time,
    MessageId messageId,
    Optional<MessageId> correlationId,
    NodeName from,
    String fromRole,
    NodeName to,
    String toRole,
    Optional<ContractAddress> contract,
    String type,
    List<TransactionId> transactions,
    String detail)
    implements TracedMessageBuilder.With {
  /** Where the process stood when it saw the message. */
  public enum Sight {
    /** A node of the process sent it. It may never have arrived. */
    SENT,
    /** It came from another process. */
    RECEIVED
  }

  public TracedMessage {
    transactions = List.copyOf(transactions);
  }

  /** Another list of transactions, and other roles, for the same message. */
  public TracedMessage with(
      List<TransactionId> newTransactions, String newFromRole, String newToRole) {
    return with().transactions(newTransactions).fromRole(newFromRole).toRole(newToRole).build();
  }
}
