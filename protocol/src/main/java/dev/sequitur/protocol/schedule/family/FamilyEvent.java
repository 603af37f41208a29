package dev.sequitur.protocol.schedule.family;

/** A durable change of a {@link FamilyState}. */
public sealed interface FamilyEvent permits FamilyEvent.TickCut, MultiSignatureEvent, PlanEvent {
  /**
   * A block was cut in this tick and left something waiting that had been due before it.
   *
   * @param tick since 1970
   */
  record TickCut(long tick) implements FamilyEvent {}
}
