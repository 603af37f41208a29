package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One node's view of the base ledger. It enforces: no state spent twice, no intent fulfilled twice,
 * enough valid endorsements. Every future may fail when the ledger cannot be reached; the same call
 * may then be made again.
 */
public interface BaseLedger extends AutoCloseable {
  /** The chain id that local networks of other products have, too; a real one has its own. */
  long LOCAL_CHAIN = 1337;

  /**
   * A transaction as this ledger takes it: what its signer signs, and the hash under which it is
   * known, are the ledger's own. Asks nobody and takes as long as a signature does. The same
   * transaction and signer give the same result, so that whoever keeps what is to be sent can send
   * the very same again.
   *
   * @param signer whose address is that of the transaction; by another one it is invalid
   */
  SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer);

  /** Puts signed transactions into the pool, in order; one outcome for each. Idempotent. */
  CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions);

  /**
   * The nonce of the next transaction of {@code signer} that is not yet in a block.
   *
   * @param signer the 20-byte address of a signing key
   */
  CompletionStage<Long> nonce(LedgerAddress signer);

  /**
   * The nonce of the first transaction of {@code signer} that is neither in a block nor, in a
   * sequence without a gap, in the pool. Some ledgers do not count what is in their pool: whether
   * one is lost, {@link #knows} tells.
   */
  CompletionStage<Long> pendingNonce(LedgerAddress signer);

  /** Whether a transaction is in the pool or in a block. */
  CompletionStage<Boolean> knows(TransactionHash hash);

  /** The height of the newest block in this view, not yet final perhaps. */
  CompletionStage<BlockHeight> head();

  /**
   * The head as it was found lately, for who shows it or counts back from it: nobody is asked for
   * that who was asked a moment before. Whoever waits for a block asks for {@link #head}.
   */
  default CompletionStage<BlockHeight> recentHead() {
    return head();
  }

  /**
   * Blocks from {@code from} upwards, at most {@code limit}, as this view has them now. Fails with
   * a {@link BlocksDroppedException} if the first is not there any more.
   */
  CompletionStage<List<Block>> blocks(BlockHeight from, int limit);

  /**
   * As {@link #blocks(BlockHeight, int)}, for who was told what a group has begun with: where the
   * ledger does not show that, a contract that was made on exactly these terms is told as one of
   * that group.
   */
  default CompletionStage<List<Block>> blocks(BlockHeight from, int limit, Deploy told) {
    return blocks(from, limit);
  }

  /**
   * What a look finds.
   *
   * @param head the newest block, not yet final perhaps
   */
  record Look(BlockHeight head, List<Block> blocks) {
    public Look {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * The head, and blocks from {@code from} upwards, at most {@code limit}. For whoever looks again
   * and again, also at blocks that are not final yet: where questions cost, a ledger asks as few as
   * it can.
   */
  default CompletionStage<Look> look(BlockHeight from, int limit) {
    return head()
        .thenCompose(
            head ->
                head.compareTo(from) < 0
                    ? CompletableFuture.completedFuture(new Look(head, List.of()))
                    : blocks(from, limit).thenApply(blocks -> new Look(head, blocks)));
  }

  /** What became of a transaction, if it is in a block of this view. */
  CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash);

  /**
   * A transaction as it was submitted, if it is in a block of this view: who signed what, with all
   * proofs. Everybody who sees the ledger can read it.
   */
  CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash);

  /** What finds who has used a nonce without looking through blocks; empty if nothing does. */
  default Optional<NonceIndex> nonces() {
    return Optional.empty();
  }

  /** The transactions of blocks by their nonces. */
  @FunctionalInterface
  interface NonceIndex {
    /** What became of the transaction that has used it, if one in a block of this view has. */
    CompletionStage<Optional<LedgerReceipt>> receipt(Receipt.Nonce used);
  }

  /** No block before it can tell of a group. */
  default CompletionStage<BlockHeight> firstBlock() {
    return CompletableFuture.completedFuture(new BlockHeight(1));
  }

  /**
   * Whether what a group begins with can be read here. Where it can't, a node takes part only in
   * groups that it was told of before they were deployed (SEL-7), or that the members tell it of,
   * with whom its operator has agreed to a change of the committee (AGR-9).
   */
  default boolean tellsGenesis() {
    return true;
  }

  /**
   * What the newest block that was looked at has charged for a unit of gas, which nobody pays less
   * than; 0 where it charges nothing, or nobody has looked. Asks nobody.
   */
  default long baseFee() {
    return 0;
  }

  /**
   * Between two looks for a new block, while nobody waits for one (CNF-8): where looks cost
   * nothing, no time.
   */
  default Duration idlePause() {
    return Duration.ZERO;
  }

  /** What an operator should look at, a sentence each, though the ledger can be read. */
  default List<String> remarks() {
    return List.of();
  }

  /** Where gas costs money: what is on the accounts. */
  default Optional<GasMoney> gasMoney() {
    return Optional.empty();
  }

  /** What runs contracts of any kind; empty if this ledger knows privacy groups only (PUB-1). */
  default Optional<PublicContracts> contracts() {
    return Optional.empty();
  }

  /** Where the ledger carries digests of what it keeps, and may drop blocks. */
  default Optional<LedgerCheckpoints> checkpoints() {
    return Optional.empty();
  }

  @Override
  void close();
}
