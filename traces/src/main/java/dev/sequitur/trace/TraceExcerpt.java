package dev.sequitur.trace;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a process shows others of the exchange about a transaction.
 *
 * <p>Who is told of new states is known to the sender, which chose them, to the submitter and to
 * whom it told; other members must not learn it of a trace. So the messages that carry states are
 * shown only to those who sent or received them, and to the node that delegated the transaction
 * first.
 */
public final class TraceExcerpt {
  private static final Set<String> CARRIES_STATES =
      Set.of(
          "StateDistribution",
          "StateDistributionAcknowledgement",
          "PreparedTransactionDistribution",
          "PreparedTransactionAcknowledgement");

  private final TraceRing ring;

  public TraceExcerpt(TraceRing ring) {
    this.ring = ring;
  }

  /**
   * All that this process has seen, for its own people. Reads the whole ring, some milliseconds.
   */
  public TracePart own(TransactionId transaction, int processes) {
    return part(ring.trace(transaction), transaction, processes);
  }

  /** What another member of the committee may see. As slow as {@link #own}. */
  public TracePart forMember(
      NodeName asker, ContractAddress contract, TransactionId transaction, int processes) {
    var messages =
        ring.trace(transaction).stream()
            .filter(message -> message.contract().filter(contract::equals).isPresent())
            .toList();
    boolean isSender = sender(messages).filter(asker::equals).isPresent();
    return part(
        messages.stream().filter(message -> isSender || mayShow(asker, message)).toList(),
        transaction,
        processes);
  }

  private static boolean mayShow(NodeName asker, TracedMessage message) {
    return !CARRIES_STATES.contains(message.type())
        || message.from().equals(asker)
        || message.to().equals(asker);
  }

  private static Optional<NodeName> sender(List<TracedMessage> messages) {
    return messages.stream()
        .filter(message -> message.type().equals("DelegationCommand"))
        .min(Comparator.comparingLong(TracedMessage::number))
        .map(TracedMessage::from);
  }

  private TracePart part(List<TracedMessage> messages, TransactionId transaction, int processes) {
    var only = List.of(transaction);
    var shown =
        messages.stream()
            .limit(TracePart.MOST_MESSAGES)
            .map(message -> message.with(only, message.fromRole(), message.toRole()))
            .toList();
    return new TracePart(ring.process(), processes, shown, messages.size() - shown.size());
  }
}
