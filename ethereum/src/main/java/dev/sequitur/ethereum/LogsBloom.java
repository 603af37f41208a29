package dev.sequitur.ethereum;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import java.util.Collection;

/**
 * What a block's header says of the logs in it: never that one is missing that is there. It may say
 * that one is there which is not. Pure.
 */
final class LogsBloom {
  private static final int BYTES = 256;

  /** Each value sets so many bits. */
  private static final int BITS = 3;

  private final byte[] bloom;

  private LogsBloom(byte[] bloom) {
    this.bloom = bloom;
  }

  /**
   * @param field of the header; what is no filter says that there is nothing, since then nothing
   *     can be compared
   */
  static LogsBloom of(String field) {
    var bytes = ChainContracts.bytes(field).toByteArray();
    return new LogsBloom(bytes.length == BYTES ? bytes : new byte[BYTES]);
  }

  /**
   * Whether there may be a log of one of these addresses with one of these topics.
   *
   * @param addresses none means any
   * @param topics none means any
   */
  boolean mayHave(Collection<Bytes> addresses, Collection<Bytes> topics) {
    return !isEmpty() && hasOneOf(addresses) && hasOneOf(topics);
  }

  private boolean isEmpty() {
    for (byte part : bloom) {
      if (part != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean hasOneOf(Collection<Bytes> values) {
    return values.isEmpty() || values.stream().anyMatch(this::has);
  }

  private boolean has(Bytes value) {
    byte[] hash = Digests.keccak256(value).toByteArray();
    for (int part = 0; part < BITS; part++) {
      int high = Byte.toUnsignedInt(hash[2 * part]);
      int low = Byte.toUnsignedInt(hash[2 * part + 1]);
      int bit = (high << Byte.SIZE | low) & (BYTES * Byte.SIZE - 1);
      if ((bloom[BYTES - 1 - bit / Byte.SIZE] >> bit % Byte.SIZE & 1) == 0) {
        return false;
      }
    }
    return true;
  }
}
