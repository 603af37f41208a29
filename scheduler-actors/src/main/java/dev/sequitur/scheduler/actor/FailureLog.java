package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.queue.QueueInput;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import org.slf4j.Logger;

/** Tells operators what the rules of one queue could not decide: a defect of theirs. */
final class FailureLog {
  private final Logger log;
  private long failures;

  FailureLog(Logger log) {
    this.log = log;
  }

  /** Each is somebody's, who has asked once. */
  void command(Command command, RuntimeException failure) {
    log.error("A command could not be decided: {}", command.operation().getClass(), failure);
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
