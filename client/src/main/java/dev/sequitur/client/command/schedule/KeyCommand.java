package dev.sequitur.client.command.schedule;

import dev.sequitur.console.AnswerOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code sequitur schedule key}. */
@Command(
    name = "key",
    description =
        "Prints the public key of a key file, for 'schedule open'; with --new, makes the file"
            + " first. Calls no node.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule key alice.pem --new ed25519",
      "  sequitur schedule key alice.pem"
    })
final class KeyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "An Ed25519 or secp256k1 private key in PEM, as OpenSSL writes it too.")
  private Path file;

  @Option(
      names = "--new",
      paramLabel = "ALGORITHM",
      converter = Algorithms.class,
      description =
          "Make a key, ed25519 or secp256k1, and the file, which only you can read; a file that is"
              + " there is never overwritten.")
  private PersonalKey.Algorithm algorithm;

  @Mixin private final AnswerOption answer = new AnswerOption();

  private record Public(String publicKey) {}

  @Override
  public void run() {
    var key = algorithm == null ? KeyFile.read(file) : KeyFile.create(file, algorithm);
    answer.print(
        spec.commandLine().getOut(), new Public(key.publicKey().toString()), Public::publicKey);
  }

  static final class Algorithms implements ITypeConverter<PersonalKey.Algorithm> {
    @Override
    public PersonalKey.Algorithm convert(String text) {
      return Stream.of(PersonalKey.Algorithm.values())
          .filter(each -> each.word().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + text + "' is no kind of key: write ed25519 or secp256k1"));
    }
  }
}
