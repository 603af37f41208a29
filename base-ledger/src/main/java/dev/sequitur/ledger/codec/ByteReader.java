package dev.sequitur.ledger.codec;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads what {@link ByteWriter} wrote, and believes no length before it has seen that so many bytes
 * are there: a stranger's bytes cannot make it allocate more than they are long. Confined to the
 * thread that made it.
 */
public final class ByteReader {
  private final ByteBuffer buffer;

  private ByteReader(byte[] content) {
    this.buffer = ByteBuffer.wrap(content);
  }

  /**
   * Reads one value that fills {@code content} to the end.
   *
   * @throws MalformedBytesException if the bytes are cut short, too many, or hold a value that the
   *     protocol does not know
   */
  public static <T> T readAll(byte[] content, Function<ByteReader, T> value) {
    var reader = new ByteReader(content);
    T read;
    try {
      read = value.apply(reader);
    } catch (MalformedBytesException e) {
      throw e;
    } catch (BufferUnderflowException e) {
      throw new MalformedBytesException("The bytes end too early.", e);
    } catch (IllegalArgumentException e) {
      throw new MalformedBytesException("The bytes hold an impossible value.", e);
    }
    if (reader.buffer.hasRemaining()) {
      throw new MalformedBytesException(
          "There are " + reader.buffer.remaining() + " bytes too many.");
    }
    return read;
  }

  public int getByte() {
    return Byte.toUnsignedInt(buffer.get());
  }

  public int getInt() {
    return buffer.getInt();
  }

  public long getLong() {
    return buffer.getLong();
  }

  public Hash getHash() {
    return new Hash(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  public UUID getUuid() {
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  public byte[] getRaw(int length) {
    if (length < 0 || length > buffer.remaining()) {
      throw new MalformedBytesException(
          "A length of " + length + " where " + buffer.remaining() + " bytes are left.");
    }
    var raw = new byte[length];
    buffer.get(raw);
    return raw;
  }

  public Bytes getBytes() {
    return Bytes.of(getRaw(getInt()));
  }

  public String getText() {
    try {
      return Utf8.decode(getRaw(getInt()));
    } catch (IllegalArgumentException e) {
      throw new MalformedBytesException("A text that is not UTF-8.");
    }
  }

  public <T> List<T> getAll(Function<ByteReader, T> element) {
    int count = getInt();
    if (count < 0 || count > buffer.remaining()) {
      throw new MalformedBytesException(
          "A list of " + count + " where " + buffer.remaining() + " bytes are left.");
    }
    // grows with what was really read, for an element may be larger in memory than in bytes
    var elements = new ArrayList<T>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      elements.add(element.apply(this));
    }
    return elements;
  }

  /** Reads a version byte. */
  public void expectVersion(int version) {
    int found = getByte();
    if (found != version) {
      throw new MalformedBytesException(
          "Written in format " + found + "; this version of Sequitur reads " + version + ".");
    }
  }
}
