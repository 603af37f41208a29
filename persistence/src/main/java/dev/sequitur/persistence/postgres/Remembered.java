package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a JVM has read or written last under some keys. Others may have written there since: who
 * relies upon it finds that out when it is stored. Thread-safe.
 */
final class Remembered {
  /** Longer ones are asked for each time. */
  private static final int MOST_BYTES = 256;

  private final Map<Key, Optional<byte[]>> entries;

  /**
   * @param most keys; of more those go that nobody has asked for longest
   */
  Remembered(int most) {
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Optional<byte[]>> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * @return null if nothing is known; empty if nothing was there
   */
  synchronized Optional<byte[]> get(Key key) {
    return entries.get(key);
  }

  /** It is so now; empty is what is missing. */
  synchronized void put(Key key, Optional<byte[]> value) {
    if (value.map(bytes -> bytes.length > MOST_BYTES).orElse(false)) {
      entries.remove(key);
    } else {
      entries.put(key, value);
    }
  }

  /** It is so now: nobody remembers what it was before, whoever has read it. */
  synchronized void change(Key key, Optional<byte[]> value) {
    if (entries.containsKey(key)) {
      put(key, value);
    }
  }

  /** It may have changed. */
  synchronized void forget(Key key) {
    entries.remove(key);
  }
}
