package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.KnownGroups;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain's node refuses a transaction in words that are none that are known. */
final class RefusedForReasonsNotKnownTest {
  private static final String WORDS = "tx fee (2.00 ether) exceeds the configured cap (1.00 ether)";
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  @TempDir Path directory;

  private static SignedLedgerTransaction transaction(EthereumLedger ledger, Path keys, long nonce)
      throws IOException {
    var signer = FileKeys.open(keys).signer("key");
    return ledger.sign(
        new LedgerTransaction(
            SIGNATURES.address(signer.verifier()),
            nonce,
            Fees.flat(10),
            30_000,
            new LedgerTransaction.UseNonce()),
        signer);
  }

  /** Else none of them would ever count as pooled, nor be offered with more. */
  @Test
  void oneOfSeveralKeepsNobodyFromHearingOfTheOthers() throws IOException {
    try (var node = new ScriptedNode()) {
      var ledger =
          new EthereumLedger(
              new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool()),
              new EthereumLedger.Settings(
                  Anvil.CHAIN,
                  new LedgerAddress("0x" + "1".repeat(40)),
                  Head.LATEST,
                  1,
                  EthereumLedger.Settings.MAX_LAG,
                  0,
                  Duration.ofSeconds(2),
                  false),
              SIGNATURES,
              KnownGroups.NONE);
      node.takesButTheFirst(WORDS);
      assertThat(ledger.idlePause()).isEqualTo(Duration.ofSeconds(2));

      var first = transaction(ledger, directory, 0);
      var second = transaction(ledger, directory, 1);
      assertThat(ledger.submit(List.of(first, second)).toCompletableFuture().join())
          .containsExactly(
              new SubmitOutcome.PoolFull(first.hash()), new SubmitOutcome.Pooled(second.hash()));
      assertThat(ledger.remarks()).anyMatch(remark -> remark.contains(WORDS));
      assertThat(ledger.idlePause()).as("its block is awaited").isZero();

      node.refuses(WORDS, false);
      assertThat(ledger.submit(List.of(first)).toCompletableFuture())
          .failsWithin(Duration.ofSeconds(60));
    }
  }
}
