package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sequitur schedule slots}. */
@Command(
    name = "slots",
    description = "The next slots that still take a recurring task.",
    footer = {
      "",
      "Example:",
      "  sequitur schedule slots --from +1d --limit 24",
      "  sequitur schedule slots --series"
    })
final class SlotsCommand extends NodeCommand {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "From when on, " + WrittenMoment.EXAMPLES + " (default: now).")
  private WrittenMoment.Time from;

  @Option(
      names = "--series",
      description =
          "Those of series, a minute each by default (default: those of tasks, an hour each).")
  private boolean series;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "At most so many, 1 to 1000 (default: 10).")
  private String limit;

  @Override
  public void run() {
    var page = node().command().put("limit", limit).put("series", series);
    NodeOptions.put(page, "from", from == null ? null : from.text());
    print(node().call("recurring_freeSlots", page), ScheduleText::slots);
  }
}
