package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
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
 * @param first of a repetition that goes on, the id of its first run: its name, which is no part of
 *     what makes the id
 */
public record GasPriorityTerms(
    long scheduledTimeMs,
    long maxGasAmount,
    long maxGasUnitPrice,
    Optional<String> key,
    Optional<ScheduleId> first)
    implements Terms {
  public GasPriorityTerms {
    if (scheduledTimeMs < 0 || maxGasAmount < 0 || maxGasUnitPrice < 0) {
      throw new IllegalArgumentException(
          "Time, gas and price are not negative: name values from 0 to 9223372036854775807.");
    }
  }

  /** As a caller sends it. */
  public GasPriorityTerms(
      long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice, Optional<String> key) {
    this(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, key, Optional.empty());
  }

  /** Without a key. */
  public GasPriorityTerms(long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice) {
    this(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, Optional.empty());
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  /**
   * Those of the next run of a repetition.
   *
   * @param last the id of the run before it
   */
  GasPriorityTerms again(long timeMs, ScheduleId last) {
    return new GasPriorityTerms(
        timeMs, maxGasAmount, maxGasUnitPrice, key, first.or(() -> Optional.of(last)));
  }
}
