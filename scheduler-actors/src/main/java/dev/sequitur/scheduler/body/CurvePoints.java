package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.signing.PublicKey;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Whether bytes of the right length are a key at all: a point of its curve, and for Ed25519 none of
 * the eight of small order. What belongs to one that is none can never be moved, and for a point of
 * small order anybody can make signatures.
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

  /**
   * The key, if somebody can own it. Takes some 100 microseconds.
   *
   * @throws IllegalArgumentException with a sentence if nobody or everybody could sign with it
   */
  public static PublicKey checked(PublicKey key) {
    var kind =
        key.algorithm() == PublicKey.Algorithm.ED25519
            ? ed25519(key.value().toByteArray())
            : secp256k1(key.value().toByteArray());
    return switch (kind) {
      case OWNED -> key;
      case NO_POINT ->
          throw new IllegalArgumentException(
              "These bytes are no key, as no point of the curve has them: nobody could sign with"
                  + " it.");
      case SMALL_ORDER ->
          throw new IllegalArgumentException(
              "These bytes are no key, as their point has a small order: anybody could sign with"
                  + " it.");
    };
  }

  private enum Kind {
    NO_POINT,
    SMALL_ORDER,
    OWNED
  }

  /**
   * RFC 8032, 5.1.3: y below the prime, and x² = (y² - 1) / (d y² + 1) has a root; that is 0 only
   * for a positive x.
   */
  private static Kind ed25519(byte[] littleEndian) {
    var bytes = new byte[littleEndian.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = littleEndian[bytes.length - 1 - i];
    }
    boolean negative = bytes[0] < 0;
    bytes[0] &= 0x7f;
    var y = new BigInteger(1, bytes);
    if (y.compareTo(ED_PRIME) >= 0) {
      return Kind.NO_POINT;
    }
    var ySquare = y.multiply(y).mod(ED_PRIME);
    var divisor = ED_D.multiply(ySquare).add(BigInteger.ONE).modInverse(ED_PRIME);
    var xSquare = ySquare.subtract(BigInteger.ONE).multiply(divisor).mod(ED_PRIME);
    boolean isPoint = xSquare.signum() == 0 ? !negative : isSquare(xSquare, ED_PRIME);
    if (!isPoint) {
      return Kind.NO_POINT;
    }
    return isOfSmallOrder(xSquare, ySquare) ? Kind.SMALL_ORDER : Kind.OWNED;
  }

  /**
   * Order 1 or 2 where x is 0, order 4 where y is 0, and order 8 where y is 0 after doubling, whose
   * numerator is x² + y². A curve of prime order, as secp256k1, has none but infinity, which no 33
   * bytes mean.
   */
  private static boolean isOfSmallOrder(BigInteger xSquare, BigInteger ySquare) {
    return xSquare.signum() == 0 || ySquare.signum() == 0 || xSquare.add(ySquare).equals(ED_PRIME);
  }

  /** SEC 1, 2.3.4, compressed: x below the prime, and y² = x³ + 7 has a root. */
  private static Kind secp256k1(byte[] compressed) {
    var x = new BigInteger(1, Arrays.copyOfRange(compressed, 1, compressed.length));
    boolean isCompressed = compressed[0] == EVEN || compressed[0] == ODD;
    boolean isPoint =
        isCompressed
            && x.compareTo(SECP_PRIME) < 0
            && isSquare(x.pow(3).add(SECP_B).mod(SECP_PRIME), SECP_PRIME);
    return isPoint ? Kind.OWNED : Kind.NO_POINT;
  }

  /** Euler's criterion. */
  private static boolean isSquare(BigInteger number, BigInteger prime) {
    return number.modPow(prime.shiftRight(1), prime).equals(BigInteger.ONE);
  }
}
