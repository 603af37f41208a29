package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import java.time.Instant;
import java.util.List;

/**
 * A submitter holds these dispatched transactions, not yet confirmed. Goes to the whole committee
 * (HBT-3). Fire and forget.
 *
 * @param pending every transaction of the contract that it holds
 * @param details the receiver's own transactions, in detail (HBT-3)
 */
public record SubmitterHeartbeatNotification(
    HeartbeatSequence heartbeatId,
    Instant timestamp,
    ContractAddress contract,
    List<Pending> pending,
    List<DispatchedTransaction> details)
    implements Message.Heartbeat {
  public SubmitterHeartbeatNotification {
    pending = List.copyOf(pending);
    details = List.copyOf(details);
  }

  /** A transaction and the range its coordinator dispatched it in. */
  public record Pending(TransactionId transaction, BlockRange range) {}

  /** What the submitter has done for one transaction. */
  public record DispatchedTransaction(
      TransactionId transaction, List<Submission> submissions, List<Activity> activity) {
    public DispatchedTransaction {
      submissions = List.copyOf(submissions);
      activity = List.copyOf(activity);
    }
  }

  /** One submission to the base ledger. */
  public record Submission(Instant time, TransactionHash transactionHash, Fees fees) {}

  /** One thing worth telling, for people. */
  public record Activity(Instant time, String message) {}

  @Override
  public List<TransactionId> transactions() {
    return pending.stream().map(Pending::transaction).toList();
  }
}
