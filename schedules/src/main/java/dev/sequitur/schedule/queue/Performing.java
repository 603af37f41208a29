package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Has a family answer its own operations, one or several in one step. */
final class Performing {
  private final QueueStep step;
  private final Command command;

  Performing(QueueStep step, Command command) {
    this.step = step;
    this.command = command;
  }

  Answer perform(FamilyOperation operation) {
    var keyed =
        step.setup
            .refuses(operation.family())
            .or(() -> Authority.refusesSigning(command.signer()))
            .or(() -> refusesActing(operation));
    if (keyed.isPresent()) {
      return Answer.refused(command.command(), keyed.get());
    }
    var throttling = new Throttling(step);
    var busy = throttling.refusal(operation.name());
    var family = operated(operation);
    if (busy.isPresent()) {
      var refused = family.busy(busy.get());
      return new Answer(
          command.command(), Optional.empty(), Optional.of(refused.refusal()), refused.result());
    }
    if (family instanceof Family.Stamped) {
      step.tick();
    }
    return switch (family.perform(step.view(family), operation, command.signer())) {
      case Performance.Refused(var refusal, var result) ->
          new Answer(command.command(), Optional.empty(), Optional.of(refusal), result);
      case Performance.Performed performed -> {
        keyed = refusesRunning(family, performed.acts());
        if (keyed.isPresent()) {
          yield Answer.refused(command.command(), keyed.get());
        }
        throttling.use(operation.name());
        new Acting(step, family).carryOut(performed.acts());
        yield new Answer(command.command(), Optional.empty(), Optional.empty(), performed.result());
      }
    };
  }

  private Family.Operated operated(FamilyOperation operation) {
    if (step.setup.family(operation.family()) instanceof Family.Operated family) {
      return family;
    }
    throw new IllegalStateException("Its family has no operation " + operation.name());
  }

  private Optional<Refusal> refusesActing(FamilyOperation operation) {
    return step.setup.family(operation.family()) instanceof Family.Signed
        ? Optional.empty()
        : Authority.refusesActing(step, command.signer());
  }

  private Optional<Refusal> refusesRunning(Family family, List<Act> acts) {
    return acts.stream()
        .flatMap(
            act -> act instanceof Act.Admit admit ? Stream.of(admit.proposal()) : Stream.empty())
        .flatMap(proposal -> refusesRunning(family, proposal).stream())
        .findFirst();
  }

  private Optional<Refusal> refusesRunning(Family family, Proposal proposal) {
    return Authority.refusesRunning(step, family, proposal.target());
  }

  /** Each sees what the ones before it have done. */
  BatchAnswer perform(Batch batch) {
    List<Answer> answers = new ArrayList<>();
    boolean kept = step.attempt(() -> performEach(batch, answers));
    return new BatchAnswer(command.command(), kept, answers);
  }

  private boolean performEach(Batch batch, List<Answer> answers) {
    for (var operation : batch.operations()) {
      var answer = perform(operation);
      answers.add(answer);
      if (answer.refusal().isPresent() && batch.revertIfFails()) {
        return false;
      }
    }
    return true;
  }
}
