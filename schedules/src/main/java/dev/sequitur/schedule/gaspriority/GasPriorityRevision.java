package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family.Revision;
import java.util.Optional;

/** Another time, or another offer; what is empty stays. See {@link GasPriorityTerms}. */
public record GasPriorityRevision(
    Optional<Long> scheduledTimeMs,
    Optional<Long> maxGasAmount,
    Optional<Long> maxGasUnitPrice,
    Optional<Boolean> setAside)
    implements Revision {
  @Override
  public FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  /** With what stays. */
  GasPriorityTerms of(GasPriorityTerms before) {
    return new GasPriorityTerms(
        scheduledTimeMs.orElse(before.scheduledTimeMs()),
        maxGasAmount.orElse(before.maxGasAmount()),
        maxGasUnitPrice.orElse(before.maxGasUnitPrice()),
        before.key(),
        before.first(),
        setAside.orElse(before.setAside()));
  }
}
