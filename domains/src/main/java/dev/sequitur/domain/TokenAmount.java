package dev.sequitur.domain;

import java.math.BigInteger;

/**
 * How much a coin is worth, in the token's smallest unit.
 *
 * @param value from 1 to 2^256 - 1, so that it fits a word of an Ethereum contract
 */
record TokenAmount(BigInteger value) {
  private static final int MAX_BITS = 256;

  TokenAmount {
    if (!isValid(value)) {
      throw new IllegalArgumentException("An amount is between 1 and 2^256 - 1.");
    }
  }

  static boolean isValid(BigInteger value) {
    return value.signum() > 0 && value.bitLength() <= MAX_BITS;
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
