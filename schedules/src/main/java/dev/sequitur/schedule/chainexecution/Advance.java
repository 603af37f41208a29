package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.family.FamilyOperation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a round of the provider has found out and decided: stored as a whole, or not at all. The
 * provider's own, for whom the queue's administrator signs.
 *
 * @param reading empty if nothing new was read
 * @param gone executions that the contract does not know any more
 * @param dispatches to be sent once this is stored
 */
public record Advance(
    ServedContract contract,
    Optional<Reading> reading,
    List<ScheduleId> gone,
    List<Landing> landings,
    Map<ScheduleId, Failure> failures,
    List<ProviderDispatch> dispatches,
    boolean paused,
    String trouble)
    implements FamilyOperation {
  public Advance {
    gone = List.copyOf(gone);
    landings = List.copyOf(landings);
    failures = Map.copyOf(failures);
    dispatches = List.copyOf(dispatches);
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.CHAIN_EXECUTION;
  }

  @Override
  public String name() {
    return "Advance";
  }

  @Override
  public Stream<Target> targets() {
    return Stream.empty();
  }

  /** Only that something keeps all executions waiting. */
  static Advance troubled(ServedContract contract, boolean paused, String trouble) {
    return new Advance(
        contract, Optional.empty(), List.of(), List.of(), Map.of(), List.of(), paused, trouble);
  }
}
