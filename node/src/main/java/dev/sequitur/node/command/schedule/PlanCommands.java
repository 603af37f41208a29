package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import dev.sequitur.node.process.WrongOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plan executions. */
final class PlanCommands {
  private PlanCommands() {}

  @Command(
      name = "plan",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Adds a plan that executions are bought by, as the service provider.",
      footer = {"", "Example:", "  sequitur schedule plan --price 50 --window 60 --gas 100"})
  static final class Plan extends ChangeCommand {
    @Mixin private ProviderOptions provider;

    @Option(names = "--price", required = true, paramLabel = "N", description = "Of an execution.")
    private String price;

    @Option(
        names = "--window",
        required = true,
        paramLabel = "SECONDS",
        description = "It runs so long before its time at the earliest, and after at the latest.")
    private String window;

    @Option(
        names = "--gas",
        required = true,
        paramLabel = "N",
        description = "The most gas an execution may use.")
    private String gas;

    @Option(
        names = "--token",
        paramLabel = "TOKEN",
        description = "The token in which it is paid (default: the queue's own money).")
    private String token;

    Plan(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var command =
          node()
              .command()
              .put("sender", provider.account())
              .put("price", price)
              .put("window", window)
              .put("gasLimit", gas)
              .put("token", token);
      print(
          node().call("plans_addPlan", command),
          result -> "Added plan " + result.path("plan").asText());
    }
  }

  @Command(
      name = "plans",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "The plans that executions are bought by, and who is paid.",
      footer = {"", "Example:", "  sequitur schedule plans"})
  static final class Plans extends NodeCommand {
    Plans(Console console) {
      super(console);
    }

    @Override
    public void run() {
      print(node().ask("plans_plans"), ScheduleText::plans);
    }
  }

  @Command(
      name = "purchase",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Buys executions of a plan.",
      footer = {"", "Example:", "  sequitur schedule purchase 0 2 --as alice --value 100"})
  static final class Purchase extends ChangeCommand {
    @Parameters(
        index = "0",
        paramLabel = "PLAN",
        description = "The plan's number, as 'schedule plans' lists it.")
    private String plan;

    @Parameters(index = "1", paramLabel = "QUANTITY", description = "How many executions.")
    private String quantity;

    @Mixin private ActorOptions actor;

    @Option(
        names = "--value",
        defaultValue = "0",
        paramLabel = "AMOUNT",
        description = "Just the price of them all; none for a plan that is sold in a token.")
    private String value;

    Purchase(Console console) {
      super(console);
    }

    @Override
    public void run() {
      var command =
          node()
              .command()
              .put("sender", actor.account())
              .put("plan", plan)
              .put("quantity", quantity)
              .put("value", value);
      print(
          node().call("plans_purchase", command),
          result -> "Executions left: " + result.path("remainingExecutions").asText());
    }
  }

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
