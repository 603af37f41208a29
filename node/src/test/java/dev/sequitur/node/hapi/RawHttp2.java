package dev.sequitur.node.hapi;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection of HTTP/2 on which any frame can be sent, also what no client sends. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;

  /** Nothing comes any more. */
  static final int END = -1;

  private static final int END_HEADERS = 4;
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final DataInputStream input;

  RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    input = new DataInputStream(socket.getInputStream());
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    send(frame(SETTINGS, 0, 0, new byte[0]));
  }

  /**
   * Waits while the other side reads nothing.
   *
   * @return whether it is open still
   */
  boolean send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static byte[] frame(int type, int flags, int stream, byte[] content) {
    return ByteBuffer.allocate(9 + content.length)
        .put((byte) (content.length >> 16))
        .putShort((short) content.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(content)
        .array();
  }

  /** The beginning of a call, whose message is to follow. */
  static byte[] call(int stream, String path) {
    var fields = new ByteArrayOutputStream();
    field(fields, ":method", "POST");
    field(fields, ":scheme", "http");
    field(fields, ":path", path);
    field(fields, ":authority", "127.0.0.1");
    field(fields, "content-type", "application/grpc");
    return frame(HEADERS, END_HEADERS, stream, fields.toByteArray());
  }

  /** As it is, without any compression. */
  private static void field(ByteArrayOutputStream to, String name, String value) {
    to.write(0);
    to.write(name.length());
    to.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    to.write(value.length());
    to.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** The client takes a call back. */
  static byte[] reset(int stream) {
    return frame(RESET, 0, stream, new byte[] {0, 0, 0, 8});
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  /** Reads until a frame of one of these kinds comes, or the end: the kind that came. */
  int await(Integer... types) throws IOException {
    try {
      while (true) {
        int length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
        int kind = input.readUnsignedByte();
        input.skipNBytes(5L + length);
        if (List.of(types).contains(kind)) {
          return kind;
        }
      }
    } catch (EOFException | SocketException e) {
      return END;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
