package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.KeySpace;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The commands that the queues of a node that is one JVM have done. */
final class LevelDbCommandStore implements CommandStore {
  private static final int ID_BYTES = 32;

  private final LevelDb levelDb;
  private final Executor executor;

  /** When a command was done, and which it is: what is at its number. */
  private record Dated(Instant at, Hash id) {
    byte[] toBytes() {
      return ByteBuffer.allocate(Long.BYTES + ID_BYTES)
          .putLong(at.toEpochMilli())
          .put(id.toByteArray())
          .array();
    }

    static Dated of(byte[] bytes) {
      var from = ByteBuffer.wrap(bytes);
      var at = Instant.ofEpochMilli(from.getLong());
      var id = new byte[ID_BYTES];
      from.get(id);
      return new Dated(at, Hash.of(id));
    }
  }

  /**
   * @param executor its threads may wait for the disk
   */
  LevelDbCommandStore(LevelDb levelDb, Executor executor) {
    this.levelDb = levelDb;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Void> add(String queue, long upTo, Instant at, List<Done> commands) {
    return levelDb.write(
        batch -> {
          for (var command : commands) {
            batch.put(content(queue, command.id()), command.content());
            batch.put(ages(queue).number(command.number()), new Dated(at, command.id()).toBytes());
          }
          Layout.raise(batch, count(queue), upTo);
        });
  }

  @Override
  public CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids) {
    return CompletableFuture.supplyAsync(
        () -> {
          var found = new HashMap<Hash, byte[]>();
          for (var id : ids) {
            levelDb.get(content(queue, id)).ifPresent(content -> found.put(id, content));
          }
          return found;
        },
        executor);
  }

  @Override
  public CompletionStage<Extent> extent(String queue) {
    return levelDb.afterEarlierWrites().thenApplyAsync(written -> extentNow(queue), executor);
  }

  private Extent extentNow(String queue) {
    long upTo = Layout.number(levelDb.get(count(queue)));
    return new Extent(oldest(queue, 1).keySet().stream().findFirst().orElse(upTo + 1), upTo);
  }

  @Override
  public CompletionStage<Extent> forget(String queue, Instant before, int atMost) {
    return CompletableFuture.supplyAsync(() -> oldest(queue, atMost), executor)
        .thenCompose(
            oldest -> {
              oldest.values().removeIf(each -> !each.at().isBefore(before));
              return levelDb.write(
                  batch ->
                      oldest.forEach(
                          (number, each) -> {
                            batch.delete(ages(queue).number(number));
                            batch.delete(content(queue, each.id()));
                          }));
            })
        .thenCompose(forgotten -> extent(queue));
  }

  private TreeMap<Long, Dated> oldest(String queue, int atMost) {
    var oldest = new TreeMap<Long, Dated>();
    levelDb.scan(
        KeyRange.startingWith(ages(queue)),
        LevelDb.Order.ASCENDING,
        (key, value) -> {
          oldest.put(key.lastNumber(), Dated.of(value));
          return oldest.size() < atMost;
        });
    return oldest;
  }

  private static Key content(String queue, Hash id) {
    return Key.in(KeySpace.DONE_COMMAND).text(queue).raw(id.toByteArray());
  }

  private static Key ages(String queue) {
    return Key.in(KeySpace.DONE_COMMAND_AGE).text(queue);
  }

  private static Key count(String queue) {
    return Key.in(KeySpace.DONE_COMMAND_COUNT).text(queue);
  }
}
