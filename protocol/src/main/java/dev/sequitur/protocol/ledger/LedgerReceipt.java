package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * What became of one transaction in a block.
 *
 * @param index of the transaction within the block, from 0
 * @param results of its transitions, in its order, or of what else it does to groups, whoever has
 *     signed it; then, if the signer's public transactions are awaited, the {@link Called} of the
 *     whole. {@link NonceUsed} if it has neither
 * @param paid for its gas, in the ledger's smallest unit; 0 where nobody pays
 */
public record LedgerReceipt(
    TransactionHash hash,
    LedgerAddress signer,
    long nonce,
    BlockHeight block,
    int index,
    List<Result> results,
    BigInteger paid) {
  public LedgerReceipt {
    results = List.copyOf(results);
  }

  /** Of a ledger on which nobody pays. */
  public LedgerReceipt(
      TransactionHash hash,
      LedgerAddress signer,
      long nonce,
      BlockHeight block,
      int index,
      List<Result> results) {
    this(hash, signer, nonce, block, index, results, BigInteger.ZERO);
  }

  /** What became of the whole as a public transaction, if it is awaited as one. */
  public Optional<Called> called() {
    return results.stream().filter(Called.class::isInstance).map(Called.class::cast).findFirst();
  }

  /** Whether the call as a whole came to nothing, whatever its transitions are. */
  public boolean isRevertedAsAWhole() {
    return results.stream()
        .anyMatch(result -> result instanceof Reverted it && it.reason().isOfTheCall());
  }

  /**
   * Where and how an intent was fulfilled, as its caller's receipt tells it.
   *
   * @param fulfilled one of this receipt's results
   */
  public Receipt.OnLedger onLedger(Fulfilled fulfilled) {
    return new Receipt.OnLedger(
        hash, block, index, fulfilled.spent(), fulfilled.read(), fulfilled.created());
  }

  /** Where it is, for what has to do with no states. */
  public Receipt.OnLedger onLedger() {
    return new Receipt.OnLedger(hash, block, index, List.of(), List.of(), List.of());
  }

  /** What the transaction did, or one transition of it. */
  public sealed interface Result {}

  /** A group's contract was made. */
  public record Deployed(ContractAddress contract, String domain, ContractGenesis genesis)
      implements Result {
    /** The group that the contract is of. */
    public PrivacyGroup group(long chainId) {
      return new PrivacyGroup(
          genesis.group(),
          chainId,
          contract,
          domain,
          genesis.name(),
          CommitteeHistory.of(genesis.quorum()),
          genesis.configuration());
    }
  }

  /** A group has another committee from the next block on (CMT-4). */
  public record CommitteeChanged(ContractAddress contract, CommitteeChange change)
      implements Result {}

  /** The contract did not take a change of its committee; nothing of it is left. */
  public record ChangeRefused(ContractAddress contract, int number, ChangeFlaw flaw)
      implements Result {}

  /** An intent was fulfilled: the contract's event. */
  public record Fulfilled(
      ContractAddress contract,
      IntentKey intent,
      List<StateId> spent,
      List<StateId> read,
      List<StateId> created)
      implements Result {
    public TransactionId transaction() {
      return intent.transaction();
    }
  }

  /** The contract refused; nothing of this transition is left. */
  public record Reverted(
      ContractAddress contract, IntentKey intent, RevertReason reason, String message)
      implements Result {
    public TransactionId transaction() {
      return intent.transaction();
    }
  }

  /**
   * What a signer of public transactions sent was carried out, whatever it was (PUB-4).
   *
   * @param call the hash of the {@link LedgerTransaction.PublicCall}
   * @param created the contract that it made
   * @param revertData what a contract said as it reverted; empty if it said nothing
   * @param failure why it failed, in a sentence; empty if it succeeded
   */
  public record Called(
      Hash call, Optional<ContractAddress> created, Bytes revertData, Optional<String> failure)
      implements Result {
    public boolean success() {
      return failure.isEmpty();
    }
  }

  /** It was there to use its nonce only. */
  public record NonceUsed() implements Result {}

  /** Why a contract refuses. */
  public enum RevertReason {
    /** An input or a read is spent: another assembly may fare better. */
    STATE_SPENT(true),
    /** An input or a read was never made: another assembly may fare better. */
    STATE_UNKNOWN(true),
    /** An output stands already: another assembly may fare better. */
    STATE_EXISTS(true),
    /** The same intent has been fulfilled before. */
    INTENT_FULFILLED(false),
    /** Too few of the committee have endorsed, or a signature is wrong. */
    ENDORSEMENT_INVALID(false),
    /**
     * Enough of the committee before have endorsed, which counts no more: another assembly may fare
     * better (CMT-4).
     */
    COMMITTEE_CHANGED(true),
    /** There is no such contract. */
    CONTRACT_UNKNOWN(false),
    /** Injected, for tests and rehearsals. */
    INJECTED(true),
    /**
     * An input or a read is spent or was never made, and this ledger keeps neither apart: another
     * assembly may fare better.
     */
    STATE_UNAVAILABLE(true),
    /** The whole base-ledger transaction used up its gas: with more gas, it may fare better. */
    OUT_OF_GAS(true),
    /** The contract refused the whole call, which it does if it is not laid out as it takes it. */
    CALL_REJECTED(false);

    private final boolean retryable;

    RevertReason(boolean retryable) {
      this.retryable = retryable;
    }

    /** Whether assembling anew can help (SUB-4). */
    public boolean retryable() {
      return retryable;
    }

    /** Whether it is said of the whole call, and not of one transition. */
    public boolean isOfTheCall() {
      return switch (this) {
        case OUT_OF_GAS, CALL_REJECTED -> true;
        case STATE_SPENT,
            STATE_UNKNOWN,
            STATE_EXISTS,
            STATE_UNAVAILABLE,
            INTENT_FULFILLED,
            ENDORSEMENT_INVALID,
            COMMITTEE_CHANGED,
            CONTRACT_UNKNOWN,
            INJECTED ->
            false;
      };
    }
  }
}
