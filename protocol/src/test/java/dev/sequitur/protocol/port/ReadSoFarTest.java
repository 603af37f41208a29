package dev.sequitur.protocol.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** CNF-10. */
class ReadSoFarTest {
  @Test
  void aForkIsFoundAtNoMoreThanTwiceItsDepthByFewBlocks() {
    var read = read(100_000);

    assertThat(read.blocks())
        .hasSizeLessThan(45)
        .isSortedAccordingTo((a, b) -> a.height().compareTo(b.height()));
    for (long depth = 1; depth < 99_000; depth = depth * 3 + 1) {
      long fork = 100_000 - depth;
      var found = read.blocks().stream().filter(each -> each.height().value() <= fork).toList();
      assertThat(100_000 - found.getLast().height().value())
          .as("depth %s", depth)
          .isLessThanOrEqualTo(2 * depth + 2);
    }
  }

  @Test
  void ofTwoForksTheOlderOneCountsForWhatWasTold() {
    var first = read(100).readAgain(block(60), 7);
    assertThat(first.to()).isEqualTo(block(60));
    assertThat(first.blocks()).allMatch(each -> each.height().value() <= 60);
    var on = ReadSoFar.upTo(Optional.of(first), block(61));
    assertThat(on.reindex()).isEqualTo(first.reindex());

    var later = on.readAgain(block(60), 9).reindex().orElseThrow();
    var older = on.readAgain(block(50), 9).reindex().orElseThrow();

    assertThat(later).isEqualTo(new ReadSoFar.Reindex(height(60), height(100), 9));
    assertThat(older).isEqualTo(new ReadSoFar.Reindex(height(50), height(100), 9));
    var far = ReadSoFar.upTo(Optional.of(on), block(150)).readAgain(block(140), 12);
    assertThat(far.reindex()).contains(new ReadSoFar.Reindex(height(60), height(150), 12));
  }

  @Test
  void oneEndsByItsOwnEndOnly() {
    var begun = read(100).readAgain(block(60), 7);
    var again = begun.readAgain(block(50), 9);

    assertThat(again.ended(begun.reindex().orElseThrow())).isEqualTo(again);
    assertThat(again.ended(again.reindex().orElseThrow()).reindex()).isEmpty();
  }

  private static ReadSoFar read(long blocks) {
    var read = Optional.<ReadSoFar>empty();
    for (long height = 1; height <= blocks; height++) {
      read = Optional.of(ReadSoFar.upTo(read, block(height)));
    }
    return read.orElseThrow();
  }

  private static IndexedTo block(long height) {
    return new IndexedTo(height(height), new Hash(height, 0, 0, 0));
  }

  private static BlockHeight height(long value) {
    return new BlockHeight(value);
  }
}
