package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule list}. */
@Command(
    name = "list",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = "The schedules that wait or run.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule list",
      "  sequitur schedule list --owner alice --json",
      "  sequitur schedule list --waiting-for ed25519:…"
    })
final class ListCommand implements Runnable {
  private final Console console;

  @Mixin private NodeOptions node;

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "Only multi-signature, recurring, gas-priority or plan-execution.")
  private String family;

  @Option(names = "--owner", paramLabel = "ACCOUNT", description = "Only of this account.")
  private String owner;

  @Option(names = "--after", paramLabel = "ID", description = "Where the page before ended.")
  private String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, 1 to 1000 (default: 100).")
  private int limit;

  @Option(
      names = "--waiting-for",
      paramLabel = "KEY",
      description = "Only multi-signature schedules that wait for this key's signature.")
  private String waitingFor;

  ListCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    if (waitingFor != null) {
      var params = NodeOptions.JSON.createArrayNode().add(waitingFor).add(after).add(node.queue());
      node.print(
          console.out(), node.call("multiSignature_pendingFor", params), ScheduleText::pending);
      return;
    }
    var filter =
        node.command()
            .put("family", family)
            .put("owner", owner)
            .put("after", after)
            .put("limit", limit);
    node.print(console.out(), node.call("schedule_list", filter), ScheduleText::list);
  }
}
