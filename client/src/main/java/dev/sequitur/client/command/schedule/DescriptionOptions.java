package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Option;

/** What its owner says of a schedule, for people. */
final class DescriptionOptions {
  @Option(
      names = "--description",
      paramLabel = "TEXT",
      description = "What it is for, for whoever reads it: one line of at most 200 characters.")
  private String description;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description =
          "By which it is found with others, such as rent or team=sales; may be given 16 times.")
  private List<String> labels = List.of();

  boolean isSaid() {
    return description != null || !labels.isEmpty();
  }

  /** Adds what was said to a command. */
  void addTo(ObjectNode command) {
    NodeOptions.put(command, "description", description);
    if (!labels.isEmpty()) {
      var array = command.putArray("labels");
      labels.forEach(array::add);
    }
  }
}
