package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sequitur schedule cancel}. */
@Command(
    name = "cancel",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description =
        "Cancels a schedule that was not started, as its owner or the queue's administrator.",
    footer = {"", "Example:", "  sequitur schedule cancel recurring:0x… --as alice"})
final class CancelCommand implements Runnable {
  private final Console console;

  @Mixin private NodeOptions node;

  @Mixin private IdParameter schedule;

  @Mixin private ActorOptions actor;

  CancelCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    var command = node.command().put("id", schedule.id()).put("as", actor.account());
    node.print(
        console.out(),
        node.call("schedule_cancel", command),
        result -> "Cancelled " + schedule.id() + ".");
  }
}
