package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.family.Terms;
import java.math.BigInteger;

/**
 * What was requested at the contract. Its data stays there: whoever executes names the id alone.
 *
 * @param plan by which it was bought
 * @param to what is called
 * @param dataSize bytes that the call is given
 * @param timestamp for when, in seconds since 1970
 * @param value that the contract sends with the call: shown, not booked
 */
public record ChainExecutionTerms(
    long plan, EvmAddress to, int dataSize, long timestamp, BigInteger value) implements Terms {
  public ChainExecutionTerms {
    if (plan < 0 || dataSize < 0 || timestamp < 0 || value.signum() < 0) {
      throw new IllegalArgumentException(
          "No request: plan " + plan + ", " + dataSize + " bytes, " + timestamp + ", " + value);
    }
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.CHAIN_EXECUTION;
  }
}
