package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import java.math.BigInteger;

/**
 * A key of the node is about to pay for gas. Amounts are in the ledger's smallest unit.
 *
 * @param needs for the gas of what it submits now, at most
 * @param sends what it sends along, which nobody tops up (FND-6)
 * @param waits whether the ledger has refused it for want of money
 * @param lacks whether some of its transactions wait for what they are to send along, which is not
 *     in {@code sends}
 * @param above what of it waits since the chain asks for more than the node ever pays
 * @param once whether it pays for this and then never again
 */
public record KeyUse(
    LedgerAddress key,
    BigInteger needs,
    BigInteger sends,
    boolean waits,
    boolean lacks,
    AboveCeiling above,
    boolean once) {
  /** Of a key that was not asked for in time. */
  private static final BigInteger UNKNOWN = BigInteger.TWO.pow(300);

  KeyUse funded() {
    return new KeyUse(key, needs, sends, false, lacks, above, once);
  }

  /**
   * For gas; below 0 if it lacks some of what it sends along. A key that was not asked for in time
   * has what nobody knows, and gets nothing yet.
   */
  BigInteger has(Accounts accounts) {
    var balance = accounts.balances().get(key);
    return balance == null ? UNKNOWN : balance.subtract(sends);
  }

  boolean hasLess(Accounts accounts, BigInteger than) {
    return has(accounts).compareTo(than) < 0;
  }

  /** What goes along is the caller's, and gas for what cannot go is of no use (FND-6). */
  boolean lacksWhatItSends(Accounts accounts) {
    return has(accounts).signum() < 0;
  }
}
