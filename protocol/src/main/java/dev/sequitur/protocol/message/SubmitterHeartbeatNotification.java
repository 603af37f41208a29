package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A submitter holds these dispatched transactions, not yet confirmed. Goes to the whole committee
 * (HBT-3). Fire and forget.
 *
 * @param pending every transaction of the contract that it holds
 * @param details the receiver's own transactions, in detail (HBT-3)
 * @param cannotSubmit present if nothing that it holds gets to the base ledger (SUB-11)
 * @param settledIn the newest block by which it holds something no more; empty if there is none in
 *     this life: who assembles upon what it held has to have read that block (SWO-3)
 */
public record SubmitterHeartbeatNotification(
    HeartbeatSequence heartbeatId,
    Instant timestamp,
    ContractAddress contract,
    List<Pending> pending,
    List<DispatchedTransaction> details,
    Optional<CannotSubmit> cannotSubmit,
    Optional<BlockHeight> settledIn)
    implements Message.Heartbeat {
  public SubmitterHeartbeatNotification {
    pending = List.copyOf(pending);
    details = List.copyOf(details);
  }

  /** Of a submitter that is well, and has settled nothing yet. */
  public SubmitterHeartbeatNotification(
      HeartbeatSequence heartbeatId,
      Instant timestamp,
      ContractAddress contract,
      List<Pending> pending,
      List<DispatchedTransaction> details) {
    this(heartbeatId, timestamp, contract, pending, details, Optional.empty(), Optional.empty());
  }

  /**
   * A submitter that cannot submit.
   *
   * @param since by its clock, for people
   * @param why for people; cut after {@link #MOST_WORDS} characters, since it is told with each
   *     transaction
   */
  public record CannotSubmit(Instant since, String why) {
    public CannotSubmit {
      why = cut(why);
    }
  }

  /** Characters of what a member says of itself or others, for people. */
  static final int MOST_WORDS = 200;

  static String cut(String words) {
    return cut(words, MOST_WORDS);
  }

  static String cut(String words, int most) {
    return words.codePointCount(0, words.length()) > most
        ? words.substring(0, words.offsetByCodePoints(0, most))
        : words;
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
