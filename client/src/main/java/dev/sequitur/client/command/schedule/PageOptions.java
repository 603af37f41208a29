package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which page of what has ended is wanted. */
final class PageOptions {
  @Option(
      names = "--from",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of the first (default: 0), such as the page before ended with.")
  private String from;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, 1 to 1000 (default: 100).")
  private String limit;

  @Mixin private RangeOptions range;

  void addTo(ObjectNode request) {
    request.put("from", from).put("limit", limit);
    range.addTo(request);
  }
}
