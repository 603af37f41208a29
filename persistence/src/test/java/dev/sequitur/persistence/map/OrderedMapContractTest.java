package dev.sequitur.persistence.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.OrderedMap.Order;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a map promises, whatever it is over. */
public abstract class OrderedMapContractTest {
  protected static final Key ROOM = Key.in(KeySpace.NODE_STORE).octet(99);

  /** An empty one, the same for the whole of a test. */
  protected abstract OrderedMap map();

  /** As the next process finds it. */
  protected abstract OrderedMap reopened();

  protected static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  protected static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  protected static long number(Optional<byte[]> bytes) {
    return bytes.map(some -> ByteBuffer.wrap(some).getLong()).orElse(0L);
  }

  private static CompletionStage<Void> put(OrderedMap map, Key key, byte[] value) {
    return map.write(
        store -> {
          store.put(key, value);
          return null;
        });
  }

  protected static Optional<byte[]> at(OrderedMap map, Key key) {
    return get(map.read(stored -> stored.get(key)));
  }

  protected static Map<Key, byte[]> all(OrderedMap map, List<Key> keys) {
    return get(map.read(stored -> stored.all(keys)));
  }

  protected static long counted(OrderedMap map) {
    return get(map.read(stored -> number(stored.get(ROOM))));
  }

  protected static long increment(WriteBatch store) {
    long next = number(store.get(ROOM)) + 1;
    store.put(ROOM, bytes(next));
    return next;
  }

  @Test
  void whatIsPutIsThereUntilItIsDeletedAlsoForTheNextProcess() {
    get(put(map(), ROOM.number(1), bytes(7)));
    get(put(map(), ROOM.number(2), new byte[0]));
    get(put(map(), ROOM.number(2), new byte[0]));
    get(put(map(), ROOM.number(1), bytes(8)));

    var again = reopened();

    assertThat(at(again, ROOM.number(1)).orElseThrow()).isEqualTo(bytes(8));
    assertThat(at(again, ROOM.number(2)).orElseThrow()).isEmpty();
    get(
        again.write(
            store -> {
              store.delete(ROOM.number(1));
              store.delete(ROOM.number(3));
              return null;
            }));
    assertThat(at(again, ROOM.number(1))).isEmpty();
  }

  @Test
  void manyAreAskedForAtOnceAndThoseThatAreThereAreAnswered() {
    get(put(map(), ROOM.number(1), bytes(7)));
    get(put(map(), ROOM.number(300), bytes(8)));

    var keys = LongStream.range(0, 10_000).mapToObj(ROOM::number).toList();
    var found = all(map(), keys);

    assertThat(found).containsOnlyKeys(ROOM.number(1), ROOM.number(300));
    assertThat(found.get(ROOM.number(300))).isEqualTo(bytes(8));
    assertThat(all(map(), List.of())).isEmpty();
  }

  @Test
  void aRangeIsInTheOrderOfBytesWithoutTheirSignAndEndsBeforeItsEnd() {
    var sorted =
        Stream.of("00", "00ff", "01", "7f", "80", "80ff", "ff")
            .map(hex -> ROOM.raw(HexFormat.of().parseHex(hex)))
            .toList();
    get(
        map()
            .write(
                store -> {
                  sorted.forEach(key -> store.put(key, bytes(1)));
                  store.put(Key.in(KeySpace.NODE_STORE).octet(98).octet(255), bytes(1));
                  store.put(Key.in(KeySpace.NODE_STORE).octet(100), bytes(1));
                  return null;
                }));
    var room = KeyRange.startingWith(ROOM);

    assertThat(keys(room, Order.ASCENDING, 100)).isEqualTo(sorted);
    assertThat(keys(room, Order.DESCENDING, 100)).isEqualTo(sorted.reversed());
    assertThat(keys(room, Order.ASCENDING, 2)).isEqualTo(sorted.subList(0, 2));
    assertThat(keys(room, Order.DESCENDING, 2)).isEqualTo(sorted.reversed().subList(0, 2));
    assertThat(keys(new KeyRange(sorted.get(1), sorted.get(4)), Order.ASCENDING, 100))
        .isEqualTo(sorted.subList(1, 4));
    assertThat(keys(new KeyRange(sorted.get(4), sorted.get(1)), Order.ASCENDING, 100)).isEmpty();
    assertThat(keysAlone(room, Order.ASCENDING)).isEqualTo(sorted);
    assertThat(keysAlone(room, Order.DESCENDING)).isEqualTo(sorted.reversed());
    assertThat(keysAlone(new KeyRange(sorted.get(1), sorted.get(4)), Order.ASCENDING))
        .isEqualTo(sorted.subList(1, 4));
  }

  private List<Key> keys(KeyRange range, Order order, int most) {
    return get(map().read(stored -> stored.list(range, order, most, (key, value) -> key)));
  }

  private List<Key> keysAlone(KeyRange range, Order order) {
    return get(map().read(stored -> stored.keys(range, order)));
  }

  @Test
  void aLongRangeIsVisitedWholeOrUntilItIsEnough() {
    get(
        map()
            .write(
                store -> {
                  IntStream.range(0, 12_000).forEach(i -> store.put(ROOM.number(i), bytes(i)));
                  return null;
                }));
    var room = KeyRange.startingWith(ROOM);

    var visited =
        get(
            map()
                .read(
                    stored -> {
                      var all = new ArrayList<Long>();
                      stored.scan(
                          room,
                          Order.ASCENDING,
                          (key, value) -> {
                            all.add(key.lastNumber());
                            return true;
                          });
                      var some = new ArrayList<Long>();
                      stored.scan(
                          room,
                          Order.DESCENDING,
                          (key, value) -> {
                            some.add(key.lastNumber());
                            return some.size() < 3;
                          });
                      return List.of(all, some);
                    }));

    assertThat(visited.get(0)).isEqualTo(LongStream.range(0, 12_000).boxed().toList());
    assertThat(visited.get(1)).containsExactly(11_999L, 11_998L, 11_997L);
    assertThat(keys(room, Order.ASCENDING, Integer.MAX_VALUE)).hasSize(12_000);
  }

  @Test
  void eachChangeReadsWhatThoseBeforeItHaveLeft() {
    var counted =
        IntStream.range(0, 500)
            .mapToObj(i -> map().write(OrderedMapContractTest::increment))
            .toList()
            .stream()
            .map(OrderedMapContractTest::get)
            .toList();

    assertThat(counted).isEqualTo(LongStream.rangeClosed(1, 500).boxed().toList());
    assertThat(counted(reopened())).isEqualTo(500);
  }

  /** What it finds leads it on, and what it puts and deletes it sees. */
  @Test
  void aChangeReadsAsDeepAsItLikes() {
    for (int i = 1; i < 10; i++) {
      get(put(map(), ROOM.number(i), bytes(i + 1)));
    }

    var read =
        get(
            map()
                .write(
                    store -> {
                      long at = 1;
                      while (store.get(ROOM.number(at)).isPresent()) {
                        at = number(store.get(ROOM.number(at)));
                      }
                      store.put(ROOM.number(at), bytes(at + 1));
                      store.delete(ROOM.number(1));
                      return List.of(
                          at,
                          number(store.get(ROOM.number(at))),
                          number(store.get(ROOM.number(1))));
                    }));

    assertThat(read).containsExactly(10L, 11L, 0L);
    assertThat(keys(KeyRange.startingWith(ROOM), Order.ASCENDING, 100))
        .isEqualTo(LongStream.rangeClosed(2, 10).mapToObj(ROOM::number).toList());
  }

  @Test
  void aChangeThatThrowsChangesNothingAndHarmsNoOther() {
    var answers = new ArrayList<CompletionStage<Long>>();
    for (int i = 0; i < 20; i++) {
      boolean bad = i % 2 == 1;
      answers.add(
          map()
              .write(
                  store -> {
                    long next = increment(store);
                    if (bad) {
                      throw new IllegalArgumentException("not this one");
                    }
                    return next;
                  }));
    }

    for (int i = 0; i < 20; i++) {
      var answer = answers.get(i);
      if (i % 2 == 1) {
        assertThatThrownBy(() -> get(answer))
            .hasRootCauseInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("not this one");
      } else {
        assertThat(get(answer)).isEqualTo(i / 2 + 1);
      }
    }
    assertThat(counted(map())).isEqualTo(10);
  }

  @Test
  void whoAsksAfterEarlierWritesFindsThem() {
    var done = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      var unused =
          map()
              .write(OrderedMapContractTest::increment)
              .whenComplete((any, failure) -> done.incrementAndGet());
    }

    long found =
        get(
            map()
                .afterEarlierWrites()
                .thenCompose(any -> map().read(stored -> number(stored.get(ROOM)))));

    assertThat(found).isEqualTo(50);
    get(map().afterEarlierWrites());
  }
}
