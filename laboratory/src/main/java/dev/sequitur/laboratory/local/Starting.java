package dev.sequitur.laboratory.local;

import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.StartFailure.LeftOut;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Waits until a process serves. One that the other JVMs of its node have left out, as happens on a
 * machine under load, is started again.
 *
 * @param up what it says when it serves
 * @param most for all its starts together
 * @param remedy what a person can do if that is too short, after "look into its output"
 */
record Starting(String up, Duration most, String remedy) {

  /**
   * Blocks the caller.
   *
   * @param first started already
   * @param again starts another one in its place
   * @return the one that serves
   * @throws StartFailure with what it said, if it ends otherwise, or takes too long
   */
  ChildProcess await(ChildProcess first, Supplier<ChildProcess> again) {
    long until = System.nanoTime() + most.toNanos();
    var process = first;
    while (true) {
      var ended = process.awaitSaying(up, Duration.ofNanos(until - System.nanoTime()));
      if (ended.isEmpty()) {
        if (process.hasSaid(up)) {
          return process;
        }
        throw tooLong(process);
      }
      if (ended.getAsInt() != LeftOut.EXIT_CODE) {
        throw new StartFailure(process.name() + " has ended: " + process.said().strip());
      }
      if (System.nanoTime() >= until) {
        throw tooLong(process);
      }
      process = again.get();
    }
  }

  /** As {@link #await(ChildProcess, Supplier)}, for a process that nobody leaves out. */
  void await(ChildProcess process) {
    await(
        process,
        () -> {
          throw new StartFailure(process.name() + " has ended: " + process.said().strip());
        });
  }

  private StartFailure tooLong(ChildProcess process) {
    return new StartFailure(
        "%s is not up after %d s: look into %s%s."
            .formatted(process.name(), most.toSeconds(), process.output(), remedy));
  }
}
