package dev.sequitur.node.rpc.server;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;

/**
 * A long answer, which is written piece by piece as fast as its reader takes it: so it is known
 * when the last of it is written, and that it counts no more.
 */
final class AnswerParts {
  /** What is shorter is handed over whole, and counts no more then. */
  static final int MOST_AT_ONCE = 64 * 1024;

  private AnswerParts() {}

  static boolean isLong(byte[] utf8) {
    return utf8.length > MOST_AT_ONCE;
  }

  /**
   * To be run once. No character is cut.
   *
   * @param part of the bytes, from the one place and of so many
   * @param written run before the last of them is handed over
   */
  static <T> Source<T, NotUsed> of(
      byte[] utf8, BiFunction<Integer, Integer, T> part, Runnable written) {
    return Source.fromIterator(() -> new Parts<>(utf8, part, written));
  }

  /** As text. */
  static Source<String, NotUsed> text(byte[] utf8, Runnable written) {
    return of(
        utf8, (from, length) -> new String(utf8, from, length, StandardCharsets.UTF_8), written);
  }

  private static final class Parts<T> implements Iterator<T> {
    private final byte[] utf8;
    private final BiFunction<Integer, Integer, T> part;
    private final Runnable written;
    private int from;

    private Parts(byte[] utf8, BiFunction<Integer, Integer, T> part, Runnable written) {
      this.utf8 = utf8;
      this.part = part;
      this.written = written;
    }

    @Override
    public boolean hasNext() {
      if (from < utf8.length) {
        return true;
      }
      written.run();
      return false;
    }

    @Override
    public T next() {
      if (from >= utf8.length) {
        throw new NoSuchElementException();
      }
      int to = Math.min(utf8.length, from + MOST_AT_ONCE);
      while (to < utf8.length && isWithinCharacter(utf8[to])) {
        to--;
      }
      int begin = from;
      from = to;
      return part.apply(begin, to - begin);
    }

    private static boolean isWithinCharacter(byte one) {
      return (one & 0xC0) == 0x80;
    }
  }
}
