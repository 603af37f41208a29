package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The accounts of a queue. */
final class AccountCommands {
  private AccountCommands() {}

  /** Both take the same. */
  private abstract static class Movement implements Runnable {
    private final Console console;
    private final String method;

    @Mixin private NodeOptions node;

    @Mixin private AccountParameter account;

    @Parameters(index = "1", paramLabel = "AMOUNT", description = "A whole number above 0.")
    private String amount;

    Movement(Console console, String method) {
      this.console = console;
      this.method = method;
    }

    @Override
    public void run() {
      var command = node.command().put("account", account.account()).put("amount", amount);
      node.print(
          console.out(),
          node.call(method, command),
          result -> account.account() + " can spend " + result.path("available").asText() + ".");
    }
  }

  @Command(
      name = "fund",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Books money into a queue, as its administrator.")
  static final class Fund extends Movement {
    Fund(Console console) {
      super(console, "schedule_fund");
    }
  }

  @Command(
      name = "withdraw",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Books money out of a queue, as its administrator.")
  static final class Withdraw extends Movement {
    Withdraw(Console console) {
      super(console, "schedule_withdraw");
    }
  }

  @Command(
      name = "balance",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "What an account can spend.")
  static final class Balance implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Mixin private AccountParameter account;

    Balance(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      node.print(
          console.out(),
          node.ask("schedule_getBalance", account.account()),
          result -> account.account() + " can spend " + result.asText() + ".");
    }
  }
}
