package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Interventions;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import java.util.Optional;

/** Takes in one proposal, from a command or from inside an execution. */
final class Admitting {
  private final QueueStep step;
  private final Interventions interventions;
  private Optional<ScheduleId> admitted = Optional.empty();

  Admitting(QueueStep step) {
    this(step, Interventions.NONE);
  }

  /**
   * @param interventions in what goes on as what is admitted
   */
  Admitting(QueueStep step, Interventions interventions) {
    this.step = step;
    this.interventions = interventions;
  }

  Optional<Refusal> admit(Proposal proposal, AccountId signer) {
    var family = step.setup.family(proposal.terms().family());
    var keyed = Authority.refusesRunning(step, family, proposal.target());
    if (keyed.isPresent()) {
      return keyed;
    }
    return switch (family.admit(step.view(family), proposal, signer)) {
      case Admission.Refused(var refusal) -> Optional.of(refusal);
      case Admission.Admitted taken -> {
        take(proposal, taken);
        admitted = Optional.of(taken.id());
        yield Optional.empty();
      }
    };
  }

  /** What its family has agreed to. */
  void take(Proposal proposal, Admission.Admitted taken) {
    var schedule =
        new Schedule(
            taken.id(), step.state().admissions() + 1, proposal, 0, taken.due(), interventions);
    step.record(new QueueEvent.Admitted(schedule, taken.deposit()));
  }

  Optional<ScheduleId> admitted() {
    return admitted;
  }
}
