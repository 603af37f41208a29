package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.store.OutcomeStore.Query;
import dev.sequitur.protocol.id.Hash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Nobody looks for what is forgotten: in LevelDB that would be to read over each of its marks. */
class ForgottenOnceTest {
  private static final Instant MORNING = Instant.parse("2030-01-31T08:00:00Z");
  private static final byte[] CONTENT = {1};

  private final Ranges map = new Ranges(new MemoryMap());

  @Test
  void outcomesAreLookedForFromWhereTheyWereForgottenUpTo() {
    var store = new OutcomeTable(map);
    store.add("a", outcomes(0, 999), 0).toCompletableFuture().join();
    store.add("a", outcomes(1_000, 1_499), 800).toCompletableFuture().join();

    map.asked.clear();
    store.add("a", outcomes(1_500, 1_500), 1_000).toCompletableFuture().join();
    store.oldest("a").toCompletableFuture().join();
    var since = Optional.of(MORNING.plusSeconds(1_200));
    store.find("a", new Query(Optional.empty(), 0, since, false, 1)).toCompletableFuture().join();

    assertThat(map.asked)
        .allSatisfy(range -> assertThat(firstOf(range)).isGreaterThanOrEqualTo(50));
  }

  @Test
  void whatIsForgottenIsNotAddedAgain() {
    var store = new OutcomeTable(map);
    store.add("a", outcomes(0, 999), 0).toCompletableFuture().join();
    store.add("a", outcomes(1_000, 1_499), 800).toCompletableFuture().join();

    store.add("a", outcomes(100, 200), 800).toCompletableFuture().join();

    for (var space : List.of(KeySpace.OUTCOME, KeySpace.OUTCOME_MARK)) {
      assertThat(keys(space)).allSatisfy(key -> assertThat(key.lastNumber()).isGreaterThan(49));
    }
  }

  private List<Key> keys(KeySpace space) {
    return map.read(stored -> stored.keys(KeyRange.startingWith(Key.in(space)), Order.ASCENDING))
        .toCompletableFuture()
        .join();
  }

  @Test
  void commandsAreLookedForFromWhereTheyWereForgottenUpTo() {
    var store = new CommandTable(map);
    store.add("a", 100, MORNING, commands(1, 100)).toCompletableFuture().join();
    store.add("a", 200, MORNING.plusSeconds(1), commands(101, 200)).toCompletableFuture().join();
    store.forget("a", MORNING.plusMillis(1), 60).toCompletableFuture().join();

    map.asked.clear();
    store.add("a", 200, MORNING.plusSeconds(1), commands(50, 61)).toCompletableFuture().join();
    var extent = store.forget("a", MORNING, 60).toCompletableFuture().join();

    assertThat(extent).isEqualTo(new CommandStore.Extent(61, 200));
    assertThat(store.find("a", List.of(Hash.sha256(new byte[] {60}))).toCompletableFuture().join())
        .isEmpty();
    assertThat(map.asked).allSatisfy(range -> assertThat(firstOf(range)).isEqualTo(61));
  }

  private static long firstOf(KeyRange range) {
    return range.from().lastNumber();
  }

  private static List<OutcomeStore.Ended> outcomes(long first, long last) {
    return LongStream.rangeClosed(first, last)
        .mapToObj(
            number ->
                new OutcomeStore.Ended(
                    number, MORNING.plusSeconds(number), List.of("mark"), CONTENT))
        .toList();
  }

  private static List<CommandStore.Done> commands(long first, long last) {
    return LongStream.rangeClosed(first, last)
        .mapToObj(
            number ->
                new CommandStore.Done(number, Hash.sha256(new byte[] {(byte) number}), CONTENT))
        .toList();
  }

  /** Remembers which ranges were read. */
  private record Ranges(OrderedMap map, List<KeyRange> asked) implements OrderedMap {
    Ranges(OrderedMap map) {
      this(map, new ArrayList<>());
    }

    @Override
    public <T> CompletionStage<T> read(Function<Entries, T> question) {
      return map.read(stored -> question.apply(new Asked(stored, asked)));
    }

    @Override
    public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
      return map.write(change);
    }

    @Override
    public CompletionStage<Void> afterEarlierWrites() {
      return map.afterEarlierWrites();
    }
  }

  private record Asked(OrderedMap.Entries stored, List<KeyRange> asked)
      implements OrderedMap.Entries {
    @Override
    public Optional<byte[]> get(Key key) {
      return stored.get(key);
    }

    @Override
    public Map<Key, byte[]> all(Collection<Key> keys) {
      return stored.all(keys);
    }

    @Override
    public <T> List<T> list(
        KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
      asked.add(range);
      return stored.list(range, order, most, read);
    }

    @Override
    public List<Key> keys(KeyRange range, Order order) {
      asked.add(range);
      return stored.keys(range, order);
    }

    @Override
    public void scan(KeyRange range, Order order, OrderedMap.Visitor visitor) {
      asked.add(range);
      stored.scan(range, order, visitor);
    }
  }
}
