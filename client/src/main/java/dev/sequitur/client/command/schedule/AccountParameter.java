package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Parameters;

/** Which account of a queue. */
final class AccountParameter {
  @Parameters(
      index = "0",
      paramLabel = "ACCOUNT",
      description = "The account's name; alice#usd is what alice has in the token usd.")
  private String account;

  String account() {
    return account;
  }
}
