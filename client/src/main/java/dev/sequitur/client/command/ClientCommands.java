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

  /**
   * The commands, for {@link SequiturCommand}.
   *
   * @param console shows how far what is long has come
   */
  public static List<Offer> of(Console console) {
    return List.of(
        new Offer(StatusCommand.class, StatusCommand::new),
        new Offer(ReceiptCommand.class, ReceiptCommand::new),
        new Offer(TransactionsCommand.class, TransactionsCommand::new),
        new Offer(CompareLedgerCommand.class, CompareLedgerCommand::new),
        new Offer(LogLevelCommand.class, LogLevelCommand::new),
        new Offer(DiagnoseCommand.class, DiagnoseCommand::new),
        new Offer(BackupCommand.class, () -> new BackupCommand(console)),
        new Offer(EraseCommand.class, EraseCommand::new),
        new Offer(PruneCommand.class, () -> new PruneCommand(console)),
        new Offer(DrainCommand.class, DrainCommand::new),
        new Offer(GroupCommand.class, GroupCommand::commandLine),
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
