package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes on top of something that they do not touch yet: a block on the stored state, or a block
 * on others that are not stored either. Confined to one thread at a time.
 */
final class Overlay {
  private final Function<Bytes, Optional<Bytes>> base;
  // what was read below, so that it is read once; an absent key costs LevelDB the most
  private final Map<Bytes, Optional<Bytes>> below = new HashMap<>();
  private final Map<Bytes, Optional<Bytes>> changes = new HashMap<>();

  Overlay(Function<Bytes, Optional<Bytes>> base) {
    this.base = base;
  }

  Optional<Bytes> get(Bytes key) {
    var changed = changes.get(key);
    return changed == null ? below.computeIfAbsent(key, base) : changed;
  }

  void put(Bytes key, Bytes value) {
    changes.put(key, Optional.of(value));
  }

  /** Puts a value where the caller knows that nothing stands, without looking. */
  void putNew(Bytes key, Bytes value) {
    below.put(key, Optional.empty());
    put(key, value);
  }

  void putAll(Map<Bytes, Optional<Bytes>> more) {
    changes.putAll(more);
  }

  Map<Bytes, Optional<Bytes>> changes() {
    return changes;
  }

  /** What the changed keys lead to below. */
  Map<Bytes, Optional<Bytes>> undo() {
    var undo = new HashMap<Bytes, Optional<Bytes>>();
    changes.keySet().forEach(key -> undo.put(key, below.computeIfAbsent(key, base)));
    return undo;
  }
}
