package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An execution of a plan: whose it is, by which plan, when, and of what. */
final class ExecutionOptions {
  @Mixin private ActorOptions requestor;

  @Option(
      names = "--plan",
      required = true,
      paramLabel = "N",
      description = "The plan's number, as 'schedule plans' lists it.")
  private String plan;

  @Option(
      names = "--at",
      required = true,
      paramLabel = "TIME",
      converter = Moment.At.class,
      description = "When it runs, give or take the window, " + Moment.EXAMPLES + ".")
  private Moment.Time at;

  @Mixin private TargetOptions target;

  Moment.Time at() {
    return at;
  }

  /**
   * Adds what was said to a command.
   *
   * @param who the field that names the requestor
   * @param time as the command sends it
   */
  void addTo(ObjectNode command, String who, String time) {
    command.put(who, requestor.account()).put("plan", plan).put("timestamp", time);
    command.set("target", target.target());
  }
}
