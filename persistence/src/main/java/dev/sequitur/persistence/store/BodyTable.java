package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The executed bodies of a node: a key each, without a value. */
final class BodyTable implements BodyStore {
  private static final byte[] NOTHING = {};

  private final OrderedMap map;

  BodyTable(OrderedMap map) {
    this.map = map;
  }

  @Override
  public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
    return map.write(
        store -> {
          bodies.forEach(body -> store.put(key(queue, body), NOTHING));
          store.raise(count(queue), Layout.bytes(upTo));
          return null;
        });
  }

  @Override
  public CompletionStage<Long> storedUpTo(String queue) {
    return map.afterEarlierWrites()
        .thenCompose(written -> map.read(stored -> Layout.number(stored.get(count(queue)))));
  }

  @Override
  public CompletionStage<Boolean> contains(String queue, Hash body) {
    return map.read(stored -> stored.get(key(queue, body)).isPresent());
  }

  private static Key count(String queue) {
    return Key.in(KeySpace.EXECUTED_BODY_COUNT).text(queue);
  }

  private static Key key(String queue, Hash body) {
    return Key.in(KeySpace.EXECUTED_BODY).text(queue).raw(body.toByteArray());
  }
}
