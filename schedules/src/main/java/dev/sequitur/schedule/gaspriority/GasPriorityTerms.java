package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Terms;
import java.util.Optional;

/**
 * The specification's {@code ScheduledTransaction}, without sender and function.
 *
 * @param scheduledTimeMs UTC, milliseconds since 1970
 * @param maxGasAmount units of gas it may use at most
 * @param maxGasUnitPrice for each unit, at most; also its priority. The text's u64, but only to
 *     2^63 - 1, since no account can hold more
 * @param key under which its caller sent it; two that are alike else are two if their keys are
 */
public record GasPriorityTerms(
    long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice, Optional<String> key)
    implements Terms {
  public GasPriorityTerms {
    if (scheduledTimeMs < 0 || maxGasAmount < 0 || maxGasUnitPrice < 0) {
      throw new IllegalArgumentException(
          "Time, gas and price are not negative: name values from 0 to 9223372036854775807.");
    }
  }

  /** Without a key. */
  public GasPriorityTerms(long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice) {
    this(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, Optional.empty());
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  GasPriorityTerms at(long timeMs) {
    return new GasPriorityTerms(timeMs, maxGasAmount, maxGasUnitPrice, key);
  }
}
