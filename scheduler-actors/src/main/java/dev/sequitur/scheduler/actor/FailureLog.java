package dev.sequitur.scheduler.actor;

import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import org.slf4j.Logger;

/** Tells operators what the rules of one queue could not decide: a defect of theirs. */
final class FailureLog {
  private final Logger log;
  private final SeldomLines commands = new SeldomLines(System::nanoTime);
  private long failures;

  FailureLog(Logger log) {
    this.log = log;
  }

  /** Whoever has sent one that fails may send it again and again. */
  void command(Command command, RuntimeException failure) {
    var operation = command.operation().getClass();
    commands
        .due(operation + " " + failure.getClass())
        .ifPresent(
            leftOut ->
                log.error(
                    "A command could not be decided: {}; {} more since the last such line.",
                    operation,
                    leftOut,
                    failure));
  }

  /** A block comes again, ten times a second: the first, second, fourth, eighth is told. */
  void input(QueueInput input, RuntimeException failure) {
    failures++;
    if (Long.bitCount(failures) == 1) {
      log.error(
          "The rules failed, and nothing was changed, {} times since the queue began; now over {}",
          failures,
          input.getClass(),
          failure);
    }
  }
}
