package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The outcomes of a node's queues: each at its number, and at its number under each mark. */
final class OutcomeTable implements OutcomeStore {
  /** So that what was kept under a higher limit goes, too. */
  private static final int FORGOTTEN_FOR_EACH = 2;

  private static final int LEAST_FORGOTTEN = 100;
  private static final byte[] NOTHING = {};

  private final OrderedMap map;

  OutcomeTable(OrderedMap map) {
    this.map = map;
  }

  /** What is at a number: when, the marks, and the queue's own bytes. */
  private record Row(Instant at, List<String> marks, byte[] content) {
    byte[] toBytes() {
      var texts = marks.stream().map(mark -> mark.getBytes(StandardCharsets.UTF_8)).toList();
      int length = texts.stream().mapToInt(text -> Short.BYTES + text.length).sum();
      var bytes = ByteBuffer.allocate(Long.BYTES + Short.BYTES + length + content.length);
      bytes.putLong(at.toEpochMilli()).putShort((short) texts.size());
      texts.forEach(text -> bytes.putShort((short) text.length).put(text));
      return bytes.put(content).array();
    }

    static Row of(byte[] stored) {
      var bytes = ByteBuffer.wrap(stored);
      var at = Instant.ofEpochMilli(bytes.getLong());
      var marks = new ArrayList<String>();
      for (int left = bytes.getShort(); left > 0; left--) {
        var text = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(text);
        marks.add(new String(text, StandardCharsets.UTF_8));
      }
      var content = new byte[bytes.remaining()];
      bytes.get(content);
      return new Row(at, marks, content);
    }
  }

  private record Numbered(long number, Row row) {}

  @Override
  public CompletionStage<Void> add(String queue, List<Ended> outcomes, long keptFrom) {
    int forgotten = Math.max(LEAST_FORGOTTEN, FORGOTTEN_FOR_EACH * outcomes.size());
    return map.read(stored -> below(queue, keptFrom, forgotten, stored))
        .thenCompose(
            old ->
                map.write(
                    store -> {
                      for (var each : old) {
                        store.delete(rows(queue).number(each.number()));
                        for (var mark : each.row().marks()) {
                          store.delete(marked(queue, mark).number(each.number()));
                        }
                      }
                      for (var each : outcomes) {
                        store.put(
                            rows(queue).number(each.number()),
                            new Row(each.at(), each.marks(), each.content()).toBytes());
                        for (var mark : each.marks()) {
                          store.put(marked(queue, mark).number(each.number()), NOTHING);
                        }
                      }
                      return null;
                    }));
  }

  private static List<Numbered> below(String queue, long number, int atMost, Entries stored) {
    return number <= 0
        ? List.of()
        : stored.list(
            KeyRange.numbered(rows(queue), 0, number - 1),
            Order.ASCENDING,
            atMost,
            (key, value) -> new Numbered(key.lastNumber(), Row.of(value)));
  }

  @Override
  public CompletionStage<List<Found>> find(String queue, Query query) {
    return map.read(stored -> find(queue, query, stored));
  }

  private static List<Found> find(String queue, Query query, Entries stored) {
    long from =
        Math.max(query.from(), query.since().map(at -> firstAt(queue, at, stored)).orElse(0L));
    var order = query.newestFirst() ? Order.DESCENDING : Order.ASCENDING;
    if (query.mark().isEmpty()) {
      return stored.list(
          KeyRange.numbered(rows(queue), from, Long.MAX_VALUE),
          order,
          query.atMost(),
          (key, value) -> new Found(key.lastNumber(), Row.of(value).content()));
    }
    var keys =
        stored.list(
            KeyRange.numbered(marked(queue, query.mark().get()), from, Long.MAX_VALUE),
            order,
            query.atMost(),
            (key, value) -> rows(queue).number(key.lastNumber()));
    var all = stored.all(keys);
    // One of them may have been forgotten between the two reads.
    return keys.stream()
        .filter(all::containsKey)
        .map(key -> new Found(key.lastNumber(), Row.of(all.get(key)).content()))
        .toList();
  }

  /** The first number that came about then or later; after the last if none did. */
  private static long firstAt(String queue, Instant at, Entries stored) {
    long low = first(queue, 0, stored).map(Numbered::number).orElse(0L);
    long high =
        stored
            .list(
                KeyRange.numbered(rows(queue), 0, Long.MAX_VALUE),
                Order.DESCENDING,
                1,
                (key, value) -> key.lastNumber() + 1)
            .stream()
            .findFirst()
            .orElse(low);
    while (low < high) {
      long middle = (low + high) >>> 1;
      var there = first(queue, middle, stored);
      if (there.isPresent() && there.get().row().at().isBefore(at)) {
        low = there.get().number() + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static Optional<Numbered> first(String queue, long from, Entries stored) {
    return stored
        .list(
            KeyRange.numbered(rows(queue), from, Long.MAX_VALUE),
            Order.ASCENDING,
            1,
            (key, value) -> new Numbered(key.lastNumber(), Row.of(value)))
        .stream()
        .findFirst();
  }

  @Override
  public CompletionStage<Optional<Long>> oldest(String queue) {
    return map.read(stored -> first(queue, 0, stored).map(Numbered::number));
  }

  private static Key rows(String queue) {
    return Key.in(KeySpace.OUTCOME).text(queue);
  }

  private static Key marked(String queue, String mark) {
    return Key.in(KeySpace.OUTCOME_MARK).text(queue).text(mark);
  }
}
