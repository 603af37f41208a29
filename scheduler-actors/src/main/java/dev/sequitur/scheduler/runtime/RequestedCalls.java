package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.FamilyOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.PlanOperation;
import dev.sequitur.protocol.schedule.family.ResumeSeries;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.signing.Action;
import java.util.stream.Stream;

/** The private transactions that a command asks to have scheduled, in whatever family. */
final class RequestedCalls {
  private RequestedCalls() {}

  static Stream<Target.PrivateCall> of(Operation operation) {
    return switch (operation) {
      case Operation.Propose(var proposal) -> of(proposal.target());
      case Operation.Perform(var performed) -> of(performed);
      case Operation.Batch batch -> batch.operations().stream().flatMap(RequestedCalls::of);
      case Operation.Cancel ignored -> Stream.empty();
      case Operation.Administered ignored -> Stream.empty();
    };
  }

  private static Stream<Target.PrivateCall> of(FamilyOperation operation) {
    return switch (operation) {
      case MultiSignatureOperation.ScheduleCreate create ->
          create.creation().transaction().action() instanceof Action.PrivateTransaction action
              ? Stream.of(action.call())
              : Stream.empty();
      case PlanOperation.Schedule schedule -> of(schedule.target());
      case PlanOperation.BatchSchedule batch ->
          batch.executions().stream().flatMap(schedule -> of(schedule.target()));
      case MultiSignatureOperation ignored -> Stream.empty();
      case PlanOperation ignored -> Stream.empty();
      case ResumeSeries ignored -> Stream.empty();
    };
  }

  private static Stream<Target.PrivateCall> of(Target target) {
    return switch (target) {
      case Target.PrivateCall call -> Stream.of(call);
      case Target.InQueue ignored -> Stream.empty();
    };
  }
}
