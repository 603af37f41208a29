package dev.sequitur.ethereum;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import java.math.BigInteger;

/** A transaction in one of a chain's forms, before it is signed. Pure. */
sealed interface ChainTransaction permits FeeMarketTransaction, LegacyTransaction {
  /** What its sender signs: the Keccak-256 hash of {@link #unsigned}. */
  default Hash digest() {
    return Digests.keccak256(unsigned());
  }

  Bytes unsigned();

  /**
   * As it is sent; its hash is that of these bytes.
   *
   * @param signature r, s and v (27 or 28), 65 bytes
   */
  Bytes signed(Bytes signature);

  /**
   * In the form that a chain takes.
   *
   * @param legacy whether it has no type: its gas price is then what it would pay at most
   * @param to 20 bytes; empty to make a contract of {@code data}
   */
  static ChainTransaction of(
      boolean legacy,
      long chainId,
      long nonce,
      Fees fees,
      long gasLimit,
      Bytes to,
      BigInteger value,
      Bytes data) {
    return legacy
        ? new LegacyTransaction(chainId, nonce, fees.max(), gasLimit, to, value, data)
        : new FeeMarketTransaction(chainId, nonce, fees, gasLimit, to, value, data);
  }
}
