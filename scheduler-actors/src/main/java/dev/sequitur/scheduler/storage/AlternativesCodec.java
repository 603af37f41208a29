package dev.sequitur.scheduler.storage;

import java.util.HashMap;
import java.util.Map;

/** One of several records: its number, then the record. */
final class AlternativesCodec<T> implements Codec<T> {
  private final Alternatives<? super T> table;
  private final Map<Class<?>, Integer> numbers = new HashMap<>();
  private Codec<?>[] byNumber = new Codec<?>[0];

  AlternativesCodec(Alternatives<? super T> table) {
    this.table = table;
  }

  void add(int number, Class<?> type, Codec<?> codec) {
    if (number >= byNumber.length) {
      byNumber = java.util.Arrays.copyOf(byNumber, number + 1);
    }
    byNumber[number] = codec;
    numbers.put(type, number);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(ByteWriter to, T value) {
    var number = numbers.get(value.getClass());
    if (number == null) {
      throw new IllegalStateException(
          "Give " + value.getClass().getName() + " a number in StoredTypes.");
    }
    to.unsigned(number);
    ((Codec<Object>) byNumber[number]).write(to, value);
  }

  @Override
  @SuppressWarnings("unchecked")
  public T read(ByteReader from) {
    long number = from.unsigned();
    if (number < 1 || number >= byNumber.length) {
      throw new UnreadableException(
          "A newer Sequitur wrote this: "
              + table.type().getSimpleName()
              + " "
              + number
              + " is unknown here.");
    }
    return (T) byNumber[(int) number].read(from);
  }
}
