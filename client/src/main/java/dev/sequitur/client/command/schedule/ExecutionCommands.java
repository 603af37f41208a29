package dev.sequitur.client.command.schedule;

import dev.sequitur.console.Console;
import dev.sequitur.console.WrongOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Executions of plans that were bought. */
final class ExecutionCommands {
  private ExecutionCommands() {}

  @Command(
      name = "execution",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Schedules an execution of a plan that was bought.",
      footer = {
        "",
        "Example:",
        "  sequitur schedule execution --as alice --plan 0 --at +5m --pay 25 --to bob"
      })
  static final class Execution extends ChangeCommand {
    @Mixin private ExecutionOptions execution;

    @Mixin private PolicyOptions.OfExecution policy;

    Execution(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var command = node().command();
      execution.addTo(command, "sender", node().time(execution.at()));
      policy.addTo(command);
      print(
          node().call("plans_schedule", command),
          result -> "Scheduled " + result.at("/ids/0").asText());
    }
  }

  @Command(
      name = "hash",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = {
        "The id that an execution of a plan will have, before it is scheduled; changes nothing."
            + " Its time is a date: with a time from now it would be another id each time.",
        "Beside it: what the contract calls, from which it is computed, and the ABI encoding of"
            + " both, as plans_batchSchedule takes it."
      },
      footer = {
        "",
        "Example:",
        "  sequitur schedule hash --as alice --plan 0 --at 2030-01-31T12:00:00Z --pay 25 --to bob"
      })
  static final class Hash extends NodeCommand {
    @Mixin private ExecutionOptions execution;

    Hash(Console console) {
      super(console);
    }

    @Override
    public void run() {
      if (execution.at().fromNow()) {
        throw new WrongOption(
            "At another time an execution has another id, and a time from now is not the same"
                + " twice: write "
                + execution.at().text()
                + ".");
      }
      // An id is the same in all queues.
      var hashed = NodeOptions.JSON.createObjectNode();
      execution.addTo(hashed, "requestor", execution.at().text());
      print(node().call("plans_hash", hashed), ScheduleText::hash);
    }
  }

  @Command(
      name = "refund",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description =
          "Refunds an overdue execution: its value and the execution that was bought go back.",
      footer = {"", "Example:", "  sequitur schedule refund plan-execution:0x… --as alice"})
  static final class Refund extends ChangeCommand {
    @Mixin private IdParameter execution;

    @Mixin private ActorOptions actor;

    Refund(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var command = node().command().put("sender", actor.account()).put("id", execution.id());
      print(
          node().call("plans_requestExecutionRefund", command),
          result -> "Refunded " + execution.id() + ".");
    }
  }
}
