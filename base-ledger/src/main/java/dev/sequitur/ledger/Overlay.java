package dev.sequitur.ledger;

import dev.sequitur.persistence.map.Key;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes on top of something that they do not touch yet: a block on the stored state, or a block
 * on others that are not stored either. Confined to one thread at a time.
 */
final class Overlay {
  private final Function<Key, Optional<byte[]>> base;
  // what was read below, so that it is read once; an absent key costs LevelDB the most
  private final Map<Key, Optional<byte[]>> below = new HashMap<>();
  private final Map<Key, Optional<byte[]>> changes = new HashMap<>();

  Overlay(Function<Key, Optional<byte[]>> base) {
    this.base = base;
  }

  <K, V> Optional<V> get(LedgerTable<K, V> table, K key) {
    return get(table.at(key)).map(table.values()::decode);
  }

  /** As it is, or is to be, stored. */
  Optional<byte[]> get(Key key) {
    var changed = changes.get(key);
    return changed == null ? below.computeIfAbsent(key, base) : changed;
  }

  <K, V> void put(LedgerTable<K, V> table, K key, V value) {
    table.put(key, value, changes);
  }

  /** Puts a value where the caller knows that nothing stands, without looking. */
  <K, V> void putNew(LedgerTable<K, V> table, K key, V value) {
    below.put(table.at(key), Optional.empty());
    put(table, key, value);
  }

  void putAll(Map<Key, Optional<byte[]>> more) {
    changes.putAll(more);
  }

  Map<Key, Optional<byte[]>> changes() {
    return changes;
  }

  /** What the changed keys lead to below. */
  Map<Key, Optional<byte[]>> undo() {
    var undo = new HashMap<Key, Optional<byte[]>>();
    changes.keySet().forEach(key -> undo.put(key, below.computeIfAbsent(key, base)));
    return undo;
  }
}
