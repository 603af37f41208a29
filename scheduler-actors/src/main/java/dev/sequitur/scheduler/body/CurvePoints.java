package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.schedule.signing.PublicKey;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Whether bytes of the right length are a key at all: a point of its curve. What belongs to one
 * that is none can never be moved.
 */
public final class CurvePoints {
  private static final BigInteger ED_PRIME =
      BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger ED_D =
      BigInteger.valueOf(-121_665)
          .multiply(BigInteger.valueOf(121_666).modInverse(ED_PRIME))
          .mod(ED_PRIME);
  private static final BigInteger SECP_PRIME =
      BigInteger.TWO.pow(256).subtract(BigInteger.TWO.pow(32)).subtract(BigInteger.valueOf(977));
  private static final BigInteger SECP_B = BigInteger.valueOf(7);
  private static final int EVEN = 2;
  private static final int ODD = 3;

  private CurvePoints() {}

  /** Takes some 100 microseconds. */
  public static boolean has(PublicKey key) {
    return key.algorithm() == PublicKey.Algorithm.ED25519
        ? isEd25519(key.value().toByteArray())
        : isSecp256k1(key.value().toByteArray());
  }

  /**
   * RFC 8032, 5.1.3: y below the prime, and x² = (y² - 1) / (d y² + 1) has a root; that is 0 only
   * for a positive x.
   */
  private static boolean isEd25519(byte[] littleEndian) {
    var bytes = new byte[littleEndian.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = littleEndian[bytes.length - 1 - i];
    }
    boolean negative = bytes[0] < 0;
    bytes[0] &= 0x7f;
    var y = new BigInteger(1, bytes);
    if (y.compareTo(ED_PRIME) >= 0) {
      return false;
    }
    var square = y.multiply(y).mod(ED_PRIME);
    var divisor = ED_D.multiply(square).add(BigInteger.ONE).modInverse(ED_PRIME);
    var xSquare = square.subtract(BigInteger.ONE).multiply(divisor).mod(ED_PRIME);
    return xSquare.signum() == 0 ? !negative : isSquare(xSquare, ED_PRIME);
  }

  /** SEC 1, 2.3.4, compressed: x below the prime, and y² = x³ + 7 has a root. */
  private static boolean isSecp256k1(byte[] compressed) {
    var x = new BigInteger(1, Arrays.copyOfRange(compressed, 1, compressed.length));
    boolean isCompressed = compressed[0] == EVEN || compressed[0] == ODD;
    return isCompressed
        && x.compareTo(SECP_PRIME) < 0
        && isSquare(x.pow(3).add(SECP_B).mod(SECP_PRIME), SECP_PRIME);
  }

  /** Euler's criterion. */
  private static boolean isSquare(BigInteger number, BigInteger prime) {
    return number.modPow(prime.shiftRight(1), prime).equals(BigInteger.ONE);
  }
}
