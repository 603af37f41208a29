package dev.sequitur.persistence.map;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Forgets everything with the process. Answers at once, on the thread that asks. Keeps the bytes
 * that it is given.
 */
public final class MemoryMap implements OrderedMap {
  private final NavigableMap<Key, byte[]> content = new TreeMap<>();
  private final Entries stored = new Stored();

  @Override
  public <T> CompletionStage<T> read(Function<Entries, T> question) {
    return answer(() -> question.apply(stored));
  }

  @Override
  public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
    return answer(
        () -> {
          synchronized (content) {
            var batch = new WriteBatch(key -> Optional.ofNullable(content.get(key)));
            var result = change.apply(batch);
            batch
                .changes()
                .forEach(
                    (key, value) ->
                        value.ifPresentOrElse(
                            present -> content.put(key, present), () -> content.remove(key)));
            return result;
          }
        });
  }

  @Override
  public CompletionStage<Void> afterEarlierWrites() {
    return CompletableFuture.completedFuture(null);
  }

  private static <T> CompletionStage<T> answer(Supplier<T> what) {
    try {
      return CompletableFuture.completedFuture(what.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private final class Stored implements Entries {
    @Override
    public Optional<byte[]> get(Key key) {
      synchronized (content) {
        return Optional.ofNullable(content.get(key));
      }
    }

    @Override
    public Map<Key, byte[]> all(Collection<Key> keys) {
      var found = new HashMap<Key, byte[]>();
      keys.forEach(key -> get(key).ifPresent(value -> found.put(key, value)));
      return found;
    }

    @Override
    public <T> List<T> list(
        KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
      return inside(range, order).entrySet().stream()
          .limit(most)
          .map(entry -> read.apply(entry.getKey(), entry.getValue()))
          .toList();
    }

    @Override
    public List<Key> keys(KeyRange range, Order order) {
      return List.copyOf(inside(range, order).keySet());
    }

    @Override
    public void scan(KeyRange range, Order order, Visitor visitor) {
      for (var entry : inside(range, order).entrySet()) {
        if (!visitor.visit(entry.getKey(), entry.getValue())) {
          return;
        }
      }
    }

    /** As they are at this moment. */
    private NavigableMap<Key, byte[]> inside(KeyRange range, Order order) {
      if (range.isEmpty()) {
        return new TreeMap<>();
      }
      synchronized (content) {
        var all = new TreeMap<>(content.subMap(range.from(), true, range.until(), false));
        return switch (order) {
          case ASCENDING -> all;
          case DESCENDING -> all.descendingMap();
        };
      }
    }
  }
}
