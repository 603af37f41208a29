package dev.sequitur.schedule;

/** Money of a queue in its smallest unit; never negative. Sums that overflow throw. */
public record Amount(long units) implements Comparable<Amount> {
  public static final Amount ZERO = new Amount(0);

  public Amount {
    if (units < 0) {
      throw new IllegalArgumentException("An amount is not negative: " + units);
    }
  }

  /**
   * @throws ArithmeticException if the product is above 2^63 - 1
   */
  public static Amount product(long quantity, long price) {
    return new Amount(Math.multiplyExact(quantity, price));
  }

  /**
   * @throws ArithmeticException if the sum is above 2^63 - 1
   */
  public Amount plus(Amount other) {
    return new Amount(Math.addExact(units, other.units));
  }

  /**
   * @throws IllegalArgumentException if {@code other} is more than this
   */
  public Amount minus(Amount other) {
    return new Amount(units - other.units);
  }

  public boolean isZero() {
    return units == 0;
  }

  @Override
  public int compareTo(Amount other) {
    return Long.compare(units, other.units);
  }

  @Override
  public String toString() {
    return Long.toString(units);
  }
}
