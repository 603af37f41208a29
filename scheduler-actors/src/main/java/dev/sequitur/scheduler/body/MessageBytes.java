package dev.sequitur.scheduler.body;

import com.google.protobuf.CodedOutputStream;
import dev.sequitur.protocol.id.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes one protobuf message, field by field; what is empty is left out, as protobuf has it. */
final class MessageBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream output = CodedOutputStream.newInstance(bytes);

  /** A part of a message. */
  private interface Part {
    void write() throws IOException;
  }

  MessageBytes number(int field, long value) {
    return value == 0 ? this : write(() -> output.writeUInt64(field, value));
  }

  /** Of a oneof: that it is this member is told by zero, too. */
  MessageBytes member(int field, long value) {
    return write(() -> output.writeUInt64(field, value));
  }

  MessageBytes signed(int field, long value) {
    return write(() -> output.writeSInt64(field, value));
  }

  MessageBytes flag(int field, boolean value) {
    return number(field, value ? 1 : 0);
  }

  MessageBytes text(int field, String value) {
    return value.isEmpty() ? this : write(() -> output.writeString(field, value));
  }

  MessageBytes bytes(int field, Bytes value) {
    return value.isEmpty() ? this : message(field, value);
  }

  /** A message is written even if all its fields are empty. */
  MessageBytes message(int field, Bytes value) {
    return write(() -> output.writeByteArray(field, value.toByteArray()));
  }

  MessageBytes message(int field, MessageBytes value) {
    return message(field, value.finish());
  }

  private MessageBytes write(Part part) {
    try {
      part.write();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write to memory.", e);
    }
  }

  Bytes finish() {
    write(output::flush);
    return Bytes.of(bytes.toByteArray());
  }
}
