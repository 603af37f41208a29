package dev.sequitur.encoding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Reads what {@link ByteWriter} wrote, and believes no length before it has seen that so many bytes
 * are there: a stranger's bytes cannot make it allocate much more than they are long. Confined to
 * one thread.
 */
public final class ByteReader {
  private static final int LAST_SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;
  private static final int LONGEST_NUMBER_BITS = 63;

  /** Deeper than any value of ours by far: what a stranger sends must not exhaust the stack. */
  private static final int DEEPEST = 200;

  private final byte[] content;
  private final Pool pool = Pool.ofThisThread();
  private int position;

  /** Where the innermost open frame ends. */
  private int end;

  private int depth;
  private List<Object> known = List.of();
  private Object last;

  /** From {@code position} to the end of {@code content}. */
  public ByteReader(byte[] content, int position) {
    this.content = content;
    this.position = position;
    this.end = content.length;
  }

  /**
   * Reads one value that fills {@code content} to the end.
   *
   * @throws MalformedBytesException whatever is wrong with the bytes
   */
  public static <T> T readAll(byte[] content, Function<ByteReader, T> value) {
    return new ByteReader(content, 0).readRest(value);
  }

  /** Reads one value that fills what is left. */
  public <T> T readRest(Function<ByteReader, T> value) {
    T read;
    try {
      read = value.apply(this);
    } catch (MalformedBytesException e) {
      throw e;
    } catch (RuntimeException e) {
      // thrown by a value's own rules; its message may quote what was read
      throw new MalformedBytesException(
          "The bytes hold an impossible value: " + e.getClass().getSimpleName() + ".");
    }
    if (!isAtEnd()) {
      throw new MalformedBytesException("There are " + (end - position) + " bytes too many.");
    }
    return read;
  }

  /** One byte, from 0 to 255. */
  public int raw() {
    need(1);
    return content[position++] & 0xff;
  }

  /** What {@link ByteWriter#flag} wrote. */
  public boolean flag() {
    int flag = raw();
    if (flag > 1) {
      throw new MalformedBytesException("A flag is neither set nor not set.");
    }
    return flag == 1;
  }

  /** A number, which has one form only. */
  public long unsigned() {
    long number = 0;
    for (int shift = 0; shift <= LONGEST_NUMBER_BITS; shift += 7) {
      int octet = raw();
      number |= (long) (octet & LAST_SEVEN_BITS) << shift;
      if ((octet & MORE) == 0) {
        if ((octet == 0 && shift > 0) || (shift == LONGEST_NUMBER_BITS && octet > 1)) {
          throw new MalformedBytesException("A number is longer than it has to be.");
        }
        return number;
      }
    }
    throw new MalformedBytesException("A number is too long.");
  }

  public long signed() {
    long zigzag = unsigned();
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** A count of things that each take a byte at least. */
  public int count() {
    long count = unsigned();
    if (count < 0 || count > end - position) {
      throw new MalformedBytesException(
          "A length of " + count + " where " + (end - position) + " bytes are left.");
    }
    return (int) count;
  }

  /** Eight bytes, the highest first. */
  public long eight() {
    need(8);
    long word = 0;
    for (int i = 0; i < 8; i++) {
      word = (word << 8) | (content[position++] & 0xff);
    }
    return word;
  }

  public byte[] bytes(int length) {
    need(length);
    position += length;
    return Arrays.copyOfRange(content, position - length, position);
  }

  /**
   * The version of what follows.
   *
   * @throws MalformedBytesException if it is another one
   */
  public ByteReader expectVersion(int version) {
    int found = raw();
    if (found != version) {
      throw new MalformedBytesException(
          "Written in format " + found + "; this version of Sequitur reads " + version + ".");
    }
    return this;
  }

  public int position() {
    return position;
  }

  public boolean isAtEnd() {
    return position == end;
  }

  /** Begins a value that says how long it is; gives what {@link #close} is to be told. */
  int open() {
    int length = count();
    int outer = end;
    end = position + length;
    return outer;
  }

  /** Ends it; what a newer version has added at its end is passed over. */
  void close(int outer) {
    position = end;
    end = outer;
  }

  void deeper() {
    depth++;
    if (depth > DEEPEST) {
      throw new MalformedBytesException("Values lie too deep in one another.");
    }
  }

  void higher() {
    depth--;
  }

  /** Whether the next bytes are these; then they are passed over. */
  boolean skip(byte[] bytes) {
    boolean same =
        bytes.length <= end - position
            && Arrays.equals(content, position, position + bytes.length, bytes, 0, bytes.length);
    if (same) {
      position += bytes.length;
    }
    return same;
  }

  /** A number for the next {@code length} bytes that tells most of them apart from others. */
  int hash(int length) {
    int hash = length;
    for (int i = position; i < position + length; i++) {
      hash = 31 * hash + content[i];
    }
    return hash;
  }

  /** What was read before under this number. */
  Object again(long number) {
    if (number < 1 || number > known.size()) {
      throw new MalformedBytesException("Nothing was read before under " + number + ".");
    }
    return known.get((int) number - 1);
  }

  Object learn(Object value) {
    if (known.isEmpty()) {
      known = new ArrayList<>();
    }
    var shared = pool.shared(value);
    known.add(shared);
    return shared;
  }

  Object last() {
    if (last == null) {
      throw new MalformedBytesException("There is none before the first.");
    }
    return last;
  }

  <T> T remember(T value) {
    last = value;
    return value;
  }

  private void need(int more) {
    if (more < 0 || more > end - position) {
      throw new MalformedBytesException("The bytes end too early.");
    }
  }

  /**
   * Gives back the object it has seen before in place of an equal one, so that a million schedules
   * of a thousand owners hold a thousand names. Remembers a bounded number. Confined to one thread.
   */
  private static final class Pool {
    private static final ThreadLocal<Pool> POOL = ThreadLocal.withInitial(Pool::new);
    private static final int SLOTS = 1 << 12;

    private final Object[] seen = new Object[SLOTS];

    static Pool ofThisThread() {
      return POOL.get();
    }

    Object shared(Object value) {
      int hash = value.hashCode();
      int slot = (hash ^ hash >>> 16) & SLOTS - 1;
      if (value.equals(seen[slot])) {
        return seen[slot];
      }
      seen[slot] = value;
      return value;
    }
  }
}
