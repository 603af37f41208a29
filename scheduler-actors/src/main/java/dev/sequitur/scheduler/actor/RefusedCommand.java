package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;
import java.util.Optional;

/** The answer to a command that did not get as far as the rules. */
public final class RefusedCommand {
  private RefusedCommand() {}

  public static QueueEffect answer(Command command, Refusal refusal) {
    var refused =
        new Answer(command.command(), Optional.empty(), Optional.of(refusal), Optional.empty());
    return command.operation() instanceof Operation.Batch
        ? new BatchAnswer(command.command(), false, List.of(refused))
        : refused;
  }
}
