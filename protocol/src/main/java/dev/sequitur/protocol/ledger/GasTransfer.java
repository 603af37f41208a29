package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.LedgerAddress;
import java.math.BigInteger;

/**
 * Money from the funding account to a key of the node.
 *
 * @param nonce of the funding account
 * @param amount in the ledger's smallest unit
 */
public record GasTransfer(long nonce, LedgerAddress to, BigInteger amount, Fees fees) {
  /** What a plain transfer uses on every chain of Ethereum's kind. */
  public static final long GAS = 21_000;

  /** The same at another price. */
  public GasTransfer with(Fees other) {
    return new GasTransfer(nonce, to, amount, other);
  }
}
