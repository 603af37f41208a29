package dev.sequitur.node.rpc.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.Scan.Bounds;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
            new Bounds<>(
                1_000, new KeptBytes(bytes, new AnswersTogether(Long.MAX_VALUE)).share(), r -> r))
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
  void nothingMoreIsReadForACallThatIsAnswered() {
    var kept = new KeptBytes(1_000, new AnswersTogether(Long.MAX_VALUE)).share();
    RowSource<Long> source =
        () -> {
          if (pages.incrementAndGet() == 2) {
            kept.end();
          }
          return CompletableFuture.completedFuture(List.of(-1L));
        };

    assertThatThrownBy(
            () ->
                Scan.run(
                        source,
                        Query.<Long>any(9),
                        row -> row > 0,
                        true,
                        new Bounds<>(1_000, kept, r -> r))
                    .toCompletableFuture()
                    .join())
        .hasRootCauseInstanceOf(RpcFailure.class);
    assertThat(pages).hasValue(2);
  }

  @Test
  void twoSourcesAreReadTogetherInTheirOrderAndNoFurtherThanTheLimit() {
    var odd = Stream.iterate(1L, n -> n + 2).limit(500).toList();
    var even = Stream.iterate(2L, n -> n + 2).limit(3).toList();

    assertThat(scan(merged(odd, even), 9, 5_000))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 9L, 11L);
    assertThat(pages).as("pages of two rows that were read").hasValueLessThan(10);
    assertThat(scan(merged(even, List.of()), 9, 5_000)).isEqualTo(even);
    assertThat(scan(merged(List.of(), even), 9, 5_000)).isEqualTo(even);
    assertThat(scan(merged(List.of(), List.of()), 9, 5_000)).isEmpty();
  }

  private RowSource<Long> merged(List<Long> one, List<Long> other) {
    return RowSource.merged(inPairs(one), inPairs(other), Comparator.naturalOrder());
  }

  private RowSource<Long> inPairs(List<Long> rows) {
    return RowSource.pages(
        0,
        from -> {
          pages.incrementAndGet();
          return CompletableFuture.completedFuture(rows.stream().skip(from).limit(2).toList());
        },
        page -> rows.indexOf(page.getLast()) + 1);
  }

  @Test
  void nothingIsReadBehindTheFirstRowThatIsNotWanted() {
    var some = inPairs(List.of(1L, 2L, 3L, 4L, 5L, 6L)).takeWhile(row -> row < 4);

    assertThat(scan(some, 9, 1_000)).containsExactly(1L, 2L, 3L);
    assertThat(pages).hasValue(2);
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
