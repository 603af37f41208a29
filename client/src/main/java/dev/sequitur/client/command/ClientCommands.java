package dev.sequitur.client.command;

import dev.sequitur.client.command.schedule.ScheduleCommand;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand;
import dev.sequitur.console.SequiturCommand.Offer;
import dev.sequitur.console.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** What a client can do: ask a running node. */
public final class ClientCommands {
  private ClientCommands() {}

  /** The commands, for {@link SequiturCommand}. */
  public static List<Offer> of(Console console) {
    return List.of(
        new Offer(StatusCommand.class, () -> new StatusCommand(console)),
        new Offer(ReceiptCommand.class, () -> new ReceiptCommand(console)),
        new Offer(LogLevelCommand.class, () -> new LogLevelCommand(console)),
        new Offer(DiagnoseCommand.class, () -> new DiagnoseCommand(console)),
        new Offer(GroupCommand.class, () -> GroupCommand.commandLine(console)),
        new Offer(ScheduleCommand.class, () -> ScheduleCommand.commandLine(console)));
  }

  /**
   * The command line that has them and no others.
   *
   * @param arguments as of {@link SequiturCommand#commandLine}
   */
  public static CommandLine commandLine(Console console, StopSignal stop, String... arguments) {
    return SequiturCommand.commandLine(console, stop, of(console), arguments);
  }

  /** The program of whoever only asks nodes. */
  public static void main(String[] args) {
    var stop = StopSignal.ofProcess();
    int exitCode = commandLine(Console.system(), stop, args).execute(args);
    stop.finished();
    System.exit(exitCode);
  }
}
