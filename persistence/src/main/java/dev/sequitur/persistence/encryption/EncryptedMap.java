package dev.sequitur.persistence.encryption;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.WriteBatch;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A map that encrypts values before the map beneath stores them, counters among them. So the map
 * beneath may give no numbers of its own, as one over a database does.
 */
final class EncryptedMap implements OrderedMap {
  private final OrderedMap map;
  private final SegmentKeys keys;

  EncryptedMap(OrderedMap map, SegmentKeys keys) {
    this.map = map;
    this.keys = keys;
  }

  @Override
  public <T> CompletionStage<T> read(Function<Entries, T> question) {
    return map.read(stored -> question.apply(new Opened(stored)));
  }

  @Override
  public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
    return map.write(
        stored -> {
          var opened = new WriteBatch(key -> stored.get(key).map(value -> keys.open(key, value)));
          var answer = change.apply(opened);
          opened
              .changes()
              .forEach(
                  (key, value) ->
                      value.ifPresentOrElse(
                          some -> stored.put(key, keys.seal(key, some)), () -> stored.delete(key)));
          return answer;
        });
  }

  @Override
  public CompletionStage<Void> afterEarlierWrites() {
    return map.afterEarlierWrites();
  }

  private final class Opened implements Entries {
    private final Entries stored;

    private Opened(Entries stored) {
      this.stored = stored;
    }

    @Override
    public Optional<byte[]> get(Key key) {
      return stored.get(key).map(value -> keys.open(key, value));
    }

    @Override
    public Map<Key, byte[]> all(Collection<Key> wanted) {
      var found = new HashMap<Key, byte[]>();
      stored.all(wanted).forEach((key, value) -> found.put(key, keys.open(key, value)));
      return found;
    }

    @Override
    public <T> List<T> list(
        KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
      return stored.list(
          range, order, most, (key, value) -> read.apply(key, keys.open(key, value)));
    }

    @Override
    public List<Key> keys(KeyRange range, Order order) {
      return stored.keys(range, order);
    }

    @Override
    public void scan(KeyRange range, Order order, Visitor visitor) {
      stored.scan(range, order, (key, value) -> visitor.visit(key, keys.open(key, value)));
    }
  }
}
