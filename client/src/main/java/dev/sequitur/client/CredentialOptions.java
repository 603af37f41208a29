package dev.sequitur.client;

import dev.sequitur.console.WrongOption;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.ServerFiles;
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

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description =
          "Of https: a PEM file with the certificate that shows the node who calls; with --authority"
              + " and --private-key.")
  private Path certificate;

  @Option(
      names = "--private-key",
      paramLabel = "FILE",
      description = "The PEM file of that certificate's key, not encrypted.")
  private Path privateKey;

  /**
   * @throws WrongOption with a sentence for the person, if a file cannot be used
   */
  public Credentials read() {
    boolean shows = certificate != null || privateKey != null;
    if (shows && (certificate == null || privateKey == null || authority == null)) {
      throw new WrongOption(
          "--certificate, --private-key and --authority go together: name all three.");
    }
    return new Credentials(token(), Optional.ofNullable(authority).map(this::context));
  }

  private SSLContext context(Path trusted) {
    var own =
        Optional.ofNullable(certificate)
            .map(file -> new ServerFiles(file, privateKey, Optional.of(trusted)));
    try {
      return FileContexts.calling(trusted, own);
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
