package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Option;

/** What becomes of a schedule that fails. */
final class RetryOptions {
  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "How often it is tried if it fails, with growing pauses (default: once).")
  private Integer attempts;

  /** Adds what was said to a command. */
  void addTo(ObjectNode command) {
    if (attempts != null) {
      command.putObject("retry").put("maxAttempts", attempts);
    }
  }
}
