package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;

/**
 * Coordinator or submitter has given up on a transaction; the sender decides. Reliable notification
 * (SUB-5).
 *
 * @param transactionHash the base-ledger transaction that reverted, if it got there
 * @param reason for people; holds no private data. Cut after 1,000 characters: it stands in
 *     receipts, and in the history of each try
 * @param retryable whether trying again can help (SUB-5)
 */
public record TransactionReverted(
    RequestId notificationId,
    TransactionId transaction,
    ContractAddress contract,
    Optional<TransactionHash> transactionHash,
    String reason,
    boolean retryable)
    implements Message.ForSender {
  private static final int MOST_WORDS = 1_000;

  public TransactionReverted {
    reason = SubmitterHeartbeatNotification.cut(reason, MOST_WORDS);
  }

  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
