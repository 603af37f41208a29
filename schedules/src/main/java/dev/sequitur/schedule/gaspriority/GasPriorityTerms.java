package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Terms;

/**
 * The specification's {@code ScheduledTransaction}, without sender and function.
 *
 * @param scheduledTimeMs UTC, milliseconds since 1970
 * @param maxGasAmount units of gas it may use at most
 * @param maxGasUnitPrice for each unit, at most; also its priority. The text's u64, but only to
 *     2^63 - 1, since no account can hold more
 */
public record GasPriorityTerms(long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice)
    implements Terms {
  public GasPriorityTerms {
    if (scheduledTimeMs < 0 || maxGasAmount < 0 || maxGasUnitPrice < 0) {
      throw new IllegalArgumentException(
          "Time, gas and price are not negative: name values from 0 to 9223372036854775807.");
    }
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  GasPriorityTerms at(long timeMs) {
    return new GasPriorityTerms(timeMs, maxGasAmount, maxGasUnitPrice);
  }
}
