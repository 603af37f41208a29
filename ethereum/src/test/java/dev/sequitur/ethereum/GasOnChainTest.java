package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.port.KnownGroups;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fees and money on a chain that takes money for gas (SUB-9, FND-3, FND-5). */
final class GasOnChainTest {
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final long BASE_FEE = 1_000_000;
  private static final Fees ENOUGH = new Fees(10 * BASE_FEE, BASE_FEE);
  private static final long RICH = 1_000_000_000_000_000L;

  /** EIP-7825. */
  private static final long TRANSACTION_GAS_CAP = 16_777_216;

  @TempDir Path directory;
  private Anvil chain;
  private Signer signer;
  private LedgerAddress account;
  private EthereumLedger ledger;
  private GasMoney money;

  @BeforeEach
  void start() throws IOException {
    chain =
        Anvil.start(
            Optional.empty(), BASE_FEE, List.of("--hardfork", "osaka", "--enable-tx-gas-limit"));
    signer = FileKeys.open(directory).signer("key");
    account = SIGNATURES.address(signer.verifier());
    chain.setBalance(account.value(), RICH);
    ledger =
        new EthereumLedger(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(
                Anvil.CHAIN, new LedgerAddress("0x" + "1".repeat(40)), Head.LATEST),
            SIGNATURES,
            KnownGroups.NONE);
    money = ledger.gasMoney().orElseThrow();
  }

  @AfterEach
  void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private SubmitOutcome submit(long nonce, Fees fees, long gasLimit) {
    var transaction = new LedgerTransaction(account, nonce, fees, gasLimit, new UseNonce());
    return await(ledger.submit(List.of(ledger.sign(transaction, signer)))).getFirst();
  }

  private Accounts accounts(int confirmations, LedgerAddress... keys) {
    return await(
        money.accounts(Optional.of(account), List.of(keys), List.of(account), confirmations));
  }

  @Test
  void aTransactionPaysTheBaseFeeAndTheTipAndNotAllThatItOffers() {
    assertThat(submit(0, ENOUGH, 30_000)).isInstanceOf(SubmitOutcome.Pooled.class);
    chain.mine();

    var block = await(ledger.blocks(new BlockHeight(1), 1)).getFirst();
    long base =
        Long.decode(
            chain.call("eth_getBlockByNumber", "0x1", false).get("baseFeePerGas").textValue());
    var paid = block.receipts().getFirst().paid();
    assertThat(paid).isEqualTo(21_000 * (base + BASE_FEE));
    assertThat(accounts(0).payerBalance()).isEqualTo(BigInteger.valueOf(RICH).subtract(paid));
  }

  @Test
  void whatOffersLessThanTheBaseFeeIsUnderpricedAndTakenForMore() {
    assertThat(submit(0, Fees.flat(10), 30_000)).isInstanceOf(SubmitOutcome.Underpriced.class);

    assertThat(submit(0, ENOUGH, 30_000)).isInstanceOf(SubmitOutcome.Pooled.class);
  }

  @Test
  void aReplacementHasToOfferMore() {
    assertThat(submit(0, ENOUGH, 30_000)).isInstanceOf(SubmitOutcome.Pooled.class);

    assertThat(submit(0, ENOUGH, 40_000))
        .isInstanceOfSatisfying(
            SubmitOutcome.Underpriced.class,
            underpriced -> assertThat(underpriced.needed()).isEqualTo(ENOUGH.toReplace()));
    var replacement = submit(0, ENOUGH.toReplace(), 40_000);
    assertThat(replacement).isInstanceOf(SubmitOutcome.Pooled.class);
    chain.mine();

    assertThat(await(ledger.receipt(replacement.hash()))).isPresent();
  }

  @Test
  void whoCannotPayForAllTheGasOfItsTransactionHasNotTheFunds() {
    chain.setBalance(account.value(), ENOUGH.cost(30_000).longValueExact() - 1);
    assertThat(submit(0, ENOUGH, 30_000)).isInstanceOf(SubmitOutcome.InsufficientFunds.class);

    chain.setBalance(account.value(), ENOUGH.cost(30_000).longValueExact());
    assertThat(submit(0, ENOUGH, 30_000)).isInstanceOf(SubmitOutcome.Pooled.class);
  }

  @Test
  void aTransactionWithMoreGasThanTheChainLetsOneHaveIsNeverTaken() {
    assertThat(submit(0, ENOUGH, TRANSACTION_GAS_CAP)).isInstanceOf(SubmitOutcome.Pooled.class);
    assertThat(submit(1, ENOUGH, TRANSACTION_GAS_CAP + 1))
        .isInstanceOf(SubmitOutcome.Invalid.class);
  }

  @Test
  void accountsAreThoseOfOneFinalBlock() throws IOException {
    var key = SIGNATURES.address(FileKeys.open(directory).verifier("another"));
    var transfer = new GasTransfer(0, key, BigInteger.valueOf(5_000), ENOUGH);

    assertThat(await(money.transfer(transfer, signer))).isInstanceOf(SubmitOutcome.Pooled.class);
    assertThat(await(money.transfer(transfer, signer)))
        .as("the very same again")
        .isInstanceOf(SubmitOutcome.Pooled.class);
    chain.mine();

    assertThat(accounts(1, key).payerNonce()).as("not final").isZero();
    assertThat(accounts(1, key).balances()).isEqualTo(Map.of(key, BigInteger.valueOf(0)));
    assertThat(accounts(1, key).used()).isEmpty();
    assertThat(accounts(0, key).used()).containsExactly(account);
    assertThat(accounts(0, key).payerNonce()).isOne();
    assertThat(accounts(0, key).balances()).isEqualTo(Map.of(key, BigInteger.valueOf(5_000)));
  }

  /** Whatever is signed for a nonce afterwards, the chain takes one. */
  @Test
  void anotherTransferOfAUsedNonceIsNotTaken() throws IOException {
    var key = SIGNATURES.address(FileKeys.open(directory).verifier("another"));
    await(money.transfer(new GasTransfer(0, key, BigInteger.valueOf(5_000), ENOUGH), signer));
    chain.mine();

    assertThat(
            await(
                money.transfer(new GasTransfer(0, key, BigInteger.valueOf(7_000), ENOUGH), signer)))
        .isInstanceOf(SubmitOutcome.NonceTooLow.class);
    assertThat(accounts(0, key).balances()).isEqualTo(Map.of(key, BigInteger.valueOf(5_000)));
  }

  @Test
  void theBlockInWhichTheFactoryWasDeployedIsFound() {
    for (int i = 0; i < 5; i++) {
      chain.mine();
    }
    var raw =
        new FeeMarketTransaction(
            Anvil.CHAIN, 0, ENOUGH, 4_000_000, Bytes.EMPTY, Artifact.PRIVACY_GROUP.creation());
    chain.call("eth_sendRawTransaction", raw.signed(signer.sign(raw.digest())).toHex());
    chain.mine();
    var receipt =
        chain.call("eth_getBlockByNumber", "0x6", false).get("transactions").get(0).textValue();
    var address =
        chain.call("eth_getTransactionReceipt", receipt).get("contractAddress").textValue();
    for (int i = 0; i < 20; i++) {
      chain.mine();
    }
    var other =
        new EthereumLedger(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(Anvil.CHAIN, new LedgerAddress(address), Head.LATEST),
            SIGNATURES,
            KnownGroups.NONE);

    assertThat(await(other.firstBlock())).isEqualTo(new BlockHeight(6));
  }
}
