package dev.sequitur.ethereum;

import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * So many requests are under way at once; the others wait for their turn, in order. What the node
 * itself needs and what its callers ask stand in lines of their own, of which each has every second
 * turn, and callers never have all turns: of neither kind are there ever so many that the other
 * waits for long (CHN-8). Thread-safe.
 */
final class RequestTurns {
  /** Beyond, a request fails: whoever sent it tries again later. Of each line. */
  private static final int MOST_WAITING = 10_000;

  /** One of so many turns is not for callers. */
  private static final int NODES_SHARE = 4;

  private final int mostOfCallers;
  // By this.
  private final Map<Line, Deque<Runnable>> waiting = new EnumMap<>(Line.class);
  private int free;
  private int ofCallers;
  private Line last = Line.CALLERS;

  /** Whose a request is. */
  enum Line {
    /** The node's own, such as its look for a new block. */
    NODE,
    /** Of those who call the node, as many as there are. */
    CALLERS;

    private Line other() {
      return this == NODE ? CALLERS : NODE;
    }
  }

  /**
   * @param most at once
   */
  RequestTurns(int most) {
    free = most;
    mostOfCallers = most == 1 ? 1 : most - Math.max(1, most / NODES_SHARE);
    for (var line : Line.values()) {
      waiting.put(line, new ArrayDeque<>());
    }
  }

  <T> CompletionStage<T> take(Line line, Supplier<CompletionStage<T>> request) {
    var answer = new CompletableFuture<T>();
    Runnable turn =
        () ->
            begun(request)
                .whenComplete(
                    (value, failure) -> {
                      end(line);
                      if (failure == null) {
                        answer.complete(value);
                      } else {
                        answer.completeExceptionally(failure);
                      }
                    });
    synchronized (this) {
      if (mayBegin(line)) {
        begin(line);
      } else if (waiting.get(line).size() < MOST_WAITING) {
        waiting.get(line).addLast(turn);
        return answer;
      } else {
        return CompletableFuture.failedFuture(
            new LedgerUnreachableException(
                "%d requests wait for the chain's nodes, which answer more slowly than they are asked: name faster ones, or raise requests.at-once of that chain."
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

  private boolean mayBegin(Line line) {
    return free > 0 && (line == Line.NODE || ofCallers < mostOfCallers);
  }

  private void begin(Line line) {
    free--;
    ofCallers += line == Line.CALLERS ? 1 : 0;
    last = line;
  }

  private void end(Line line) {
    Optional<Runnable> next;
    synchronized (this) {
      free++;
      ofCallers -= line == Line.CALLERS ? 1 : 0;
      next =
          Stream.of(last.other(), last)
              .filter(one -> !waiting.get(one).isEmpty() && mayBegin(one))
              .findFirst()
              .map(
                  one -> {
                    begin(one);
                    return waiting.get(one).removeFirst();
                  });
    }
    next.ifPresent(Runnable::run);
  }
}
