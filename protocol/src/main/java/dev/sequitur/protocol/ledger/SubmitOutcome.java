package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.TransactionHash;

/** What the pool said to one submitted transaction. */
public sealed interface SubmitOutcome {
  TransactionHash hash();

  /** It is in the pool or in a block, now or already. */
  record Pooled(TransactionHash hash) implements SubmitOutcome {}

  /** The signer's nonce is used by another transaction in a block. */
  record NonceTooLow(TransactionHash hash, long expected) implements SubmitOutcome {}

  /**
   * It pays too little to be taken now, or in place of another one of its nonce in the pool.
   *
   * @param needed at least, of both
   */
  record Underpriced(TransactionHash hash, Fees needed) implements SubmitOutcome {}

  /** Its signer has not the money for all the gas that it may use: the same again later. */
  record InsufficientFunds(TransactionHash hash) implements SubmitOutcome {}

  /** The pool is full, or a committee has changed while it was signed: signed again later. */
  record PoolFull(TransactionHash hash) implements SubmitOutcome {}

  /** It can never be taken: malformed or wrongly signed. */
  record Invalid(TransactionHash hash, String reason) implements SubmitOutcome {}
}
