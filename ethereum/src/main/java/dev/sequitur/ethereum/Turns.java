package dev.sequitur.ethereum;

import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** So many requests are under way at once; the others wait for their turn, in order. */
final class Turns {
  /** Beyond, a request fails: whoever sent it tries again later. */
  private static final int MOST_WAITING = 10_000;

  // By this.
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int free;

  /**
   * @param most at once
   */
  Turns(int most) {
    free = most;
  }

  <T> CompletionStage<T> take(Supplier<CompletionStage<T>> request) {
    var answer = new CompletableFuture<T>();
    Runnable turn =
        () ->
            begun(request)
                .whenComplete(
                    (value, failure) -> {
                      end();
                      if (failure == null) {
                        answer.complete(value);
                      } else {
                        answer.completeExceptionally(failure);
                      }
                    });
    synchronized (this) {
      if (free > 0) {
        free--;
      } else if (waiting.size() < MOST_WAITING) {
        waiting.addLast(turn);
        return answer;
      } else {
        return CompletableFuture.failedFuture(
            new LedgerUnreachableException(
                "%d requests wait for the chain's nodes, which answer more slowly than they are asked: name faster ones, or raise ledger.ethereum.requests.at-once."
                    .formatted(MOST_WAITING)));
      }
    }
    turn.run();
    return answer;
  }

  private static <T> CompletionStage<T> begun(Supplier<CompletionStage<T>> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void end() {
    Runnable next;
    synchronized (this) {
      next = waiting.pollFirst();
      if (next == null) {
        free++;
      }
    }
    if (next != null) {
      next.run();
    }
  }
}
