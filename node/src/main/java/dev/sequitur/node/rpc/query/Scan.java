package dev.sequitur.node.rpc.query;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Answers a query by going through the rows of a source: stops as soon as the answer is complete,
 * keeps no more rows than the query's limit, and gives up, with an error, after a bounded number,
 * once those that it keeps have too many bytes to be answered, or once its call is answered.
 * Confined to one query; its pages come one after another.
 */
public final class Scan<R> {
  private final RowSource<R> source;
  private final Query<R> query;
  private final Predicate<R> meant;
  private final Bounds<R> bounds;
  private final Optional<Comparator<R>> order;
  private final PriorityQueue<R> best;
  private final List<R> found = new ArrayList<>();
  private int scanned;

  /**
   * @param rows to look at
   * @param kept what the rows that are kept have together
   * @param bytesOf about as many as a row will have in the answer
   */
  public record Bounds<R>(int rows, KeptBytes.Share kept, ToLongFunction<R> bytesOf) {}

  private Scan(
      RowSource<R> source,
      Query<R> query,
      Predicate<R> meant,
      Bounds<R> bounds,
      Optional<Comparator<R>> order) {
    this.source = source;
    this.query = query;
    this.meant = meant;
    this.bounds = bounds;
    this.order = order;
    // The worst of what is kept comes first, to be replaced.
    this.best = order.map(by -> new PriorityQueue<R>(by.reversed())).orElseGet(PriorityQueue::new);
  }

  /**
   * @param meant the rows of the source that there are for whoever asks; all are looked at
   * @param inOrder whether the source's order is the one that the query wants
   * @return fails with {@link RpcFailure} if the bounds do not suffice
   */
  public static <R> CompletionStage<List<R>> run(
      RowSource<R> source, Query<R> query, Predicate<R> meant, boolean inOrder, Bounds<R> bounds) {
    return new Scan<>(source, query, meant, bounds, inOrder ? Optional.empty() : query.comparator())
        .nextPage();
  }

  private CompletionStage<List<R>> nextPage() {
    bounds.kept().mustBeAwaited();
    return source.next().thenCompose(this::take);
  }

  private CompletionStage<List<R>> take(List<R> page) {
    if (page.isEmpty()) {
      return CompletableFuture.completedFuture(result());
    }
    for (var row : page) {
      if (scanned++ >= bounds.rows()) {
        throw tooBroad(bounds.rows());
      }
      if (meant.test(row) && query.matches(row)) {
        keep(row);
        if (order.isEmpty() && found.size() == query.limit()) {
          return CompletableFuture.completedFuture(result());
        }
      }
    }
    return nextPage();
  }

  private void keep(R row) {
    if (order.isEmpty()) {
      found.add(row);
    } else {
      best.add(row);
      if (best.size() > query.limit()) {
        bounds.kept().giveBack(bounds.bytesOf().applyAsLong(best.poll()));
      }
    }
    bounds.kept().take(bounds.bytesOf().applyAsLong(row));
  }

  private List<R> result() {
    order.ifPresent(
        by -> {
          found.addAll(best);
          found.sort(by);
        });
    return found;
  }

  /** A page of a source that was read and not told. */
  private static final class Ahead<R> {
    private final RowSource<R> source;
    private final ArrayDeque<R> rows = new ArrayDeque<>();
    private boolean over;

    private Ahead(RowSource<R> source) {
      this.source = source;
    }

    private void moveTo(List<R> taken) {
      taken.addAll(rows);
      rows.clear();
    }

    private CompletionStage<Void> read() {
      return over || !rows.isEmpty()
          ? CompletableFuture.completedFuture(null)
          : source
              .next()
              .thenAccept(
                  page -> {
                    over = page.isEmpty();
                    rows.addAll(page);
                  });
    }
  }

  /** Of what has looked at so many rows. */
  public static RpcFailure tooBroad(int rows) {
    return new RpcFailure(
        ErrorCode.QUERY_TOO_BROAD,
        "The query looked at %d rows and was not done. Ask for an id, for newer rows only, with a smaller limit, or without a sort of your own."
            .formatted(rows));
  }

  /** Rows in some order, page by page. Asked for one page at a time. */
  @FunctionalInterface
  public interface RowSource<R> {
    /** The next rows; empty once there are no more. */
    CompletionStage<List<R>> next();

    /** Each of them as something else. */
    default <T> RowSource<T> as(Function<R, T> made) {
      var source = this;
      return () -> source.next().thenApply(page -> page.stream().map(made).toList());
    }

    /** Up to the first that is not wanted, behind which none is. */
    default RowSource<R> takeWhile(Predicate<R> wanted) {
      var source = this;
      return new RowSource<>() {
        private boolean over;

        @Override
        public CompletionStage<List<R>> next() {
          return over
              ? CompletableFuture.completedFuture(List.of())
              : source
                  .next()
                  .thenApply(
                      page -> {
                        var taken = page.stream().takeWhile(wanted).toList();
                        over = taken.size() < page.size();
                        return taken;
                      });
        }
      };
    }

    /**
     * The rows of both.
     *
     * @param order that each of the two has
     */
    static <R> RowSource<R> merged(RowSource<R> one, RowSource<R> other, Comparator<R> order) {
      return new RowSource<>() {
        private final Ahead<R> first = new Ahead<>(one);
        private final Ahead<R> second = new Ahead<>(other);

        @Override
        public CompletionStage<List<R>> next() {
          return first.read().thenCompose(read -> second.read()).thenApply(read -> merge());
        }

        /** As far as both are known. */
        private List<R> merge() {
          var merged = new ArrayList<R>();
          while (!first.rows.isEmpty() && !second.rows.isEmpty()) {
            var nearer = order.compare(first.rows.peek(), second.rows.peek()) <= 0 ? first : second;
            merged.add(nearer.rows.poll());
          }
          if (first.over) {
            second.moveTo(merged);
          }
          if (second.over) {
            first.moveTo(merged);
          }
          return merged;
        }
      };
    }

    /** All at once. */
    static <R> RowSource<R> once(List<R> rows) {
      return pages(rows, CompletableFuture::completedFuture, page -> List.of());
    }

    /**
     * Pages that are read one after another.
     *
     * @param first where the first begins
     * @param read the page that begins there
     * @param next where the one after a page begins, which has rows
     */
    static <P, R> RowSource<R> pages(
        P first, Function<P, ? extends CompletionStage<List<R>>> read, Function<List<R>, P> next) {
      return new RowSource<>() {
        private P place = first;

        @Override
        public CompletionStage<List<R>> next() {
          return read.apply(place)
              .thenApply(
                  page -> {
                    if (!page.isEmpty()) {
                      place = next.apply(page);
                    }
                    return page;
                  });
        }
      };
    }

    /**
     * Rows that are numbered without a gap, the last first.
     *
     * @param lowest the number of the first row
     * @param highest the number of the last; below the first if there is none
     * @param read rows in their order, from a number on
     */
    static <R> RowSource<R> backwards(
        long lowest,
        long highest,
        int page,
        BiFunction<Long, Integer, CompletionStage<List<R>>> read) {
      return new RowSource<>() {
        private long top = highest;

        @Override
        public CompletionStage<List<R>> next() {
          if (top < lowest) {
            return CompletableFuture.completedFuture(List.of());
          }
          long from = Math.max(lowest, top - page + 1);
          int count = (int) (top - from + 1);
          top = from - 1;
          return read.apply(from, count).thenApply(List::reversed);
        }
      };
    }
  }
}
