package dev.sequitur.benchmarks.hapi;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A connection of HTTP/2 on which one gRPC call after another is made, with as little of a client
 * as there can be: what is measured is the front. Used by one thread.
 */
final class HapiConnection implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME = 9;

  /** Of a field of a head: a number, and one that has a number from now on. */
  private static final int INDEXED = 0x80;

  private static final int TO_BE_INDEXED = 0x40;

  /** The number of the field that was sent last. */
  private static final int FIRST_DYNAMIC = 62;

  private static final int PREFIX = 5;

  /** As much is read before the other side is told to go on sending. */
  private static final int HALF_A_WINDOW = 32_768;

  private final Socket socket;
  private final DataInputStream input;
  private final List<Field> sent = new ArrayList<>();
  private int stream = 1;
  private int unacknowledged;

  HapiConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    send(frame(SETTINGS, 0, 0, new byte[0]));
  }

  /** One of a call's head. */
  record Field(String name, String value) {}

  /** The head of every call of a method. */
  static List<Field> head(String path) {
    return List.of(
        new Field(":method", "POST"),
        new Field(":scheme", "http"),
        new Field(":path", path),
        new Field(":authority", "127.0.0.1"),
        new Field("content-type", "application/grpc"),
        new Field("te", "trailers"));
  }

  /** As clients do: what was sent before on this connection is a number. */
  private byte[] compressed(List<Field> head) {
    var bytes = new ByteArrayOutputStream();
    for (var field : head) {
      int known = sent.indexOf(field);
      if (known >= 0) {
        bytes.write(INDEXED | FIRST_DYNAMIC + sent.size() - 1 - known);
      } else {
        sent.add(field);
        bytes.write(TO_BE_INDEXED);
        text(bytes, field.name());
        text(bytes, field.value());
      }
    }
    return bytes.toByteArray();
  }

  private static void text(ByteArrayOutputStream to, String text) {
    to.write(text.length());
    to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes a call and waits for its answer. */
  byte[] call(List<Field> fields, byte[] message) {
    var head = compressed(fields);
    int id = stream;
    stream += 2;
    var framed = ByteBuffer.allocate(PREFIX + message.length).put((byte) 0).putInt(message.length);
    var bytes = new ByteArrayOutputStream(head.length + message.length + 2 * FRAME + PREFIX);
    bytes.writeBytes(frame(HEADERS, END_HEADERS, id, head));
    bytes.writeBytes(frame(DATA, END_STREAM, id, framed.put(message).array()));
    try {
      send(bytes.toByteArray());
      return answer(id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] answer(int id) throws IOException {
    var content = new ByteArrayOutputStream();
    while (true) {
      int length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
      int type = input.readUnsignedByte();
      int flags = input.readUnsignedByte();
      int of = input.readInt();
      var payload = input.readNBytes(length);
      if (type == DATA) {
        content.writeBytes(payload);
        taken(length);
      } else if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
        send(frame(type, ACK, 0, type == PING ? payload : new byte[0]));
      } else if (type == GO_AWAY || type == RESET) {
        throw new IOException("The front has ended it: frame " + type);
      }
      boolean isLast = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
      if (of == id && isLast) {
        if (content.size() < PREFIX) {
          throw new IOException("The front has answered a status and no message.");
        }
        return Arrays.copyOfRange(content.toByteArray(), PREFIX, content.size());
      }
    }
  }

  private void taken(int bytes) throws IOException {
    unacknowledged += bytes;
    if (unacknowledged >= HALF_A_WINDOW) {
      send(frame(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(unacknowledged).array()));
      unacknowledged = 0;
    }
  }

  private void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] content) {
    return ByteBuffer.allocate(FRAME + content.length)
        .put((byte) (content.length >> 16))
        .putShort((short) content.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(content)
        .array();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
