package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A base ledger that runs the byte code of contracts. Thread-safe; blocks nobody. */
public interface PublicContracts {
  /** What a call would come to now. */
  sealed interface Estimate {
    /**
     * It succeeds.
     *
     * @param limit what it would use now, and a margin
     */
    record Gas(long limit) implements Estimate {}

    /**
     * It fails.
     *
     * @param revertData what the contract said; empty if nothing
     * @param reason a sentence
     */
    record Fails(Bytes revertData, String reason) implements Estimate {}
  }

  /**
   * Tries a call, and leaves nothing of it. The future fails if the ledger cannot be reached.
   *
   * @param from who would sign it
   */
  CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call);

  /** What a call has come to, of which nothing is left. */
  sealed interface CallOutcome {
    /**
     * It succeeded.
     *
     * @param result as the contract returned it
     */
    record Returned(Bytes result) implements CallOutcome {}

    /**
     * It failed.
     *
     * @param revertData what the contract said; empty if nothing
     * @param reason a sentence
     */
    record Failed(Bytes revertData, String reason) implements CallOutcome {}
  }

  /**
   * Asks a contract as it is in the newest block. The future fails if the ledger cannot be reached.
   *
   * @param from who would sign it
   */
  CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call);

  /** What the newest block has room for: it takes no transaction with a higher limit of gas. */
  CompletionStage<Long> mostGas();

  /** What {@code account} has in the newest block, in the ledger's smallest unit. */
  CompletionStage<BigInteger> balance(LedgerAddress account);

  /**
   * The first nonce of {@code signer} that neither a block nor those before it have. The future
   * fails if the ledger does not know of that block, be it not yet or no more.
   */
  CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight upTo);

  /**
   * What a contract meant by what it said as it reverted, in a sentence: an error of Solidity's own
   * or one that the ABI describes, with its parameters.
   *
   * @param revertData not empty
   * @param abi UTF-8 JSON, if it is known
   */
  String reason(Bytes revertData, Optional<Bytes> abi);

  /**
   * What a contract told as a transaction was carried out.
   *
   * @param contract who told it
   * @param index within its block, from 0
   */
  record Event(ContractAddress contract, int index, List<Bytes> topics, Bytes data) {
    public Event {
      topics = List.copyOf(topics);
    }
  }

  /**
   * What contracts told as a transaction was carried out, in order. The future fails if the ledger
   * cannot be reached, or has it no more: chains forget what is old.
   *
   * @param block that has the transaction
   */
  CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block);

  /**
   * An event with its place.
   *
   * @param index of its transaction within the block, from 0
   */
  record Placed(BlockHeight block, int index, TransactionHash transaction, Event event) {}

  /**
   * Which events are asked for.
   *
   * @param last the block that is looked at last
   * @param contracts of these alone; empty for all
   * @param signatures with one of these as the first topic; empty for any or none
   */
  record Wanted(
      BlockHeight first, BlockHeight last, Set<ContractAddress> contracts, Set<Bytes> signatures) {
    public Wanted {
      if (first.value() > last.value()) {
        throw new IllegalArgumentException("No blocks: " + first + " to " + last);
      }
      contracts = Set.copyOf(contracts);
      signatures = Set.copyOf(signatures);
    }
  }

  /**
   * What contracts told in some blocks, in order. The future fails if the ledger cannot be reached,
   * does not know the last block, or tells of so many blocks at once only if there is less in them:
   * who asks for fewer may have more luck.
   */
  CompletionStage<List<Placed>> events(Wanted wanted);

  /**
   * The data of the call of a group's contract that fulfils an intent: whoever sends it, the intent
   * is fulfilled. Asks nobody.
   *
   * @return empty if the group is not known
   */
  default Optional<Bytes> fulfilling(PreparedTransaction prepared) {
    return Optional.empty();
  }
}
