package dev.sequitur.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecodedBlocksTest {
  private final DecodedBlocks decoded = new DecodedBlocks();

  @Test
  void blocksAreKeptByWhatTheyHaveHoweverFewTransactionsItIsIn() {
    for (long height = 1; height <= 100; height++) {
      decoded.put(block(height, 998));
    }

    assertThat(kept(100)).isEqualTo(10);
    assertThat(decoded.get(100)).isPresent();
  }

  @Test
  void emptyBlocksWeighSomethingToo() {
    for (long height = 1; height <= 20_000; height++) {
      decoded.put(block(height, 0));
    }

    assertThat(kept(20_000)).isEqualTo(5_000);
  }

  @Test
  void theNewestIsKeptHoweverLargeItIs() {
    decoded.put(block(1, 10));
    decoded.put(block(2, 50_000));

    assertThat(decoded.get(1)).isEmpty();
    assertThat(decoded.get(2)).isPresent();
  }

  private long kept(long upTo) {
    long kept = 0;
    for (long height = 1; height <= upTo; height++) {
      kept += decoded.get(height).isPresent() ? 1 : 0;
    }
    return kept;
  }

  /** With one transaction. */
  private static Block block(long height, int results) {
    var hash = new Hash(0, 0, 0, height);
    var receipt =
        new LedgerReceipt(
            new TransactionHash(hash),
            new LedgerAddress("0x" + "ab".repeat(20)),
            height,
            new BlockHeight(height),
            0,
            Collections.nCopies(results, new LedgerReceipt.NonceUsed()));
    return new Block(new BlockHeight(height), hash, hash, Instant.EPOCH, List.of(receipt));
  }
}
