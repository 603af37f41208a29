package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the owner of a recurring series can do, beside creating and cancelling it. */
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
}
