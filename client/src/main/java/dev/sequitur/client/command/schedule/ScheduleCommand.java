package dev.sequitur.client.command.schedule;

import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sequitur schedule}: shows what there is. */
@Command(
    name = "schedule",
    description = {
      "Creates, shows and cancels the scheduled transactions of a running node.",
      "",
      "You name the account you act as; a node that asks who calls must have granted it to you.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule fund alice 1000",
      "  sequitur schedule pay bob 25 --as alice --at 'tomorrow 9:30 Europe/Zurich'",
      "  sequitur schedule cron '0 9 * * 1-5' --as alice --say 'good morning'",
      "  sequitur schedule list",
      "  sequitur schedule explain gas-priority:0x…",
      "  sequitur schedule audit"
    })
public final class ScheduleCommand extends CommandGroup implements EndsAtOnce {
  /** With all its own commands. */
  public static CommandLine commandLine(Console console) {
    return new CommandLine(new ScheduleCommand())
        .addSubcommand(new PayCommand(console))
        .addSubcommand(new PlainCommands.At())
        .addSubcommand(new PlainCommands.Every())
        .addSubcommand(new PlainCommands.Cron())
        .addSubcommand(new AccountCommands.Fund())
        .addSubcommand(new AccountCommands.Withdraw())
        .addSubcommand(new AccountCommands.Balance())
        .addSubcommand(new AccountCommands.Statement())
        .addSubcommand(new InsertCommand())
        .addSubcommand(new TaskCommand())
        .addSubcommand(new SlotsCommand())
        .addSubcommand(new DaysOffCommand())
        .addSubcommand(new KeyCommand())
        .addSubcommand(new OpenCommand())
        .addSubcommand(new CreateCommand())
        .addSubcommand(new ApproveCommand())
        .addSubcommand(new PlanCommands.Plan())
        .addSubcommand(new PlanCommands.Plans())
        .addSubcommand(new PlanCommands.RemovePlan())
        .addSubcommand(new PlanCommands.SetPayee())
        .addSubcommand(new PlanCommands.Allow())
        .addSubcommand(new PlanCommands.Purchase())
        .addSubcommand(new PlanCommands.Credits())
        .addSubcommand(new ExecutionCommands.Execution())
        .addSubcommand(new ExecutionCommands.Hash())
        .addSubcommand(new ExecutionCommands.Refund())
        .addSubcommand(new ExecutionCommands.State())
        .addSubcommand(new ExecutionCommands.Execute())
        .addSubcommand(new ExecutionCommands.Batch())
        .addSubcommand(new ExecutionCommands.Multicall())
        .addSubcommand(new ListCommand())
        .addSubcommand(new LookCommands.Show())
        .addSubcommand(new LookCommands.Explain())
        .addSubcommand(new CalendarCommands.Next())
        .addSubcommand(new CalendarCommands.Calendar())
        .addSubcommand(new LookCommands.Ended())
        .addSubcommand(new EventsCommand())
        .addSubcommand(WebhookCommand.commandLine())
        .addSubcommand(new CancelCommand())
        .addSubcommand(new ServiceCommands.Pause())
        .addSubcommand(new ServiceCommands.Resume())
        .addSubcommand(new ChangeScheduleCommand())
        .addSubcommand(new ServiceCommands.Run())
        .addSubcommand(new ServiceCommands.Skip())
        .addSubcommand(new BackFillCommand())
        .addSubcommand(new ServiceCommands.Shutdown())
        .addSubcommand(new LookCommands.Forecast())
        .addSubcommand(new LookCommands.Overview())
        .addSubcommand(new LookCommands.Audit());
  }
}
