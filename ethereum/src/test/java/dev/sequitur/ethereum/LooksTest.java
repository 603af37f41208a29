package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.KnownGroups;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of a chain again and again, though little of it is asked for again. */
final class LooksTest {
  private ScriptedNode node;
  private EthereumLedger ledger;

  @BeforeEach
  void start() throws IOException {
    node = new ScriptedNode().grow(10, 1);
    ledger =
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
            new Secp256k1Signatures(),
            KnownGroups.NONE);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private List<Block> look() {
    return ledger.look(new BlockHeight(1), 32).toCompletableFuture().join().blocks();
  }

  private static List<String> hashes(List<Block> blocks) {
    return blocks.stream().map(block -> block.hash().toString()).toList();
  }

  /** As a ledger that remembers nothing reads them. */
  private List<String> asTheyAre() {
    return hashes(ledger.blocks(new BlockHeight(1), 32).toCompletableFuture().join());
  }

  @Test
  void blocksThatWereReplacedAreNotTold() {
    look();
    node.grow(2, 1);
    look();

    node.fallBackTo(7);
    node.grow(6, 2);

    assertThat(hashes(look())).hasSize(13).isEqualTo(asTheyAre());
  }

  /** The new head then stands upon nothing of what was kept, at the same height. */
  @Test
  void aHeadThatWasReplacedIsNotTold() {
    look();

    node.fallBackTo(9);
    node.grow(1, 2);

    assertThat(hashes(look())).hasSize(10).isEqualTo(asTheyAre());
  }

  @Test
  void whatIsToldOnceIsAskedForOnce() {
    assertThat(look()).hasSize(10);
    int before = node.blockQuestions();

    assertThat(look()).hasSize(10);

    assertThat(node.blockQuestions()).as("its head").isEqualTo(before + 1);
  }

  /** A head alone is small: more is asked with it only while each look finds something. */
  @Test
  void newBlocksComeWithTheHead() {
    look();
    node.grow(2, 1);
    look();
    int before = node.blockQuestions();

    node.grow(2, 1);

    assertThat(look()).hasSize(14);
    assertThat(node.blockQuestions()).as("each of them").isEqualTo(before + 2);
  }

  @Test
  void aNodeThatTakesNoBatchesIsReadAsWell() {
    node.takesCalls(1, 413);
    for (int looks = 1; looks <= 8; looks++) {
      assertThat(hashes(look())).hasSize(8 + 2 * looks).isEqualTo(asTheyAre());
      node.grow(2, 1);
    }
  }

  /** Some give an error for a block that is not there yet. */
  @Test
  void whoRefusesABlockThatIsNotThereTellsItsHead() {
    node.refusesWhatIsNotThere();
    look();
    node.grow(3, 1);
    look();

    node.grow(1, 1);

    assertThat(look()).hasSize(14);
  }

  @Test
  void receiptsAreAskedForOnce() {
    var transaction = JsonNodeFactory.instance.objectNode();
    transaction.put("hash", "0x" + "7".repeat(64)).put("nonce", "0x1").put("gas", "0x5208");
    transaction.put("from", "0x" + "2".repeat(40)).put("to", "0x" + "2".repeat(40));
    transaction.put("input", "0x").put("value", "0x0").put("blockHash", node.hash(10));
    var receipt = JsonNodeFactory.instance.objectNode();
    receipt.put("blockHash", node.hash(10)).put("blockNumber", "0xa").put("status", "0x1");
    receipt.put("transactionIndex", "0x0").put("gasUsed", "0x1").putArray("logs");
    node.has(transaction, receipt);
    node.holds(10, transaction);
    assertThat(look().getLast().receipts()).hasSize(1);

    assertThat(look().getLast().receipts()).hasSize(1);

    assertThat(node.receiptQuestions()).isEqualTo(1);
  }
}
