package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Option;

/** In whose name a command acts. */
final class ActorOptions {
  @Option(
      names = "--as",
      required = true,
      paramLabel = "ACCOUNT",
      description = "The account you act as: whose schedule it is, or who buys.")
  private String account;

  String account() {
    return account;
  }
}
