package dev.sequitur.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * How either side introduces itself. Its encoding is the same in every version, the version first,
 * so that versions that do not fit can say so; what a later one adds at the end is ignored.
 *
 * @param from who says it
 * @param to whom it takes the other side for
 * @param terms empty if it does not say
 */
record Hello(ProtocolVersion version, NodeName from, NodeName to, Optional<NetworkTerms> terms) {
  /** Longer than any hello or refusal. */
  static final int MOST_BYTES = 4_096;

  private static final int BYTES_OF_TERMS = 2 * Long.BYTES + Integer.BYTES;

  byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeUTF(version.toString());
      out.writeUTF(from.value());
      out.writeUTF(to.value());
      if (terms.isPresent()) {
        out.writeLong(terms.get().selection().rangeSize());
        out.writeInt(terms.get().selection().virtualNodes());
        out.writeLong(terms.get().chainId());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException if it is malformed
   */
  static Hello of(byte[] bytes) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return new Hello(
          ProtocolVersion.parse(in.readUTF()),
          new NodeName(in.readUTF()),
          new NodeName(in.readUTF()),
          in.available() < BYTES_OF_TERMS
              ? Optional.empty()
              : Optional.of(
                  new NetworkTerms(
                      new SelectionPolicy(in.readLong(), in.readInt()), in.readLong())));
    } catch (IllegalArgumentException e) {
      throw new IOException("a malformed hello", e);
    }
  }
}
