package dev.sequitur.protocol.ledger;

import java.math.BigInteger;

/**
 * What a base-ledger transaction pays for each unit of gas, as by EIP-1559, in the ledger's
 * smallest unit. One unit of gas costs far less than a long holds; what much gas costs does not,
 * and is a {@link BigInteger} as all amounts of that unit are.
 *
 * @param max never more, all together
 * @param priority of it goes to whoever makes the block, at most; not above {@code max}
 */
public record Fees(long max, long priority) {
  /** As one gas price says it: all that is paid goes to whoever makes the block. */
  public static Fees flat(long price) {
    return new Fees(price, price);
  }

  /** Whether neither is below that of {@code other}. */
  public boolean cover(Fees other) {
    return max >= other.max && priority >= other.priority;
  }

  /** What so much gas costs at most. */
  public BigInteger cost(long gas) {
    return BigInteger.valueOf(max).multiply(BigInteger.valueOf(gas));
  }

  /** The higher one of each. */
  public Fees orMore(Fees other) {
    return new Fees(Math.max(max, other.max), Math.max(priority, other.priority));
  }

  /** What replaces another transaction of the same nonce: a tenth more of each, rounded up. */
  public Fees toReplace() {
    return new Fees(tenthMore(max), tenthMore(priority));
  }

  private static long tenthMore(long price) {
    long more = Math.max(1, price / 10 + (price % 10 == 0 ? 0 : 1));
    return price > Long.MAX_VALUE - more ? Long.MAX_VALUE : price + more;
  }
}
