package dev.sequitur.ledger;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.protocol.id.Bytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the keys that a block changed led to before, each without the byte that all have. */
record Undo(Map<Bytes, Optional<Bytes>> before) {
  private static final Key LEDGER = Key.in(KeySpace.BASE_LEDGER);

  static Undo of(Map<Key, Optional<byte[]>> changes) {
    var before = new HashMap<Bytes, Optional<Bytes>>();
    changes.forEach(
        (key, value) -> {
          var bytes = key.toByteArray();
          before.put(Bytes.of(Arrays.copyOfRange(bytes, 1, bytes.length)), value.map(Bytes::of));
        });
    return new Undo(before);
  }

  /** That make it undone. */
  Map<Key, Optional<byte[]>> changes() {
    var changes = new HashMap<Key, Optional<byte[]>>();
    before.forEach(
        (key, value) -> changes.put(LEDGER.raw(key.toByteArray()), value.map(Bytes::toByteArray)));
    return changes;
  }
}
