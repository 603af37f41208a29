package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Option;

/** Of which schedules, by their family and whose they are. */
final class WhoseOptions {
  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      completionCandidates = ServiceCommands.Families.class,
      description = "Only one of ${COMPLETION-CANDIDATES}.")
  private String family;

  @Option(names = "--owner", paramLabel = "ACCOUNT", description = "Only of this account.")
  private String owner;

  void addTo(ObjectNode request) {
    NodeOptions.put(request, "family", family);
    NodeOptions.put(request, "owner", owner);
  }

  boolean areGiven() {
    return family != null || owner != null;
  }
}
