package dev.sequitur.encoding;

import java.util.function.BiConsumer;
import java.util.function.Function;

/** How values of one type are written and read. Thread-safe. */
public interface Codec<T> {
  void write(ByteWriter to, T value);

  /**
   * @throws RuntimeException if there is no such value; {@link ByteReader#readAll} makes one kind
   *     of it
   */
  T read(ByteReader from);

  /** What stands for a component that its writer did not know yet. */
  default T absent() {
    throw new MalformedBytesException("A component is missing.");
  }

  default byte[] encode(T value) {
    var to = new ByteWriter();
    write(to, value);
    return to.finish();
  }

  /**
   * @param bytes of one value, and nothing after it
   * @throws MalformedBytesException if they are none
   */
  default T decode(byte[] bytes) {
    return ByteReader.readAll(bytes, this::read);
  }

  /** Of two functions, which may throw what they want. */
  static <T> Codec<T> of(BiConsumer<ByteWriter, T> write, Function<ByteReader, T> read) {
    return new Codec<>() {
      @Override
      public void write(ByteWriter to, T value) {
        write.accept(to, value);
      }

      @Override
      public T read(ByteReader from) {
        return read.apply(from);
      }
    };
  }

  /** Of a value that is written as another one. */
  default <V> Codec<V> as(Function<V, T> write, Function<T, V> read) {
    return of((to, value) -> write(to, write.apply(value)), from -> read.apply(read(from)));
  }
}
