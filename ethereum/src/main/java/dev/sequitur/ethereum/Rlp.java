package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.rlp.RLPEncoder;
import dev.sequitur.protocol.id.Bytes;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/** How transactions are laid out in bytes: a list of numbers, bytes and lists. Pure. */
final class Rlp {
  private Rlp() {}

  static byte[] number(long value) {
    return number(BigInteger.valueOf(value));
  }

  static byte[] number(BigInteger value) {
    return number(value.toByteArray());
  }

  /** A number has no leading zeros, and zero has no byte. */
  static byte[] number(byte[] value) {
    int zeros = 0;
    while (zeros < value.length && value[zeros] == 0) {
      zeros++;
    }
    return Arrays.copyOfRange(value, zeros, value.length);
  }

  /**
   * @param fields arrays of bytes, and lists of such
   */
  static Bytes list(List<?> fields) {
    return Bytes.of(RLPEncoder.list(fields));
  }
}
