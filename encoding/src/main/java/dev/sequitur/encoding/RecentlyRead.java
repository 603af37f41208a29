package dev.sequitur.encoding;

import dev.sequitur.protocol.id.Utf8;
import java.util.function.Function;

/**
 * A value that is one text, and some of the last ones by their bytes: the same few node names,
 * identities and addresses come in every message, and checking their form costs more than reading
 * them. Bounded; two texts that fall on the same slot replace each other. Thread-safe, since a
 * record with final fields may be published by a race.
 */
record RecentlyRead<T>(Function<T, String> text, Function<String, T> parse, Object[] slots)
    implements Codec<T> {
  private static final int SLOTS = 1024;

  private record Entry<T>(byte[] bytes, T value) {}

  static <T> RecentlyRead<T> of(Function<T, String> text, Function<String, T> parse) {
    return new RecentlyRead<>(text, parse, new Object[SLOTS]);
  }

  @Override
  public void write(ByteWriter to, T value) {
    byte[] bytes = Utf8.encode(text.apply(value));
    to.unsigned(bytes.length).bytes(bytes);
  }

  @Override
  public T read(ByteReader from) {
    int length = from.count();
    int hash = from.hash(length);
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    @SuppressWarnings("unchecked")
    var entry = (Entry<T>) slots[slot];
    if (entry != null && entry.bytes().length == length && from.skip(entry.bytes())) {
      return entry.value();
    }
    byte[] bytes = from.bytes(length);
    T value = parse.apply(Utf8.decode(bytes));
    slots[slot] = new Entry<>(bytes, value);
    return value;
  }
}
