package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.abi.EvmAddress;

/** A plan contract on one chain. A queue serves one. */
public record ServedContract(long chain, EvmAddress address) {
  @Override
  public String toString() {
    return address + " on chain " + chain;
  }
}
