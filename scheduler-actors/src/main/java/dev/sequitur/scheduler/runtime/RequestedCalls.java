package dev.sequitur.scheduler.runtime;

import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.stream.Stream;

/** The transactions that a command asks to have scheduled, in whatever family. */
final class RequestedCalls {
  private RequestedCalls() {}

  static Stream<Target.Call> of(Operation operation) {
    return switch (operation) {
      case Operation.Propose(var proposal) -> of(proposal.target());
      case Operation.Perform(var performed) -> of(performed);
      case Operation.Batch batch -> batch.operations().stream().flatMap(RequestedCalls::of);
      case Operation.Cancel ignored -> Stream.empty();
      case Operation.Intervene ignored -> Stream.empty();
      case Operation.Change change -> change.target().stream().flatMap(RequestedCalls::of);
      case Operation.Administered ignored -> Stream.empty();
      case Operation.OfPartition ignored -> Stream.empty();
    };
  }

  private static Stream<Target.Call> of(FamilyOperation operation) {
    return operation.targets().flatMap(RequestedCalls::of);
  }

  private static Stream<Target.Call> of(Target target) {
    return switch (target) {
      case Target.Call call -> Stream.of(call);
      case Target.InQueue ignored -> Stream.empty();
    };
  }
}
