package dev.sequitur.node.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What becomes of a schedule that is late or fails, beyond what its family's text says. */
final class PolicyOptions {
  @Option(
      names = "--late",
      paramLabel = "POLICY",
      converter = Moment.Late.class,
      description =
          "When its time has passed: skip, run-once, run-all, expire-and-refund, or how late it may"
              + " still run, such as 5m (default: as its family has it).")
  private String late;

  @Mixin private RetryOptions retry;

  /** Adds what was said to a command. */
  void addTo(ObjectNode command) {
    if (late != null) {
      command.put("late", late);
    }
    retry.addTo(command);
  }
}
