package dev.sequitur.client.command;

import dev.sequitur.client.command.schedule.ScheduleCommand;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand;
import dev.sequitur.console.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** What a client can do: ask a running node. */
public final class ClientCommands {
  private ClientCommands() {}

  /** The commands, for {@link SequiturCommand}. */
  public static List<Object> of(Console console) {
    return List.of(
        new StatusCommand(console),
        new ReceiptCommand(console),
        new LogLevelCommand(console),
        new DiagnoseCommand(console),
        GroupCommand.commandLine(console),
        ScheduleCommand.commandLine(console));
  }

  /** The command line that has them and no others. */
  public static CommandLine commandLine(Console console, StopSignal stop) {
    return SequiturCommand.commandLine(console, stop, of(console));
  }

  /** The program of whoever only asks nodes. */
  public static void main(String[] args) {
    var stop = StopSignal.ofProcess();
    int exitCode = commandLine(Console.system(), stop).execute(args);
    stop.finished();
    System.exit(exitCode);
  }
}
