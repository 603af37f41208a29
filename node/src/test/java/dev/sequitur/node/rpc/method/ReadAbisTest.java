package dev.sequitur.node.rpc.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReadAbisTest {
  private final ReadAbis read = new ReadAbis();

  private static StoredAbi abi(int number, int bytes) {
    var json = "[" + " ".repeat(bytes - 2) + "]";
    return new StoredAbi("alice", new Hash(0, 0, 0, number), Instant.EPOCH, Bytes.utf8(json));
  }

  @Test
  void whatIsKeptIsBoundedByBytesAndNotByHowManyThereAre() {
    for (int i = 0; i < 1_000; i++) {
      read.read(abi(i, 64 * 1024));
    }

    assertThat(read.bytes()).isPositive().isLessThanOrEqualTo(ReadAbis.MOST_BYTES);
  }

  @Test
  void whatWasUsedLastIsNotReadAgain() {
    var first = read.read(abi(0, 100));
    for (int i = 1; i < 1_000; i++) {
      read.read(abi(i, 64 * 1024));
      assertThat(read.read(abi(0, 100))).isSameAs(first);
    }

    assertThat(read.read(abi(1, 64 * 1024))).isNotSameAs(first);
  }

  @Test
  void oneThatIsReadTwiceAtOnceCountsOnce() {
    read.read(abi(0, 100));
    read.read(abi(0, 100));

    assertThat(read.bytes()).isEqualTo(100);
  }
}
