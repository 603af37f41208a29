package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.ABIType;
import com.esaulpaugh.headlong.abi.ArrayType;
import com.esaulpaugh.headlong.abi.TupleType;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Whether data stands for no more than it has: with each value in a place of its own, as compilers
 * lay it out. By the ABI's offsets many values may be at one place, so that some kilobytes stand
 * for any number of gigabytes; and a type may have more elements than any data. Whoever tells an
 * event, answers a call or asks what data means could end the process by that, so this is found out
 * before anything is read. Lives for one question.
 */
final class AbiLayout {
  private static final int WORD = 32;

  /** Nothing has no place: as much of it as this is taken for granted. */
  private static final int NOTHINGS = 1_024;

  private final byte[] data;
  private long left;

  private AbiLayout(byte[] data) {
    this.data = data;
    this.left = (long) data.length + NOTHINGS;
  }

  /** Whether each value has a place of its own, within the data. */
  static boolean isPlain(TupleType<?> types, byte[] data) {
    try {
      new AbiLayout(data).tuple(types, 0);
      return true;
    } catch (ArithmeticException beyondTheData) {
      return false;
    }
  }

  /** Whether a topic may stand for such a value: for itself, or by its hash. */
  static boolean fitsTopic(ABIType<?> type) {
    return switch (type) {
      case TupleType<?> types -> types.isDynamic();
      case ArrayType<?, ?, ?> array -> array.isDynamic() || isBytes(array);
      default -> true;
    };
  }

  private void tuple(TupleType<?> types, long at) {
    if (types.isEmpty()) {
      useNothing();
    }
    long next = at;
    for (int i = 0; i < types.size(); i++) {
      ABIType<?> type = types.get(i);
      value(type, type.isDynamic() ? Math.addExact(at, offset(next)) : next);
      next = Math.addExact(next, type.isDynamic() ? WORD : size(type));
    }
  }

  private void value(ABIType<?> type, long at) {
    switch (type) {
      case TupleType<?> types -> tuple(types, at);
      case ArrayType<?, ?, ?> array -> array(array, at);
      default -> use(at, WORD);
    }
  }

  private void array(ArrayType<?, ?, ?> type, long at) {
    boolean counted = type.getLength() == ArrayType.DYNAMIC_LENGTH;
    long count = counted ? offset(at) : type.getLength();
    long begin = counted ? Math.addExact(at, WORD) : at;
    if (isBytes(type)) {
      use(begin, count);
      return;
    } else if (type.getLength() == 0) {
      useNothing();
    }
    ABIType<?> element = type.getElementType();
    long each = element.isDynamic() ? WORD : size(element);
    for (long i = 0; i < count; i++) {
      long place = Math.addExact(begin, Math.multiplyExact(i, each));
      value(element, element.isDynamic() ? Math.addExact(begin, offset(place)) : place);
    }
  }

  /** A whole number that says where, or how many. */
  private long offset(long at) {
    use(at, WORD);
    int from = Math.toIntExact(at);
    return new BigInteger(1, Arrays.copyOfRange(data, from, from + WORD)).longValueExact();
  }

  private void use(long at, long bytes) {
    take(bytes);
    if (bytes > data.length || at > data.length - bytes) {
      throw new ArithmeticException("The data ends before.");
    }
  }

  /** As if it took a byte, so that there is an end of that, too. */
  private void useNothing() {
    take(1);
  }

  private void take(long bytes) {
    left -= bytes;
    if (left < 0) {
      throw new ArithmeticException("Some of it is there for another value, too.");
    }
  }

  /** Of a type whose values are all as long. */
  private static long size(ABIType<?> type) {
    return switch (type) {
      case TupleType<?> types -> {
        long sum = 0;
        for (int i = 0; i < types.size(); i++) {
          ABIType<?> each = types.get(i);
          sum = Math.addExact(sum, size(each));
        }
        yield sum;
      }
      case ArrayType<?, ?, ?> array when isBytes(array) -> WORD;
      case ArrayType<?, ?, ?> array ->
          Math.multiplyExact((long) array.getLength(), size(array.getElementType()));
      default -> WORD;
    };
  }

  private static boolean isBytes(ArrayType<?, ?, ?> type) {
    return type.isString() || type.clazz() == byte[].class;
  }
}
