package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The outcomes of a node's queues: {@value #IN_ROW} with neighbouring numbers in a row, and for
 * each mark and row which of them have it. A schedule's mark is mostly that of one outcome, an
 * owner's that of many: so a burst of one owner writes little more than a row for each schedule.
 */
final class OutcomeTable implements OutcomeStore {
  /** Many are cheap to write, few are cheap to read one of; the bits of a mark's value. */
  static final int IN_ROW = 16;

  /** So that what was kept under a higher limit goes, too. */
  private static final int FORGOTTEN_FOR_EACH = 2;

  /** Of a mark's hash: nobody finds two marks that share so much of it. */
  private static final int MARK_BYTES = 16;

  private static final int LEAST_FORGOTTEN = 100;

  private final OrderedMap map;

  OutcomeTable(OrderedMap map) {
    this.map = map;
  }

  /** Outcomes whose numbers divided by {@value #IN_ROW} are one. */
  private record Row(long number, List<Ended> outcomes) {
    private static final int OF_EACH =
        Byte.BYTES + Long.BYTES + Short.BYTES + Integer.BYTES; // beside marks and content

    static List<Row> of(Collection<Ended> outcomes) {
      return outcomes.stream()
          .collect(
              Collectors.groupingBy(
                  each -> numberOfRow(each.number()), TreeMap::new, Collectors.toList()))
          .entrySet()
          .stream()
          .map(row -> new Row(row.getKey(), row.getValue()))
          .toList();
    }

    boolean isFull() {
      return outcomes.size() == IN_ROW;
    }

    /** With those that were there before. */
    Row over(Row before) {
      var all = new TreeMap<Long, Ended>();
      before.outcomes.forEach(each -> all.put(each.number(), each));
      outcomes.forEach(each -> all.put(each.number(), each));
      return new Row(number, List.copyOf(all.values()));
    }

    long last() {
      return outcomes.getLast().number();
    }

    /** Each mark with a bit for each that has it. */
    Map<String, Integer> marks() {
      var marks = new HashMap<String, Integer>();
      for (var each : outcomes) {
        int bit = 1 << each.number() % IN_ROW;
        each.marks().forEach(mark -> marks.merge(mark, bit, (some, more) -> some | more));
      }
      return marks;
    }

    byte[] toBytes() {
      var texts =
          outcomes.stream()
              .map(
                  each ->
                      each.marks().stream()
                          .map(mark -> mark.getBytes(StandardCharsets.UTF_8))
                          .toList())
              .toList();
      int length =
          texts.stream().flatMap(List::stream).mapToInt(text -> Short.BYTES + text.length).sum()
              + outcomes.stream().mapToInt(each -> OF_EACH + each.content().length).sum();
      var bytes = ByteBuffer.allocate(length);
      for (int i = 0; i < outcomes.size(); i++) {
        var each = outcomes.get(i);
        bytes.put((byte) (each.number() % IN_ROW)).putLong(each.at().toEpochMilli());
        bytes.putShort((short) texts.get(i).size());
        texts.get(i).forEach(text -> bytes.putShort((short) text.length).put(text));
        bytes.putInt(each.content().length).put(each.content());
      }
      return bytes.array();
    }

    static Row of(long number, byte[] stored) {
      var bytes = ByteBuffer.wrap(stored);
      var outcomes = new ArrayList<Ended>();
      while (bytes.hasRemaining()) {
        long own = number * IN_ROW + bytes.get();
        var at = Instant.ofEpochMilli(bytes.getLong());
        var marks = new ArrayList<String>();
        for (int left = bytes.getShort(); left > 0; left--) {
          marks.add(
              new String(
                  taken(bytes, Short.toUnsignedInt(bytes.getShort())), StandardCharsets.UTF_8));
        }
        outcomes.add(new Ended(own, at, marks, taken(bytes, bytes.getInt())));
      }
      return new Row(number, outcomes);
    }

    private static byte[] taken(ByteBuffer bytes, int length) {
      var taken = new byte[length];
      bytes.get(taken);
      return taken;
    }
  }

  private static long numberOfRow(long outcome) {
    return outcome / IN_ROW;
  }

  @Override
  public CompletionStage<Void> add(String queue, List<Ended> outcomes, long keptFrom) {
    int forgotten = Math.max(LEAST_FORGOTTEN, FORGOTTEN_FOR_EACH * outcomes.size()) / IN_ROW + 1;
    var added = Row.of(outcomes);
    return map.read(stored -> below(queue, keptFrom, forgotten, stored))
        .thenCompose(
            old ->
                map.write(
                    store -> {
                      for (var row : old) {
                        store.delete(rows(queue).number(row.number()));
                        row.marks()
                            .keySet()
                            .forEach(
                                mark -> store.delete(marked(queue, mark).number(row.number())));
                      }
                      if (!old.isEmpty()) {
                        store.raise(from(queue), Layout.bytes(old.getLast().number() + 1));
                      }
                      long from = Layout.number(store.latest(from(queue)));
                      // Nobody would forget a second time what is forgotten.
                      added.stream()
                          .filter(row -> row.number() >= from)
                          .forEach(row -> put(queue, row, store));
                      return null;
                    }));
  }

  private static void put(String queue, Row added, WriteBatch store) {
    var key = rows(queue).number(added.number());
    var row =
        added.isFull()
            ? added
            : store.get(key).map(there -> added.over(Row.of(added.number(), there))).orElse(added);
    store.put(key, row.toBytes());
    row.marks()
        .forEach(
            (mark, bits) ->
                store.put(
                    marked(queue, mark).number(row.number()),
                    ByteBuffer.allocate(Short.BYTES).putShort(bits.shortValue()).array()));
  }

  /** Rows of which nothing is to be kept. */
  private static List<Row> below(String queue, long number, int atMost, Entries stored) {
    long from = firstRow(queue, stored);
    return numberOfRow(number) <= from
        ? List.of()
        : stored.list(
            KeyRange.numbered(rows(queue), from, numberOfRow(number) - 1),
            Order.ASCENDING,
            atMost,
            OutcomeTable::row);
  }

  /**
   * None is below it. Whoever looked from 0 on would read over all that was forgotten: LevelDB
   * keeps a mark for each entry that was deleted until it comes by.
   */
  private static long firstRow(String queue, Entries stored) {
    return Layout.number(stored.get(from(queue)));
  }

  private static Row row(Key key, byte[] value) {
    return Row.of(key.lastNumber(), value);
  }

  @Override
  public CompletionStage<List<Found>> find(String queue, Query query) {
    return map.read(stored -> find(queue, query, stored));
  }

  private static List<Found> find(String queue, Query query, Entries stored) {
    long first = query.since().map(at -> firstAt(queue, at, stored)).orElse(0L);
    long from = notForgotten(queue, Math.max(query.from(), first), stored);
    var outcomes =
        query
            .mark()
            .map(mark -> marked(queue, mark, from, query, stored))
            .orElseGet(() -> all(queue, from, query, stored));
    return outcomes.stream().map(each -> new Found(each.number(), each.content())).toList();
  }

  private static long notForgotten(String queue, long number, Entries stored) {
    return Math.max(number, firstRow(queue, stored) * IN_ROW);
  }

  private static List<Ended> all(String queue, long from, Query query, Entries stored) {
    var range = KeyRange.numbered(rows(queue), numberOfRow(from), Long.MAX_VALUE);
    return page(
        range, from, query, stored, (key, value) -> row(key, value).outcomes(), Ended::number);
  }

  private static List<Ended> marked(
      String queue, String mark, long from, Query query, Entries stored) {
    var range = KeyRange.numbered(marked(queue, mark), numberOfRow(from), Long.MAX_VALUE);
    var numbers = page(range, from, query, stored, OutcomeTable::numbers, Long::longValue);
    var rows =
        stored.all(
            numbers.stream()
                .map(number -> rows(queue).number(numberOfRow(number)))
                .distinct()
                .toList());
    var outcomes = new HashMap<Long, Ended>();
    rows.forEach(
        (key, value) -> row(key, value).outcomes().forEach(it -> outcomes.put(it.number(), it)));
    // One of them may have been forgotten between the two reads.
    return numbers.stream().filter(outcomes::containsKey).map(outcomes::get).toList();
  }

  /**
   * What the rows of a range say, until there is enough of it.
   *
   * @param read what a row says, in the order of its numbers
   */
  private static <T> List<T> page(
      KeyRange range,
      long from,
      Query query,
      Entries stored,
      BiFunction<Key, byte[], List<T>> read,
      ToLongFunction<T> number) {
    var found = new ArrayList<T>();
    stored.scan(
        range,
        query.newestFirst() ? Order.DESCENDING : Order.ASCENDING,
        (key, value) -> {
          var row = read.apply(key, value);
          (query.newestFirst() ? row.reversed() : row)
              .stream()
                  .filter(each -> number.applyAsLong(each) >= from)
                  .limit(query.atMost() - found.size())
                  .forEach(found::add);
          return found.size() < query.atMost();
        });
    return found;
  }

  /** Which outcomes of a row have a mark, by what is under the mark. */
  private static List<Long> numbers(Key key, byte[] bits) {
    int which = ByteBuffer.wrap(bits).getShort();
    return IntStream.range(0, IN_ROW)
        .filter(bit -> (which & 1 << bit) != 0)
        .mapToObj(bit -> key.lastNumber() * IN_ROW + bit)
        .toList();
  }

  /** The first number that came about then or later; after the last if none did. */
  private static long firstAt(String queue, Instant at, Entries stored) {
    long low = first(queue, 0, stored).map(Ended::number).orElse(0L);
    long high =
        stored
            .list(
                KeyRange.numbered(rows(queue), numberOfRow(low), Long.MAX_VALUE),
                Order.DESCENDING,
                1,
                (key, value) -> row(key, value).last() + 1)
            .stream()
            .findFirst()
            .orElse(low);
    while (low < high) {
      long middle = (low + high) >>> 1;
      var there = first(queue, middle, stored);
      if (there.isPresent() && there.get().at().isBefore(at)) {
        low = there.get().number() + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static Optional<Ended> first(String queue, long from, Entries stored) {
    var one = new Query(Optional.empty(), from, Optional.empty(), false, 1);
    return all(queue, notForgotten(queue, from, stored), one, stored).stream().findFirst();
  }

  @Override
  public CompletionStage<Optional<Long>> oldest(String queue) {
    return map.read(stored -> first(queue, 0, stored).map(Ended::number));
  }

  private static Key from(String queue) {
    return Key.in(KeySpace.OUTCOME_FROM).text(queue);
  }

  private static Key rows(String queue) {
    return Key.in(KeySpace.OUTCOME).text(queue);
  }

  /** By the mark's hash: most marks are long, and there is an entry for each schedule. */
  private static Key marked(String queue, String mark) {
    var hash = Hash.sha256(mark.getBytes(StandardCharsets.UTF_8)).toByteArray();
    return Key.in(KeySpace.OUTCOME_MARK).text(queue).raw(Arrays.copyOf(hash, MARK_BYTES));
  }
}
