package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What a submitter asks its actor to do, besides sending messages. */
public sealed interface SubmitterEffect {
  /** Ask the ledger for the key's next nonce. */
  record QueryNonce() implements SubmitterEffect {}

  /**
   * Ask the ledger which of the key's nonces are used and which are lost; answered by PoolKnown, or
   * not at all.
   *
   * @param pooled what the pool has taken, by nonce: the newest submission last
   */
  record QueryPool(Instant asked, SortedMap<Long, List<TransactionHash>> pooled)
      implements SubmitterEffect {}

  /**
   * Ask the ledger which nonces of the key the last block has used whose receipts were all told;
   * answered by UsedKnown, or not at all.
   *
   * @param nonce the highest that the pool says is used
   */
  record QueryUsed(long nonce) implements SubmitterEffect {}

  /** Ask the ledger what the key has now; answered by BalanceKnown, or not at all. */
  record QueryBalance() implements SubmitterEffect {}

  /** Sign and submit, in this order; answered by SubmitAnswered or SubmitFailed. */
  record Submit(List<Item> items) implements SubmitterEffect {}

  record Item(long nonce, Fees fees, long gasLimit, LedgerTransaction.Call call) {}

  /**
   * Read public transactions of the key in the node store; answered by PublicsRead or
   * PublicsNotRead.
   *
   * @param after their order of acceptance is above it
   */
  record ReadPublics(long after, int limit) implements SubmitterEffect {}

  /** Have the node store keep them; may come again, and is answered by ReceiptsStored. */
  record StoreReceipts(List<Receipt> receipts) implements SubmitterEffect {}

  /** Tell this node's coordinators that these are committed. */
  record TellCommitted(Map<ContractAddress, List<IntentKey>> transactions)
      implements SubmitterEffect {}

  /** Tell this node's coordinators that these are fulfilled by the block at {@code height}. */
  record TellSettled(BlockHeight height, Map<ContractAddress, List<IntentKey>> transactions)
      implements SubmitterEffect {}

  /** Tell this node's coordinator that this will not be fulfilled by its dispatch. */
  record TellReverted(ContractAddress contract, IntentKey transaction) implements SubmitterEffect {}

  /**
   * Tell this node's coordinator whether anything gets to the base ledger (SUB-11).
   *
   * @param why it does not, for people; empty if it does again
   */
  record TellSubmitting(ContractAddress contract, Optional<String> why)
      implements SubmitterEffect {}

  /**
   * Hand the outputs to this node's state store for distribution; idempotent, and answered by
   * OutputsStored.
   */
  record Distribute(List<Dispatch> dispatches) implements SubmitterEffect {}

  record Count(Counted what) implements SubmitterEffect {}

  /** The pool has taken this for the first time, so long after its dispatch came. */
  record Took(TransactionId transaction, Duration time) implements SubmitterEffect {}

  /** So much was paid for gas. */
  record CountPaid(GasPaid paid) implements SubmitterEffect {}

  /**
   * Tell whoever sees to the key's money.
   *
   * @param needs for the gas of what is submitted, at most
   * @param sends what goes along with it
   * @param waits whether the ledger has refused some of it for want of money
   * @param lacks whether something waits for what it is to send along, and is in neither (PUB-7)
   * @param above what waits since the pool asks for more than the node ever pays
   */
  record UseGas(
      BigInteger needs, BigInteger sends, boolean waits, boolean lacks, AboveCeiling above)
      implements SubmitterEffect {}

  /** What is counted. */
  enum Counted {
    /** Once for each base-ledger transaction of a life in memory. */
    SUBMITTED,
    LEDGER_REVERT,
    RESUBMITTED,
    LOST_BY_POOL,
    ABANDONED,
    WAITS_FOR_GAS_MONEY,
    LEDGER_FELL_BACK
  }
}
