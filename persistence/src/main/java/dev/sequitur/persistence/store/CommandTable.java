package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The commands that the queues of a node have done, by their ids and by their numbers. */
final class CommandTable implements CommandStore {
  private static final int ID_BYTES = 32;

  private final OrderedMap map;

  CommandTable(OrderedMap map) {
    this.map = map;
  }

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

  /** One that may be forgotten. */
  private record Numbered(long number, Dated dated) {}

  @Override
  public CompletionStage<Void> add(String queue, long upTo, Instant at, List<Done> commands) {
    return map.write(
        store -> {
          long from = Layout.number(store.latest(from(queue)));
          for (var command : commands) {
            if (command.number() < from) {
              // It is forgotten, and nobody would forget it a second time.
              continue;
            }
            store.put(content(queue, command.id()), command.content());
            store.put(ages(queue).number(command.number()), new Dated(at, command.id()).toBytes());
          }
          store.raise(count(queue), Layout.bytes(upTo));
          return null;
        });
  }

  @Override
  public CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids) {
    return map.read(
        stored -> {
          var all = stored.all(ids.stream().map(id -> content(queue, id)).toList());
          var found = new HashMap<Hash, byte[]>();
          for (var id : ids) {
            var content = all.get(content(queue, id));
            if (content != null) {
              found.put(id, content);
            }
          }
          return found;
        });
  }

  @Override
  public CompletionStage<Extent> extent(String queue) {
    return map.afterEarlierWrites()
        .thenCompose(written -> map.read(stored -> extent(queue, stored)));
  }

  private static Extent extent(String queue, Entries stored) {
    long upTo = Layout.number(stored.get(count(queue)));
    return new Extent(
        oldest(queue, 1, stored).stream().map(Numbered::number).findFirst().orElse(upTo + 1), upTo);
  }

  @Override
  public CompletionStage<Extent> forget(String queue, Instant before, int atMost) {
    return map.read(stored -> oldestBefore(queue, before, atMost, stored))
        .thenCompose(
            old ->
                old.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : map.write(
                        store -> {
                          for (var each : old) {
                            store.delete(ages(queue).number(each.number()));
                            store.delete(content(queue, each.dated().id()));
                          }
                          store.raise(from(queue), Layout.bytes(old.getLast().number() + 1));
                          return null;
                        }))
        .thenCompose(forgotten -> extent(queue));
  }

  /** It is asked after each write, and mostly the oldest is not old enough: that is read alone. */
  private static List<Numbered> oldestBefore(
      String queue, Instant before, int atMost, Entries stored) {
    if (oldest(queue, 1, stored).stream().noneMatch(each -> each.dated().at().isBefore(before))) {
      return List.of();
    }
    return oldest(queue, atMost, stored).stream()
        .filter(each -> each.dated().at().isBefore(before))
        .toList();
  }

  /**
   * From where it was forgotten up to: whoever looked from 0 on would read over all that was
   * forgotten, since LevelDB keeps a mark for each entry that was deleted until it comes by.
   */
  private static List<Numbered> oldest(String queue, int atMost, Entries stored) {
    long from = Layout.number(stored.get(from(queue)));
    return stored.list(
        KeyRange.numbered(ages(queue), from, Long.MAX_VALUE),
        Order.ASCENDING,
        atMost,
        (key, value) -> new Numbered(key.lastNumber(), Dated.of(value)));
  }

  private static Key content(String queue, Hash id) {
    return Key.in(KeySpace.DONE_COMMAND).text(queue).raw(id.toByteArray());
  }

  private static Key ages(String queue) {
    return Key.in(KeySpace.DONE_COMMAND_AGE).text(queue);
  }

  private static Key from(String queue) {
    return Key.in(KeySpace.DONE_COMMAND_FROM).text(queue);
  }

  private static Key count(String queue) {
    return Key.in(KeySpace.DONE_COMMAND_COUNT).text(queue);
  }
}
