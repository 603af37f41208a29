package dev.sequitur.persistence.journal;

import akka.actor.ActorSystem;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.placement.ShardNumber;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * By how many shards it is remembered which entities are to be started again: the shards' lists are
 * in the journal, and go wherever it goes, to a backup too. Like the journal it asks no fence.
 * Thread-safe.
 */
public final class StoredShards {
  private static final Key KEY = Key.in(KeySpace.SHARDS);

  /** Stands in the place of a number while lists are dealt anew. */
  private static final int BETWEEN = 0;

  private final OrderedMap map;

  StoredShards(OrderedMap map) {
    this.map = map;
  }

  /** In the map of the system's own journal. */
  public static StoredShards of(ActorSystem system) {
    var config = system.settings().config();
    var plugin = config.getString("akka.persistence.journal.plugin");
    return new StoredShards(EventMaps.of(system, config.getConfig(plugin)));
  }

  /** Empty if lists were being dealt anew, and nobody has said that it was done. */
  public CompletionStage<OptionalInt> number() {
    return map.read(stored -> stored.get(KEY))
        .thenApply(
            value -> {
              int number =
                  value.map(bytes -> ByteBuffer.wrap(bytes).getInt()).orElse(ShardNumber.USUAL);
              return number == BETWEEN ? OptionalInt.empty() : OptionalInt.of(number);
            });
  }

  /** Lists are dealt anew from now on: {@link #number} is empty. */
  public CompletionStage<Void> begin() {
    return put(BETWEEN);
  }

  /** All of it is remembered by this number. */
  public CompletionStage<Void> done(int number) {
    return put(number);
  }

  private CompletionStage<Void> put(int number) {
    return map.write(
        batch -> {
          batch.put(KEY, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
          return null;
        });
  }
}
