package dev.sequitur.client.command;

import dev.sequitur.client.Credentials;
import dev.sequitur.cluster.tls.BadCertificate;
import dev.sequitur.cluster.tls.FileContexts;
import dev.sequitur.console.WrongOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/**
 * What a command shows the node that it asks. A token never stands on the command line, where every
 * user of the machine could read it.
 */
public final class CredentialOptions {
  private static final String VARIABLE = "SEQUITUR_TOKEN";
  private static final long MOST_BYTES = 16_384;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "The file of the token that shows the node who calls (default: the environment's "
              + VARIABLE
              + ").")
  private Path tokenFile;

  @Option(
      names = "--authority",
      paramLabel = "FILE",
      description =
          "Of https: a PEM file with who has issued the node's certificate (default: the public"
              + " authorities).")
  private Path authority;

  /**
   * @throws WrongOption with a sentence for the person, if a file cannot be used
   */
  public Credentials read() {
    return new Credentials(token(), Optional.ofNullable(authority).map(CredentialOptions::context));
  }

  private static SSLContext context(Path authority) {
    try {
      return FileContexts.calling(authority, Optional.empty());
    } catch (BadCertificate e) {
      throw new WrongOption(e.getMessage());
    }
  }

  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.ofNullable(System.getenv(VARIABLE)).filter(token -> !token.isBlank());
    }
    try {
      if (Files.size(tokenFile) > MOST_BYTES) {
        throw new WrongOption(tokenFile + " is too large to hold a token: name another file.");
      }
      return Optional.of(Files.readString(tokenFile).strip());
    } catch (IOException e) {
      throw new WrongOption(
          "The token cannot be read from %s: name a file that you may read.".formatted(tokenFile));
    }
  }
}
