package dev.sequitur.client.command.schedule;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The accounts of a queue. */
final class AccountCommands {
  private AccountCommands() {}

  /** Both take the same. */
  private abstract static class Movement extends ChangeCommand {
    private final String method;

    @Mixin private AccountParameter account;

    @Parameters(
        index = "1",
        paramLabel = "AMOUNT",
        converter = TargetOptions.WholeAmount.class,
        description = "A whole number above 0.")
    private String amount;

    Movement(String method) {
      this.method = method;
    }

    @Override
    public void run() {
      var command = node().command().put("account", account.account()).put("amount", amount);
      print(
          node().call(method, command),
          result -> account.account() + " can spend " + result.path("available").asText() + ".");
    }
  }

  @Command(
      name = "fund",
      description = "Books money into a queue, as its administrator.",
      footer = {"", "Example:", "  sequitur schedule fund alice 1000"})
  static final class Fund extends Movement {
    Fund() {
      super("schedule_fund");
    }
  }

  @Command(
      name = "withdraw",
      description = "Books money out of a queue, as its administrator.",
      footer = {"", "Example:", "  sequitur schedule withdraw alice 250"})
  static final class Withdraw extends Movement {
    Withdraw() {
      super("schedule_withdraw");
    }
  }

  @Command(
      name = "balance",
      description = "What an account can spend.",
      footer = {"", "Example:", "  sequitur schedule balance alice"})
  static final class Balance extends NodeCommand {
    @Mixin private AccountParameter account;

    @Override
    public void run() {
      print(
          node().ask("schedule_getBalance", account.account()),
          result -> account.account() + " can spend " + result.asText() + ".");
    }
  }

  @Command(
      name = "statement",
      description =
          "What an account has had and has paid, and why; what it has, and what is set aside.",
      footer = {"", "Example:", "  sequitur schedule statement alice --since 7d"})
  static final class Statement extends NodeCommand {
    @Mixin private AccountParameter account;

    @Mixin private PageOptions page;

    @Option(
        names = "--from-others",
        split = ",",
        paramLabel = "N",
        description = "Of a queue with partitions: as the page before ended with.")
    private List<String> fromOthers = List.of();

    @Override
    public void run() {
      var request = node().command().put("account", account.account());
      page.addTo(request);
      fromOthers.forEach(request.putArray("fromOthers")::add);
      print(
          node().call("schedule_getStatement", request),
          result -> ScheduleText.statement(account.account(), result));
    }
  }

  /** Which account of a queue. */
  static final class AccountParameter {
    @Parameters(
        index = "0",
        paramLabel = "ACCOUNT",
        description = "The account's name; alice#usd is what alice has in the token usd.")
    private String account;

    String account() {
      return account;
    }
  }
}
