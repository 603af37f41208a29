package dev.sequitur.ledger.codec;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Writes values one after another. Confined to the thread that made it. */
public final class ByteWriter {
  private ByteBuffer buffer = ByteBuffer.allocate(512);

  public ByteWriter putByte(int value) {
    room(1).put((byte) value);
    return this;
  }

  public ByteWriter putInt(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  public ByteWriter putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** 32 bytes. */
  public ByteWriter putHash(Hash value) {
    room(32)
        .putLong(value.word0())
        .putLong(value.word1())
        .putLong(value.word2())
        .putLong(value.word3());
    return this;
  }

  /** 16 bytes. */
  public ByteWriter putUuid(UUID value) {
    return putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
  }

  /** Without a length: the reader must know it. */
  public ByteWriter putRaw(byte[] value) {
    room(value.length).put(value);
    return this;
  }

  /** With its length in four bytes. */
  public ByteWriter putBytes(Bytes value) {
    return putInt(value.size()).putRaw(value.toByteArray());
  }

  /** UTF-8, with its length in four bytes. */
  public ByteWriter putText(String value) {
    byte[] encoded = Utf8.encode(value);
    return putInt(encoded.length).putRaw(encoded);
  }

  /** The number of elements in four bytes, then each. */
  public <T> ByteWriter putAll(Collection<T> elements, BiConsumer<ByteWriter, T> element) {
    putInt(elements.size());
    elements.forEach(each -> element.accept(this, each));
    return this;
  }

  public int size() {
    return buffer.position();
  }

  /** A copy of what was written so far. */
  public byte[] toByteArray() {
    var written = new byte[buffer.position()];
    System.arraycopy(buffer.array(), 0, written, 0, written.length);
    return written;
  }

  public Bytes toBytes() {
    return Bytes.of(toByteArray());
  }

  private ByteBuffer room(int needed) {
    if (buffer.remaining() < needed) {
      int wanted = Math.addExact(buffer.position(), needed);
      var larger = ByteBuffer.allocate(Math.max(wanted, Math.multiplyExact(buffer.capacity(), 2)));
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }
}
