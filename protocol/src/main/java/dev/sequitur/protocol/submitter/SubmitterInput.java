package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What a submitter answers to. */
public sealed interface SubmitterInput {
  /** The actor has recovered. */
  record Started(long incarnation) implements SubmitterInput {}

  /**
   * The ledger's word on the key's next nonce.
   *
   * @param next that no block has used
   * @param pending that the pool has not either, without a gap; {@code next} if the ledger does not
   *     count what is in its pool
   */
  record NonceKnown(long next, long pending) implements SubmitterInput {
    /** With nothing in the pool. */
    public NonceKnown(long next) {
      this(next, next);
    }
  }

  /**
   * The ledger was reorganised below what counted as final, and was read again: it has used no
   * nonce of this key from there on (CNF-12).
   */
  record NonceFell(long next) implements SubmitterInput {}

  /** What the ledger's newest block has charged for a unit of gas; 0 if nothing is known of it. */
  record BaseFeeKnown(long fee) implements SubmitterInput {}

  /**
   * The ledger's word on what the key has in the newest block.
   *
   * @param next the nonces below it are used in that block or an earlier one
   */
  record BalanceKnown(BigInteger balance, long next) implements SubmitterInput {}

  /**
   * The ledger's word on what became of what it has pooled.
   *
   * @param used those below are in blocks, which may not be final yet; 0 if the first of them is
   *     not, so that another transaction has its nonce
   * @param lost the first nonce whose transaction is not in the pool either; empty if none is lost
   * @param asked when it was asked: it does not know of what was pooled later
   */
  record PoolKnown(long used, OptionalLong lost, Instant asked) implements SubmitterInput {}

  /**
   * All receipts of the key up to a final block were told, and that block has used its nonces below
   * this one.
   */
  record UsedKnown(long next) implements SubmitterInput {}

  /** From a coordinator of this node, in order. */
  record DispatchReceived(List<Dispatch> dispatches) implements SubmitterInput {}

  /** The state store has stored what these make, and owes it to those on the lists. */
  record OutputsStored(List<IntentKey> transactions) implements SubmitterInput {
    public OutputsStored {
      transactions = List.copyOf(transactions);
    }

    /** What {@code dispatches} make is stored. */
    public static OutputsStored by(List<Dispatch> dispatches) {
      return new OutputsStored(
          dispatches.stream().map(dispatch -> dispatch.prepared().intent()).toList());
    }
  }

  /** What the ledger's pool said, by nonce. */
  record SubmitAnswered(Map<Long, SubmitOutcome> outcomes) implements SubmitterInput {}

  /** The ledger could not be reached. */
  record SubmitFailed(List<Long> nonces) implements SubmitterInput {}

  /**
   * A final block was indexed.
   *
   * @param own receipts of this signer
   */
  record BlockIndexed(BlockHeight height, List<LedgerReceipt> own) implements SubmitterInput {}

  record Acknowledged(Received<TransactionRevertedAcknowledgement> received)
      implements SubmitterInput {}

  /** The node store may have public transactions of the key that were not read. */
  record PublicsWaiting() implements SubmitterInput {}

  /** What was read of them, in order of acceptance. */
  record PublicsRead(List<Accepted> transactions) implements SubmitterInput {}

  /**
   * Its caller has another call carried out in place of it, under its nonce if it has one (PUB-8).
   *
   * @param by under the same id
   * @param fees offered at least, if it has a nonce
   */
  record PublicReplaced(PublicTransaction by, Optional<Fees> fees) implements SubmitterInput {}

  /** Its caller has it carried out no more (PUB-8). */
  record PublicCancelled(TransactionId transaction) implements SubmitterInput {}

  /** The node store could not be read. */
  record PublicsNotRead() implements SubmitterInput {}

  /** The node store keeps these receipts. */
  record ReceiptsStored(List<TransactionId> transactions) implements SubmitterInput {}

  record Tick() implements SubmitterInput {}
}
