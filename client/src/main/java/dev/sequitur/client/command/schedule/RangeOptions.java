package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Option;

/** When what is wanted has happened. */
final class RangeOptions {
  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = WrittenMoment.Ago.class,
      description = "Only what happened then or later, " + WrittenMoment.Ago.EXAMPLES + ".")
  private String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = WrittenMoment.Ago.class,
      description = "Only what happened before.")
  private String until;

  void addTo(ObjectNode request) {
    NodeOptions.put(request, "since", since);
    NodeOptions.put(request, "until", until);
  }
}
