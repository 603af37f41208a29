package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule key}. */
@Command(
    name = "key",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = "Prints the public key of a key file, for 'schedule open'. Calls no node.",
    footer = {
      "",
      "Examples:",
      "  openssl genpkey -algorithm ed25519 -out alice.pem",
      "  sequitur schedule key alice.pem"
    })
final class KeyCommand implements Runnable {
  private final Console console;

  @Parameters(paramLabel = "FILE", description = "An Ed25519 private key, PKCS#8 in PEM.")
  private Path file;

  KeyCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    console.out().println(KeyFile.read(file).publicKey());
    console.out().flush();
  }
}
