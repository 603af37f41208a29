package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.id.LedgerAddress;
import java.math.BigInteger;
import java.util.Optional;

/**
 * How the node stands with the money for gas.
 *
 * @param payer the funding account, if there is one
 * @param payerBalance in the ledger's smallest unit; 0 without one
 * @param keys that have paid for gas lately
 * @param low of them, those that have less than they should
 * @param waiting of them, those whose transactions wait for money
 * @param sentence for the operator, who learns what to do; empty if there is enough
 */
public record GasReport(
    Status status,
    Optional<LedgerAddress> payer,
    BigInteger payerBalance,
    int keys,
    int low,
    int waiting,
    String sentence) {
  /** Nothing was looked at yet. */
  public static final GasReport NONE =
      new GasReport(Status.ENOUGH, Optional.empty(), BigInteger.ZERO, 0, 0, 0, "");

  /** What the operator has to know. */
  public enum Status {
    /** Nothing needs to be done. */
    ENOUGH,
    /** It will run out: nothing waits yet. */
    RUNS_OUT,
    /** Transactions wait until the chain asks for less, or the node may pay more. */
    FEES_TOO_HIGH,
    /** Transactions wait until somebody sends money. */
    WAITS_FOR_GAS_MONEY
  }
}
