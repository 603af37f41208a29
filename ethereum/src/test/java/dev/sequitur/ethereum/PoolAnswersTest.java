package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.SubmitOutcome.Underpriced;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes of different products say, and what it comes to. */
final class PoolAnswersTest {
  private static final TransactionHash HASH = new TransactionHash(new Hash(1, 2, 3, 4));
  private static final Fees OFFERED = new Fees(1_000, 100);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "geth       | already known | Pooled",
        "geth       | nonce too low: next nonce 5, tx nonce 3 | nonce used",
        "geth       | transaction underpriced: gas tip cap 0, minimum needed 1 | Underpriced",
        "geth       | replacement transaction underpriced | Underpriced",
        "geth       | max fee per gas less than block base fee: address 0xab, maxFeePerGas: 1 |"
            + " Underpriced",
        "geth       | insufficient funds for gas * price + value: balance 0, tx cost 21000,"
            + " overshot 21000 | InsufficientFunds",
        "geth       | txpool is full | PoolFull",
        "geth       | account limit exceeded | PoolFull",
        "geth       | future transaction tries to replace pending | PoolFull",
        "geth       | address already reserved | PoolFull",
        "geth       | exceeds block gas limit | Invalid",
        "geth       | transaction gas limit too high (cap: 16777216, tx: 30000000) | Invalid",
        "geth       | intrinsic gas too low: gas 1, minimum needed 21000 | Invalid",
        "geth       | oversized data: transaction size 140000, limit 131072 | Invalid",
        "geth       | max priority fee per gas higher than max fee per gas: address 0xab | Invalid",
        "geth       | invalid sender: invalid chain id for signer: have 1 want 1337 | unknown",
        "geth       | invalid sender | Invalid",
        "geth       | tx fee (2.00 ether) exceeds the configured cap (1.00 ether) | unknown",
        "Besu       | Known transaction | Pooled",
        "Besu       | Nonce too low | nonce used",
        "Besu       | Replacement transaction underpriced | Underpriced",
        "Besu       | Gas price below configured minimum gas price | Underpriced",
        "Besu       | Gas price below current base fee | Underpriced",
        "Besu       | Upfront cost exceeds account balance | InsufficientFunds",
        "Besu       | Nonce too high | PoolFull",
        "Besu       | Transaction nonce is too distant from current sender nonce | PoolFull",
        "Besu       | An invalid transaction with a lower nonce exists | PoolFull",
        "Besu       | Initial sync is still in progress | PoolFull",
        "Besu       | Transaction gas limit exceeds block gas limit | Invalid",
        "Besu       | Intrinsic gas exceeds gas limit | Invalid",
        "Besu       | Max priority fee per gas exceeds max fee per gas | Invalid",
        "Besu       | Invalid signature | Invalid",
        "Besu       | Wrong chainId | unknown",
        "Besu       | Timeout expired | unknown",
        "Besu       | Sender account not authorized to send transactions | unknown",
        "Nethermind | AlreadyKnown | Pooled",
        "Nethermind | OldNonce, Current nonce: 5, nonce of rejected tx: 3 | nonce used",
        "Nethermind | ReplacementNotAllowed | Underpriced",
        "Nethermind | FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 7 | Underpriced",
        "Nethermind | FeeTooLowToCompete | Underpriced",
        "Nethermind | InsufficientFunds, Account balance: 0, cumulative cost: 21000 |"
            + " InsufficientFunds",
        "Nethermind | NonceGap, Future nonce. Expected nonce: 5 | PoolFull",
        "Nethermind | NonceTooFarInFuture | PoolFull",
        "Nethermind | GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 31000000 |"
            + " Invalid",
        "Nethermind | MaxTxSizeExceeded | Invalid",
        "Erigon     | already known | Pooled",
        "Erigon     | existing tx with same hash | Pooled",
        "Erigon     | nonce too low | nonce used",
        "Erigon     | could not replace existing tx | Underpriced",
        "Erigon     | replacement transaction underpriced | Underpriced",
        "Erigon     | fee too low | Underpriced",
        "Erigon     | underpriced | Underpriced",
        "Erigon     | insufficient funds | InsufficientFunds",
        "Erigon     | pending sub-pool is full | PoolFull",
        "Erigon     | baseFee sub-pool is full | PoolFull",
        "Erigon     | spammer | PoolFull",
        "Erigon     | IntrinsicGas | Invalid",
        "Erigon     | RLPTooLong | Invalid",
        "Erigon     | initcode too large | Invalid",
        "anvil      | transaction already imported | Pooled",
        "anvil      | Tx: [0xab] already Imported | Pooled",
        "anvil      | nonce too low | nonce used",
        "anvil      | Tx: [0xab] insufficient gas price to replace existing transaction |"
            + " Underpriced",
        "anvil      | max fee per gas less than block base fee | Underpriced",
        "anvil      | Insufficient funds for gas * price + value | InsufficientFunds",
        "anvil      | Nonce too high | PoolFull",
        "anvil      | intrinsic gas too high -- tx.gas_limit > env.block.gas_limit | Invalid",
        "anvil      | \"Transaction gas limit is greater than the block gas limit, gas_limit: 3,"
            + " cap: 2\" | Invalid",
        "anvil      | max initcode size exceeded | Invalid",
        "anvil      | invalid chain id for signer | unknown",
        "hardhat    | Known transaction: 0xab | Pooled",
        "hardhat    | Nonce too low. Expected nonce to be 5 but got 3. | nonce used",
        "hardhat    | Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 11"
            + " is necessary | Underpriced",
        "hardhat    | Transaction maxFeePerGas (1) is too low. The next block has a baseFeePerGas"
            + " of 7 | Underpriced",
        "hardhat    | Sender doesn't have enough funds to send tx. The max upfront cost is: 21000 |"
            + " InsufficientFunds",
        "hardhat    | Nonce too high. Expected nonce to be 0 but got 3. | PoolFull",
        "hardhat    | Transaction gas limit is 31000000 and exceeds block gas limit of 30000000 |"
            + " Invalid",
        "hardhat    | Transaction requires at least 21000 gas but got 1 | unknown",
        "ganache    | nonce too low | nonce used",
        "ganache    | the tx doesn't have the correct nonce. account has nonce of: 1 tx has nonce"
            + " of: 0 | nonce used",
        "ganache    | transaction underpriced | Underpriced",
        "ganache    | insufficient funds for gas * price + value | InsufficientFunds",
        "ganache    | transaction can't be replaced, mining has already started. | PoolFull",
        "ganache    | exceeds block gas limit | Invalid",
        "ganache    | intrinsic gas too low | Invalid",
        "a proxy    | Too Many Requests | unknown",
        "a proxy    | Internal error | unknown",
      })
  void eachSentenceIsUnderstood(String product, String sentence, String meaning) {
    var understood =
        PoolAnswers.isNonceUsed(sentence)
            ? "nonce used"
            : PoolAnswers.outcome(HASH, OFFERED, sentence)
                .map(outcome -> outcome.getClass().getSimpleName())
                .orElse("unknown");

    assertThat(understood).as(product + ": " + sentence).isEqualTo(meaning);
  }

  @Test
  void whatIsUnderpricedNeedsATenthMoreOfBoth() {
    assertThat(PoolAnswers.outcome(HASH, OFFERED, "replacement transaction underpriced"))
        .contains(new Underpriced(HASH, new Fees(1_100, 110)));
  }
}
