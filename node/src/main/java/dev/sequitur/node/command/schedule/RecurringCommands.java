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
  static final class ResumeSeries implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Mixin private IdParameter schedule;

    @Mixin private ActorOptions actor;

    ResumeSeries(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      var command = node.command().put("owner", actor.account()).put("taskId", schedule.id());
      node.print(
          console.out(),
          node.call("recurring_resumeSeries", command),
          result -> "Resumed " + schedule.id() + ".");
    }
  }

  @Command(
      name = "slots",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "The next slots that still take a recurring task.",
      footer = {"", "Example:", "  sequitur schedule slots --from +1d --limit 24"})
  static final class FreeSlots implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

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
      this.console = console;
    }

    @Override
    public void run() {
      var page = node.command().put("limit", limit);
      if (from != null) {
        page.put("from", from.text());
      }
      node.print(console.out(), node.call("recurring_freeSlots", page), ScheduleText::slots);
    }
  }
}
