package dev.sequitur.ethereum;

/** The port on a chain of another product. */
final class HardhatLedgerTest extends EthereumLedgerTest {
  @Override
  DevChain startChain() {
    return Hardhat.start();
  }
}
