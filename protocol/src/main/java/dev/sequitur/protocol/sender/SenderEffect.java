package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a sender asks its actor to do, besides sending messages. */
public sealed interface SenderEffect {
  /** What may be done while the rest goes on; all others are stored before a block is done. */
  sealed interface Errand extends SenderEffect {}

  /**
   * Read some of the contract's intents without a receipt, and which are prepared, from the node
   * store.
   *
   * @param after their order of acceptance is above it
   */
  record LoadPending(long after) implements Errand {}

  /** Let the domain assemble and sign these upon these locks, one after another. */
  record Assemble(
      RequestId request,
      MessageId inReplyTo,
      BlockHeight blockHeight,
      StateLocks locks,
      List<PrivateTransaction> transactions)
      implements Errand {}

  /** Store receipts: the callers may see how their intents ended. */
  record Complete(List<Receipt> receipts) implements SenderEffect {}

  /**
   * Confirmations of which this sender does not know all, any more or at all, in the ledger's
   * order: store those that it knows, those of this node's intents that had ended as reverted
   * (CNF-2), and those of others, who are told by it (CNF-9).
   *
   * @param known those that it knows
   */
  record Confirm(Map<IntentKey, Receipt> confirmations, Set<IntentKey> known)
      implements SenderEffect {
    public Confirm {
      known = Set.copyOf(known);
    }

    /** Of those that it knows. */
    public List<Receipt> ofKnown() {
      return confirmations.entrySet().stream()
          .filter(each -> known.contains(each.getKey()))
          .map(Map.Entry::getValue)
          .toList();
    }
  }

  /**
   * Give its outputs to this node's state store for distribution, then store it; answered by
   * PreparedStored when both are durable.
   */
  record StorePrepared(Received<PreparedTransactionDistribution> received) implements Errand {}

  /** Look once whether this has a receipt; answered by DependencyEnded if it has one. */
  record LookUpReceipt(TransactionId dependency) implements Errand {}

  /**
   * Look on the base ledger for what fulfilled these: nobody holds them any more, so that one of
   * them may have been confirmed unnoticed (SUB-6, SUB-4).
   */
  record SeekConfirmation(List<IntentKey> intents) implements Errand {}

  record Count(Counted what) implements Errand {}

  /** A step of this transaction is done and took so long. */
  record Took(TransactionId transaction, TransactionStep step, Duration time) implements Errand {}

  /** It is confirmed, so long after it was accepted. */
  record Fulfilled(TransactionId transaction, Duration time) implements Errand {}

  /** What is counted. */
  enum Counted {
    /** The contract's transactions went to another coordinator. */
    SWITCHOVER,
    /** A transaction that was assembled before was assembled again. */
    REASSEMBLY,
    DELEGATION_TIMEOUT,
    /** A node that answers does not act, so that the next of the ranking is asked. */
    PASSED_OVER,
    /** A coordinator rejects for the sake of another, and its word does not hold. */
    UNFOUNDED_REJECTION,
    /** A coordinator that had accepted a transaction was not heard of for too long. */
    COORDINATOR_SILENT,
    /** A heartbeat does not name what its coordinator had accepted. */
    COORDINATOR_FORGOT,
    SUBMITTER_LOST,
    /** A node claims to hold a transaction that was never delegated to it. */
    STRANGE_SUBMITTER,
    DISPATCH_DENIED,
    HOLD_OFF
  }
}
