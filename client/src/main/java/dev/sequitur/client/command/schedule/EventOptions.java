package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Of what happens in a queue, what is wanted. */
final class EventOptions {
  @Mixin private EndedOptions ended;

  @Mixin private RangeOptions range;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Only ended, parked, intervened, shutdown or record events.")
  private String type;

  void addTo(ObjectNode request) {
    ended.addTo(request);
    range.addTo(request);
    NodeOptions.put(request, "type", type);
  }
}
