package dev.sequitur.node.rpc.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.Scan.Bounds;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows are numbers, of as many bytes as they say. */
class ScanTest {
  private final AtomicInteger pages = new AtomicInteger();

  private static List<Long> scan(RowSource<Long> source, int limit, long bytes) {
    return Scan.run(
            source,
            Query.<Long>any(limit),
            row -> row > 0,
            true,
            new Bounds<>(1_000, bytes, r -> r))
        .toCompletableFuture()
        .join();
  }

  private RowSource<Long> endless(long each) {
    return () -> {
      pages.incrementAndGet();
      return CompletableFuture.completedFuture(List.of(each, each));
    };
  }

  @Test
  void rowsThatHaveTooManyBytesTogetherAreRefusedWhileTheyAreRead() {
    assertThatThrownBy(() -> scan(endless(100), 1_000, 1_000))
        .hasRootCauseInstanceOf(RpcFailure.class)
        .rootCause()
        .hasMessageContaining("1000 bytes")
        .hasMessageContaining("rpc.limits.answer-bytes");

    assertThat(pages).as("and no more are read").hasValue(6);
  }

  @Test
  void asManyBytesAsThereMayBeAreAnswered() {
    assertThat(scan(endless(100), 10, 1_000)).hasSize(10);
  }

  @Test
  void whatNobodyAskedForCountsNotAtAll() {
    assertThat(scan(RowSource.once(List.of(-5_000L, 7L, -9_000L, 8L)), 10, 15))
        .containsExactly(7L, 8L);
  }
}
