package dev.sequitur.persistence.serialization;

import java.util.function.Function;

/**
 * Reads texts into immutable values and remembers some of the last ones: the same few node names,
 * identities and addresses come in every message, and checking their form costs more than reading
 * them. Bounded; two texts that fall on the same slot replace each other. Thread-safe, since a
 * record with final fields may be published by a race.
 */
final class RecentlyRead<T> implements Function<String, T> {
  private static final int SLOTS = 1024;

  private record Entry<T>(String text, T value) {}

  private final Function<String, T> read;
  private final Object[] slots = new Object[SLOTS];

  RecentlyRead(Function<String, T> read) {
    this.read = read;
  }

  @Override
  public T apply(String text) {
    int hash = text.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    @SuppressWarnings("unchecked")
    var entry = (Entry<T>) slots[slot];
    if (entry != null && entry.text().equals(text)) {
      return entry.value();
    }
    T value = read.apply(text);
    slots[slot] = new Entry<>(text, value);
    return value;
  }
}
