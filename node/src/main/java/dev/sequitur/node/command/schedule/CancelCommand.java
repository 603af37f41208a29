package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule cancel}. */
@Command(
    name = "cancel",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = "Cancels a schedule that was not started.",
    footer = {"", "Example:", "  sequitur schedule cancel recurring:0x… --as alice"})
final class CancelCommand implements Runnable {
  private final Console console;

  @Mixin private NodeOptions node;

  @Parameters(paramLabel = "ID", description = "The schedule's id, as its creation printed it.")
  private String id;

  @Option(
      names = "--as",
      required = true,
      paramLabel = "ACCOUNT",
      description = "Its owner, or the queue's administrator.")
  private String as;

  CancelCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    var command = node.command().put("id", id).put("as", as);
    node.print(
        console.out(), node.call("schedule_cancel", command), result -> "Cancelled " + id + ".");
  }
}
