package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.TransactionHash;

/** What the pool said to one submitted transaction. */
public sealed interface SubmitOutcome {
  TransactionHash hash();

  /** It is in the pool or in a block, now or already. */
  record Pooled(TransactionHash hash) implements SubmitOutcome {}

  /** The signer's nonce is used by another transaction in a block. */
  record NonceTooLow(TransactionHash hash, long expected) implements SubmitOutcome {}

  /** Another transaction of this nonce is in the pool at the same gas price or a higher one. */
  record Underpriced(TransactionHash hash, long gasPriceNeeded) implements SubmitOutcome {}

  /** The pool is full: the same again later. */
  record PoolFull(TransactionHash hash) implements SubmitOutcome {}

  /** It can never be taken: malformed or wrongly signed. */
  record Invalid(TransactionHash hash, String reason) implements SubmitOutcome {}
}
