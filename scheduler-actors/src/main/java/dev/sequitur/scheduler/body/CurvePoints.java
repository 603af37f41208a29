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
   * The key, if somebody can own it. Takes some 20 microseconds.
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
    var over = ySquare.subtract(BigInteger.ONE);
    var under = ED_D.multiply(ySquare).add(BigInteger.ONE).mod(ED_PRIME);
    boolean isPoint =
        over.signum() == 0 ? !negative : isSquare(over.multiply(under).mod(ED_PRIME), ED_PRIME);
    if (!isPoint) {
      return Kind.NO_POINT;
    }
    return isOfSmallOrder(ySquare, over, under) ? Kind.SMALL_ORDER : Kind.OWNED;
  }

  /**
   * Order 1 or 2 where x is 0, order 4 where y is 0, and order 8 where y is 0 after doubling, whose
   * numerator is x² + y². A curve of prime order, as secp256k1, has none but infinity, which no 33
   * bytes mean.
   *
   * @param over of x²
   * @param under of x², and never 0
   */
  private static boolean isOfSmallOrder(BigInteger ySquare, BigInteger over, BigInteger under) {
    return over.signum() == 0
        || ySquare.signum() == 0
        || under.multiply(ySquare).add(over).mod(ED_PRIME).signum() == 0;
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

  /**
   * Whether it has a root: Jacobi's symbol, by the law of quadratic reciprocity. A quotient has one
   * if the product has.
   */
  private static boolean isSquare(BigInteger number, BigInteger prime) {
    var top = number;
    var bottom = prime;
    boolean turned = false;
    while (top.signum() != 0) {
      int twos = top.getLowestSetBit();
      var odd = top.shiftRight(twos);
      int bottomEnd = bottom.intValue() & 7;
      turned ^= twos % 2 == 1 && (bottomEnd == 3 || bottomEnd == 5);
      turned ^= (odd.intValue() & 3) == 3 && (bottomEnd & 3) == 3;
      top = bottom.mod(odd);
      bottom = odd;
    }
    return !turned && bottom.equals(BigInteger.ONE);
  }
}
