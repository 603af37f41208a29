package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
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
 * @param setAside whether what it pays is set aside, too, so that it is there at its time (GAS-17)
 */
public record GasPriorityTerms(
    long scheduledTimeMs,
    long maxGasAmount,
    long maxGasUnitPrice,
    Optional<String> key,
    Optional<ScheduleId> first,
    boolean setAside)
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
    this(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, key, Optional.empty(), false);
  }

  /** Without a key. */
  public GasPriorityTerms(long scheduledTimeMs, long maxGasAmount, long maxGasUnitPrice) {
    this(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, Optional.empty());
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  /** The same, with what it pays set aside or not. */
  public GasPriorityTerms settingAside(boolean aside) {
    return new GasPriorityTerms(scheduledTimeMs, maxGasAmount, maxGasUnitPrice, key, first, aside);
  }

  /**
   * What is held for it until it has its outcome: its deposit, and what it pays if that is set
   * aside.
   *
   * @throws ArithmeticException if it is above 2^63 - 1
   */
  public Amount held(Target target) {
    var deposit = Amount.product(maxGasAmount, maxGasUnitPrice);
    return setAside
        ? target.payment().map(Target.Transfer::amount).orElse(Amount.ZERO).plus(deposit)
        : deposit;
  }

  /**
   * Those of the next run of a repetition.
   *
   * @param last the id of the run before it
   */
  GasPriorityTerms again(long timeMs, ScheduleId last) {
    return new GasPriorityTerms(
        timeMs, maxGasAmount, maxGasUnitPrice, key, first.or(() -> Optional.of(last)), setAside);
  }
}
