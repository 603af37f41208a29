package dev.sequitur.encoding;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** One of several records: its number, then the record. */
final class AlternativesCodec<T> implements Codec<T> {
  private final Class<T> type;
  private final Map<Class<?>, Integer> numbers = new HashMap<>();
  private Codec<?>[] byNumber = new Codec<?>[0];

  /**
   * @param type what is read; may be narrower than what has numbers
   */
  AlternativesCodec(Class<T> type) {
    this.type = type;
  }

  void add(int number, Class<?> record, Codec<?> codec) {
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, number + 1);
    }
    byNumber[number] = codec;
    numbers.put(record, number);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(ByteWriter to, T value) {
    var number = numbers.get(value.getClass());
    if (number == null) {
      throw new IllegalStateException(
          "%s has no number among the alternatives of %s."
              .formatted(value.getClass().getName(), type.getName()));
    }
    to.unsigned(number);
    ((Codec<Object>) byNumber[number]).write(to, value);
  }

  @Override
  public T read(ByteReader from) {
    long number = from.unsigned();
    if (number < 1 || number >= byNumber.length || byNumber[(int) number] == null) {
      throw new MalformedBytesException(
          "A newer Sequitur wrote this: "
              + type.getSimpleName()
              + " "
              + number
              + " is unknown here.");
    }
    return type.cast(byNumber[(int) number].read(from));
  }
}
