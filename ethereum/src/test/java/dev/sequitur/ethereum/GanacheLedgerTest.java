package dev.sequitur.ethereum;

import dev.sequitur.protocol.ledger.Fees;

/** The port on a chain of another product, where gas has a price. */
final class GanacheLedgerTest extends EthereumLedgerTest {
  @Override
  DevChain startChain() {
    return Ganache.start();
  }

  /** Twice what its first block asks for. */
  @Override
  protected Fees price() {
    return Fees.flat(2_000_000_000);
  }

  /** It looks at both. */
  @Override
  protected boolean comparesBothFees() {
    return true;
  }

  @Override
  protected boolean countsItsPool() {
    return false;
  }
}
