package dev.sequitur.transport.tls;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The unit of a connection: the length of the rest in four bytes, big-endian, a byte for the kind,
 * the body.
 */
final class Frame {
  private final Kind kind;
  private final byte[] body;

  Frame(Kind kind, byte[] body) {
    this.kind = kind;
    this.body = body;
  }

  Kind kind() {
    return kind;
  }

  /** Not a copy: nobody changes it. */
  byte[] body() {
    return body;
  }

  /** What a body means. */
  enum Kind {
    /** The dialling side's first frame: a {@link Hello}. */
    HELLO(1),
    /** The other side's answer: a {@link Hello}. */
    WELCOME(2),
    /** The other side's answer: a sentence that says why not. */
    REFUSED(3),
    /** A batch, as {@link EnvelopeCodec} writes it. */
    ENVELOPES(4),
    /** Asks for a pong; no body. */
    PING(5),
    /** Answers a ping; no body. */
    PONG(6),
    /**
     * Before a pong, if it is news: which JVM this is, and which has what, as {@link
     * dev.sequitur.transport.EntityPlaces} writes it. An older peer passes it over.
     */
    PLACES(7);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Optional<Kind> of(int code) {
      for (var kind : values()) {
        if (kind.code == code) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }

  /** A frame that says it is longer than it may be; the connection cannot go on. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;

    TooLarge(int length, int most) {
      super("a frame of " + length + " bytes, where " + most + " are allowed");
    }
  }

  /** Flushes. */
  void writeTo(DataOutputStream out) throws IOException {
    out.writeInt(body.length + 1);
    out.writeByte(kind.code);
    out.write(body);
    out.flush();
  }

  /**
   * Waits for the next frame of a known kind; a later minor version may have others.
   *
   * @param most bytes of a body
   */
  static Frame readFrom(DataInputStream in, int most) throws IOException {
    while (true) {
      int length = in.readInt() - 1;
      if (length < 0 || length > most) {
        throw new TooLarge(length, most);
      }
      var kind = Kind.of(in.readUnsignedByte());
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new IOException("the connection ended within a frame");
      }
      if (kind.isPresent()) {
        return new Frame(kind.get(), body);
      }
    }
  }
}
