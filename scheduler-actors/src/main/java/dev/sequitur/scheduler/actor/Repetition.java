package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.RecentCommands.Remembered;
import java.util.Map;
import java.util.Optional;

/**
 * What a command gets whose id the queue remembers. It comes before every reason to refuse it: that
 * something would be refused today does not undo what was done.
 *
 * @param recalled what the store has of commands that have left {@code memory}, by id
 */
record Repetition(CommandDigest digests, QueueMemory memory, Map<String, Remembered> recalled) {
  /** The answer there was, or that it was another command's; empty if the id is not remembered. */
  Optional<QueueEffect> answer(Command command) {
    return memory
        .commands()
        .answer(command.command())
        .or(() -> Optional.ofNullable(recalled.get(command.command())))
        .map(known -> answer(digests, known, command));
  }

  static QueueEffect answer(CommandDigest digests, Remembered known, Command command) {
    boolean same = isOfItsKind(known, command) && digests.mayBe(known.digest(), command);
    return same ? known.answer() : anotherCommands(command);
  }

  /** Of one that an earlier version has done the digest does not tell a batch from the rest. */
  private static boolean isOfItsKind(Remembered known, Command command) {
    return known.answer() instanceof BatchAnswer == command.operation() instanceof Operation.Batch;
  }

  /** Whether a command of this id may be sent again long after. */
  static boolean mayCome(String command) {
    return !command.startsWith(SchedulerNode.ONCE);
  }

  private static QueueEffect anotherCommands(Command command) {
    return RefusedCommand.answer(
        command,
        new Refusal(
            Refusal.Code.COMMAND_REUSED,
            "Another command was done under this id, and this one, which is not the same, was"
                + " not: look at what that one did before you send this under an id, or an"
                + " idempotency key, of its own."));
  }
}
