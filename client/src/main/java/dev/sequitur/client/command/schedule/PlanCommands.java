package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The plans that executions are bought by, and buying them. */
final class PlanCommands {
  private PlanCommands() {}

  @Command(
      name = "plan",
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
      description = "The plans that executions are bought by, and who is paid.",
      footer = {"", "Example:", "  sequitur schedule plans"})
  static final class Plans extends NodeCommand {
    @Override
    public void run() {
      print(node().ask("plans_plans"), ScheduleText::plans);
    }
  }

  @Command(
      name = "purchase",
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

    @Mixin private DryRun dryRun;

    @Override
    public void run() {
      var command =
          node()
              .command()
              .put("sender", actor.account())
              .put("plan", plan)
              .put("quantity", quantity)
              .put("value", value);
      dryRun.addTo(command);
      print(
          node().call("plans_purchase", command),
          dryRun.or(result -> "Executions left: " + result.path("remainingExecutions").asText()));
    }
  }

  @Command(
      name = "remove-plan",
      description =
          "Sells a plan no longer, as the service provider; what was bought of it is honoured.",
      footer = {"", "Example:", "  sequitur schedule remove-plan 0"})
  static final class RemovePlan extends ChangeCommand {
    @Parameters(
        paramLabel = "PLAN",
        description = "The plan's number, as 'schedule plans' lists it.")
    private String plan;

    @Mixin private ProviderOptions provider;

    @Override
    public void run() {
      var command = node().command().put("sender", provider.account()).put("plan", plan);
      print(node().call("plans_removePlan", command), result -> "Removed plan " + plan + ".");
    }
  }

  @Command(
      name = "set-payee",
      description = "Says who is paid for executions, as the service provider.",
      footer = {"", "Example:", "  sequitur schedule set-payee till"})
  static final class SetPayee extends ChangeCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "Who is paid.")
    private String payee;

    @Mixin private ProviderOptions provider;

    @Override
    public void run() {
      var command = node().command().put("sender", provider.account()).put("payee", payee);
      print(node().call("plans_setPayee", command), result -> "Paid to " + payee + " from now on.");
    }
  }

  @Command(
      name = "allow",
      description =
          "Lets the service provider take so much of a token for purchases; replaces what was allowed before.",
      footer = {"", "Example:", "  sequitur schedule allow usd 30 --as alice"})
  static final class Allow extends ChangeCommand {
    @Parameters(index = "0", paramLabel = "TOKEN", description = "The token.")
    private String token;

    @Parameters(index = "1", paramLabel = "AMOUNT", description = "At most so much.")
    private String amount;

    @Mixin private ActorOptions actor;

    @Override
    public void run() {
      var command =
          node().command().put("sender", actor.account()).put("token", token).put("amount", amount);
      print(
          node().call("plans_approve", command),
          result -> "Allowed " + amount + " of " + token + ".");
    }
  }

  @Command(
      name = "credits",
      description = "How many executions of a plan somebody has bought and not scheduled.",
      footer = {"", "Example:", "  sequitur schedule credits alice 0"})
  static final class Credits extends NodeCommand {
    @Parameters(index = "0", paramLabel = "ACCOUNT", description = "Who has bought them.")
    private String requestor;

    @Parameters(
        index = "1",
        paramLabel = "PLAN",
        description = "The plan's number, as 'schedule plans' lists it.")
    private String plan;

    @Override
    public void run() {
      print(
          node().ask("plans_remainingExecutions", requestor, plan),
          result -> "Executions left: " + result.asText());
    }
  }
}
