package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;

/**
 * What can be asked of one family beyond scheduling and cancelling. Each family has a sealed set of
 * them, named as its specification does.
 */
public sealed interface FamilyOperation
    permits MultiSignatureOperation, PlanOperation, ResumeSeries {
  FamilyKind family();

  /** By which it is throttled. */
  default String name() {
    return getClass().getSimpleName();
  }
}
