package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool says to a transfer from the funding account. */
final class ChainMoneyTest {
  private static final EthereumLedger.Settings SETTINGS =
      new EthereumLedger.Settings(
          Anvil.CHAIN, new LedgerAddress("0x" + "1".repeat(40)), EthereumLedger.Head.LATEST);

  private static final GasTransfer TRANSFER =
      new GasTransfer(
          5, new LedgerAddress("0x" + "1".repeat(40)), BigInteger.valueOf(1_000), Fees.flat(10));

  @TempDir Path directory;
  private ScriptedNode node;
  private ChainPool pool;
  private ChainMoney money;
  private long nanos = -7;
  private Signer payer;

  @BeforeEach
  void start() throws IOException {
    node = new ScriptedNode();
    var rpc = new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool());
    pool = new ChainPool(rpc, () -> nanos);
    money =
        new ChainMoney(
            rpc,
            pool,
            SETTINGS,
            () -> CompletableFuture.completedFuture(BlockHeight.ZERO),
            () -> 7);
    payer = FileKeys.open(directory).signer("payer");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** FND-7: of keys that pay once and of the funding account too. */
  @Test
  void moneyAndNoncesAreThoseOfTheNewestFinalBlockAndOfNoOther() {
    var atTen =
        new ChainMoney(
            new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool()),
            pool,
            SETTINGS,
            () -> CompletableFuture.completedFuture(new BlockHeight(10)),
            () -> 7);
    var one = new LedgerAddress("0x" + "2".repeat(40));
    var other = new LedgerAddress("0x" + "3".repeat(40));

    var accounts =
        atTen
            .accounts(Optional.of(TRANSFER.to()), List.of(one, other), List.of(other), 3)
            .toCompletableFuture()
            .join();

    assertThat(accounts.payerBalance()).isEqualTo(7);
    assertThat(accounts.balances()).containsOnlyKeys(one, other);
    assertThat(node.accountsAskedAt()).containsExactly("0x7");
  }

  private CompletionStage<SubmitOutcome> transfer() {
    return money.transfer(TRANSFER, payer);
  }

  private SubmitOutcome outcome() {
    return transfer().toCompletableFuture().join();
  }

  /** A block that is not final has it: at each look it is sent once more. */
  @Test
  void theVerySameInABlockIsTakenThoughItsNonceIsUsed() {
    node.refuses("nonce too low: next nonce 6, tx nonce 5", true);

    assertThat(outcome()).isInstanceOf(SubmitOutcome.Pooled.class);
  }

  /** Such as the same at a higher fee, whose first version came into a block. */
  @Test
  void aNonceThatAnotherTransactionHasUsedIsNoChainThatCannotBeReached() {
    node.refuses("nonce too low: next nonce 6, tx nonce 5", false);

    assertThat(outcome())
        .isInstanceOfSatisfying(
            SubmitOutcome.NonceTooLow.class, used -> assertThat(used.expected()).isEqualTo(6));
  }

  /** Else its fees would be raised at each look, up to the most that the settings allow. */
  @Test
  void theVerySameInThePoolIsNoReplacementThatPaysTooLittle() {
    node.refuses("replacement transaction underpriced", true);
    assertThat(outcome()).isInstanceOf(SubmitOutcome.Pooled.class);

    node.refuses("replacement transaction underpriced", false);
    assertThat(outcome())
        .isInstanceOfSatisfying(
            SubmitOutcome.Underpriced.class,
            more -> assertThat(more.needed()).isEqualTo(Fees.flat(10).toReplace()));
  }

  /** Nobody else would learn why nothing goes on. */
  @Test
  void wordsThatNobodyKnowsSayNothingAndAreToldToTheOperator() {
    assertThat(pool.remark()).isEmpty();
    node.refuses("tx fee (2.00 ether) exceeds the configured cap (1.00 ether)", false);

    assertThat(transfer().toCompletableFuture()).failsWithin(Duration.ofSeconds(60));

    assertThat(pool.remark().orElseThrow()).contains("exceeds the configured cap (1.00 ether)");
    nanos += Duration.ofMinutes(5).toNanos();
    assertThat(pool.remark()).as("it was not refused again").isEmpty();
  }
}
