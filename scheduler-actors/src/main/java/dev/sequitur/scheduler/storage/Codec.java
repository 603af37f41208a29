package dev.sequitur.scheduler.storage;

/** How values of one type are written and read. Thread-safe. */
public interface Codec<T> {
  void write(ByteWriter to, T value);

  T read(ByteReader from);
}
