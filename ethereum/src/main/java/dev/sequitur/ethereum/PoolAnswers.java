package dev.sequitur.ethereum;

import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.ledger.SubmitOutcome.InsufficientFunds;
import dev.sequitur.protocol.ledger.SubmitOutcome.Invalid;
import dev.sequitur.protocol.ledger.SubmitOutcome.PoolFull;
import dev.sequitur.protocol.ledger.SubmitOutcome.Pooled;
import dev.sequitur.protocol.ledger.SubmitOutcome.Underpriced;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the sentences mean in which nodes refuse a transaction. JSON-RPC has no code for them, and
 * each product words them in its own way: these are those of geth, Besu, Nethermind, Erigon, reth,
 * anvil, hardhat and ganache. Pure.
 */
final class PoolAnswers {
  private static final List<String> KNOWN =
      List.of(
          "already known",
          "alreadyknown",
          "known transaction",
          "already imported",
          "already in mempool",
          "existing tx with same hash");
  private static final List<String> NONCE_USED =
      List.of(
          "nonce too low",
          "nonce is too low",
          "nonce below",
          "nonce has already been used",
          "oldnonce",
          "nonce_too_low",
          "have the correct nonce",
          "tx nonce already");
  private static final List<String> UNDERPRICED =
      List.of(
          "underpriced",
          "less than block base fee",
          "lower than the current base fee",
          "less than the current network base fee",
          "lower than the block",
          "feetoolow",
          "fee too low",
          "gas price too low",
          "gas price below",
          "below configured minimum",
          "max fee per gas less than",
          "is too low. the next block has a basefee",
          "insufficient gas price",
          "replacementnotallowed",
          "could not replace",
          "cannot replace");
  private static final List<String> NO_MONEY =
      List.of(
          "insufficient funds",
          "insufficient balance",
          "insufficientfunds",
          "upfront cost exceeds",
          "doesn't have enough funds",
          "does not have enough funds");
  private static final List<String> FULL =
      List.of(
          "pool is full",
          "account limit exceeded",
          "already reserved",
          "future transaction tries to replace pending",
          "can't be replaced, mining",
          "invalid transaction with a lower nonce",
          "spammer",
          "noncegap",
          "noncetoofarinfuture",
          "is syncing",
          "sync is still in progress",
          "txpool full",
          "pool limit",
          "queue full",
          "exceeds the maximum number",
          "too many transactions",
          "nonce too high",
          "nonce gap",
          "too distant",
          "nonce_too_distant");

  /** It may be right on the chain that was meant. */
  private static final List<String> OTHER_CHAIN =
      List.of(
          "chain id",
          "chainid",
          "incorrect chain",
          "wrong chain",
          "signed for another chain",
          "replay-protected");

  private static final List<String> INVALID =
      List.of(
          "intrinsic gas",
          "intrinsicgas",
          "gaslimitexceeded",
          "gas limit reached",
          "gas limit is greater than",
          "exceeds block gas limit",
          "exceeds the block gas limit",
          "exceeds transaction gas",
          "gas limit is too high",
          "gas limit too high",
          "gas limit exceeds",
          "exceeds the limit",
          "oversized data",
          "max priority fee per gas higher",
          "priority fee cannot be higher",
          "invalid sender",
          "invalid signature",
          "invalid transaction v",
          "rlptoolong",
          "rlp decoding",
          "decode signed transaction",
          "priority fee per gas exceeds max fee",
          "transaction too large",
          "maxtxsizeexceeded",
          "type not supported",
          "exceeds max code size",
          "initcode");

  private PoolAnswers() {}

  /** What a node means by its words. */
  enum Meaning {
    /** It has just this transaction. */
    KNOWN,
    /** By another transaction, or by this one: the node does not say by which. */
    NONCE_USED,
    NO_MONEY,
    UNDERPRICED,
    FULL,
    /** It never takes it. */
    INVALID,
    /** These words are none that are known, or the node is of another chain. */
    UNCLEAR
  }

  static Meaning meaning(String refusal) {
    var words = refusal.toLowerCase(Locale.ROOT);
    if (says(words, KNOWN)) {
      return Meaning.KNOWN;
    } else if (says(words, OTHER_CHAIN)) {
      // Given up for a node that is configured wrongly, it would be lost.
      return Meaning.UNCLEAR;
    } else if (says(words, NONCE_USED)) {
      return Meaning.NONCE_USED;
    } else if (says(words, NO_MONEY)) {
      return Meaning.NO_MONEY;
    } else if (says(words, UNDERPRICED)) {
      return Meaning.UNDERPRICED;
    } else if (says(words, FULL)) {
      return Meaning.FULL;
    }
    return says(words, INVALID) ? Meaning.INVALID : Meaning.UNCLEAR;
  }

  /**
   * @param refusal a node's words
   * @return empty if its nonce is used by another transaction, or by this one: the node does not
   *     say which, or if the words are none of those that are known
   */
  static Optional<SubmitOutcome> outcome(TransactionHash hash, Fees offered, String refusal) {
    return switch (meaning(refusal)) {
      case KNOWN -> Optional.of(new Pooled(hash));
      case NO_MONEY -> Optional.of(new InsufficientFunds(hash));
      case UNDERPRICED -> Optional.of(new Underpriced(hash, offered.toReplace()));
      case FULL -> Optional.of(new PoolFull(hash));
      case INVALID -> Optional.of(new Invalid(hash, refusal));
      case NONCE_USED, UNCLEAR -> Optional.empty();
    };
  }

  static boolean isNonceUsed(String refusal) {
    return says(refusal.toLowerCase(Locale.ROOT), NONCE_USED);
  }

  private static boolean says(String words, List<String> sentences) {
    return sentences.stream().anyMatch(words::contains);
  }
}
