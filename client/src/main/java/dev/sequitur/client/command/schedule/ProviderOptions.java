package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Option;

/** In whose name the service provider's commands act. */
final class ProviderOptions {
  @Option(
      names = "--as",
      paramLabel = "ACCOUNT",
      defaultValue = "operator",
      description = "The service provider: the queue's administrator (default: operator).")
  private String account;

  String account() {
    return account;
  }
}
