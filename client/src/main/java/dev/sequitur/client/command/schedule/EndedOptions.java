package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Of what has ended, what is wanted. */
final class EndedOptions {
  @Mixin private WhoseOptions whose;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "Only run, failed, missed, expired, cancelled or refunded ones.")
  private String outcome;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Only of schedules that had this label.")
  private String label;

  void addTo(ObjectNode request) {
    whose.addTo(request);
    NodeOptions.put(request, "outcome", outcome);
    NodeOptions.put(request, "label", label);
  }
}
