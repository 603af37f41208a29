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
      "  sequitur schedule insert --sender alice --at +5m --gas 100 --price 3 --pay 25 --to bob",
      "  sequitur schedule list",
      "  sequitur schedule explain gas-priority:0x…",
      "  sequitur schedule audit"
    })
public final class ScheduleCommand extends CommandGroup implements EndsAtOnce {
  /** With all its own commands. */
  public static CommandLine commandLine(Console console) {
    return new CommandLine(new ScheduleCommand())
        .addSubcommand(new AccountCommands.Fund(console))
        .addSubcommand(new AccountCommands.Withdraw(console))
        .addSubcommand(new AccountCommands.Balance(console))
        .addSubcommand(new InsertCommand(console))
        .addSubcommand(new TaskCommand(console))
        .addSubcommand(new SlotsCommand(console))
        .addSubcommand(new KeyCommand(console))
        .addSubcommand(new OpenCommand(console))
        .addSubcommand(new CreateCommand(console))
        .addSubcommand(new SignCommand(console))
        .addSubcommand(new PlanCommands.Plan(console))
        .addSubcommand(new PlanCommands.Plans(console))
        .addSubcommand(new PlanCommands.RemovePlan(console))
        .addSubcommand(new PlanCommands.SetPayee(console))
        .addSubcommand(new PlanCommands.Approve(console))
        .addSubcommand(new PlanCommands.Purchase(console))
        .addSubcommand(new PlanCommands.Credits(console))
        .addSubcommand(new ExecutionCommands.Execution(console))
        .addSubcommand(new ExecutionCommands.Hash(console))
        .addSubcommand(new ExecutionCommands.Refund(console))
        .addSubcommand(new ExecutionCommands.State(console))
        .addSubcommand(new ExecutionCommands.Execute(console))
        .addSubcommand(new ExecutionCommands.Batch(console))
        .addSubcommand(new ExecutionCommands.Multicall(console))
        .addSubcommand(new ListCommand(console))
        .addSubcommand(new LookCommands.Show(console))
        .addSubcommand(new LookCommands.Explain(console))
        .addSubcommand(new LookCommands.Ended(console))
        .addSubcommand(new CancelCommand(console))
        .addSubcommand(new ServiceCommands.Pause(console))
        .addSubcommand(new ServiceCommands.Resume(console))
        .addSubcommand(new ServiceCommands.Shutdown(console))
        .addSubcommand(new LookCommands.Forecast(console))
        .addSubcommand(new LookCommands.Overview(console))
        .addSubcommand(new LookCommands.Audit(console));
  }
}
