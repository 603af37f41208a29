package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What concerns recurring tasks, beside creating and cancelling them. */
final class RecurringCommands {
  private RecurringCommands() {}

  @Command(
      name = "resume",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description =
          "Has a recurring series go on that was parked, since a slot was full or a fee could not be"
              + " paid.",
      footer = {"", "Example:", "  sequitur schedule resume recurring:0x… --as alice"})
  static final class ResumeSeries extends NodeCommand {
    @Mixin private IdParameter schedule;

    @Mixin private ActorOptions actor;

    ResumeSeries(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var command = node().command().put("owner", actor.account()).put("taskId", schedule.id());
      print(
          node().call("recurring_resumeSeries", command),
          result -> "Resumed " + schedule.id() + ".");
    }
  }

  @Command(
      name = "slots",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "The next slots that still take a recurring task.",
      footer = {"", "Example:", "  sequitur schedule slots --from +1d --limit 24"})
  static final class FreeSlots extends NodeCommand {
    @Option(
        names = "--from",
        paramLabel = "TIME",
        converter = Moment.At.class,
        description = "From when on, " + Moment.EXAMPLES + " (default: now).")
    private Moment.Time from;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "10",
        description = "At most so many, 1 to 1000 (default: 10).")
    private String limit;

    FreeSlots(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var page = node().command().put("limit", limit);
      NodeOptions.put(page, "from", from == null ? null : from.text());
      print(node().call("recurring_freeSlots", page), ScheduleText::slots);
    }
  }
}
