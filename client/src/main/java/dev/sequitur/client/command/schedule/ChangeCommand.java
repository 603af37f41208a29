package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Option;

/** A command that changes something, and can be repeated without doing it twice. */
abstract class ChangeCommand extends NodeCommand {
  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "An idempotency key: a command whose answer was lost is done once, however often it is"
              + " repeated, also if it is signed anew. It needs times that stay the same, not +5m;"
              + " another command under the key is refused.")
  final void repeatUnder(String key) {
    node().repeatUnder(key);
  }
}
