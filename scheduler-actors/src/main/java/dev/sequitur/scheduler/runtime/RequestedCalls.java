package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.FamilyOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.PlanOperation;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.signing.Action;
import java.util.stream.Stream;

/** The private transactions that a command asks to have scheduled, in whatever family. */
final class RequestedCalls {
  private RequestedCalls() {}

  static Stream<Target.PrivateCall> of(Operation operation) {
    if (operation instanceof Operation.Propose propose) {
      return of(propose.proposal().target());
    } else if (operation instanceof Operation.Perform perform) {
      return of(perform.operation());
    } else if (operation instanceof Operation.Batch batch) {
      return batch.operations().stream().flatMap(RequestedCalls::of);
    }
    return Stream.empty();
  }

  private static Stream<Target.PrivateCall> of(FamilyOperation operation) {
    if (operation instanceof MultiSignatureOperation.ScheduleCreate create) {
      return create.creation().transaction().action() instanceof Action.PrivateTransaction action
          ? Stream.of(action.call())
          : Stream.empty();
    } else if (operation instanceof PlanOperation.Schedule schedule) {
      return of(schedule.target());
    } else if (operation instanceof PlanOperation.BatchSchedule batch) {
      return batch.executions().stream().flatMap(schedule -> of(schedule.target()));
    }
    return Stream.empty();
  }

  private static Stream<Target.PrivateCall> of(Target target) {
    return target instanceof Target.PrivateCall call ? Stream.of(call) : Stream.empty();
  }
}
