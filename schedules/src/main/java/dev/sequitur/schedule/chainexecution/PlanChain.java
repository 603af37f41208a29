package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.ScheduleId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A plan contract on a chain, and the account of its provider there. Thread-safe; blocks nobody.
 * Every future may fail when the chain cannot be reached; the same call may then be made again.
 */
public interface PlanChain {
  ServedContract contract();

  /** One view of the chain. */
  CompletionStage<ChainLook> look(ChainLook.Look look);

  /**
   * The hash of the transaction that executes it. Asks nobody; the same parameters give the same
   * transaction.
   */
  Hash hash(long nonce, ScheduleId execution, long gasLimit, Fees fees);

  /** Puts the newest offer of each into the pool, in their order; one outcome for each. */
  CompletionStage<List<Sent>> send(List<ProviderDispatch> dispatches);

  /** What the chain's node said of a transaction. */
  record Sent(long nonce, Pooling pooling, String words) {}

  /** How a transaction was taken. */
  enum Pooling {
    /** It is in the pool, or in a block. */
    POOLED,
    /** Its nonce is used by a block: the next look says by what. */
    NONCE_USED,
    /** It has to offer more. */
    UNDERPRICED,
    /** The account cannot pay for it. */
    NO_MONEY,
    /** Not now: the pool is full, or the node says what is not understood. */
    LATER,
    /** Never. */
    INVALID
  }
}
