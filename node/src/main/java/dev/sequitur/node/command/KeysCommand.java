package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.KeyPassphrase;
import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur keys}. */
@Command(
    name = "keys",
    description = {
      "Encrypts the key seed of a node, from which all of its keys are made, and tells how it lies.",
      "",
      "A running node goes on; its next start wants the new passphrase. A copy that was made before"
          + " opens as it did. Run it as the user of the node, and with each JVM's copy of the seed.",
      ""
    },
    footer = {
      "",
      "A passphrase is the first line of a file, or SEQUITUR_KEY_PASSPHRASE of the environment, or is"
          + " asked for.",
      "",
      "Examples:",
      "  sequitur keys show --config node1.conf",
      "  sequitur keys encrypt --config node1.conf --new-passphrase-file passphrase",
      "  sequitur keys change-passphrase --directory factory-keys",
      "  sequitur keys decrypt --config node1.conf"
    })
final class KeysCommand extends CommandGroup implements EndsAtOnce {

  /** With its own commands. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new KeysCommand())
        .addSubcommand(new Show(context))
        .addSubcommand(new Encrypt(context))
        .addSubcommand(new ChangePassphrase(context))
        .addSubcommand(new Decrypt(context));
  }

  /** What they have in common: whose seed it is. */
  private abstract static class OfSeed implements Callable<Integer> {
    private final CommandContext context;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "The configuration of the node whose seed it is, in HOCON.")
    private Path config;

    @Option(
        names = "--directory",
        paramLabel = "DIR",
        description = "Where the seed lies, of a provider or of deploy-factory.")
    private Path directory;

    @Mixin private final AnswerOption answer = new AnswerOption();

    OfSeed(CommandContext context) {
      this.context = context;
    }

    @Override
    public final Integer call() {
      try {
        if ((config == null) == (directory == null)) {
          throw new WrongOption("Say whose seed it is, by --config or by --directory.");
        }
        var node = Optional.ofNullable(config).map(NodeConfiguration::read);
        var where = node.map(NodeConfiguration::keyDirectory).orElse(directory);
        run(where, node.flatMap(NodeConfiguration::keyPassphrase));
        answer.print(context.console().out(), Seed.in(where), Seed::sentence);
        return ExitCode.OK;
      } catch (IOException e) {
        throw new StartFailure(e.getMessage(), e);
      } finally {
        context.console().out().flush();
      }
    }

    KeyPassphrase passphrase(Optional<Path> file) {
      return new KeyPassphrase(
          file, KeyPassphrase.ofProcess(file).environment(), context.console()::secret);
    }

    /**
     * @param configured the file with the passphrase that the node is started with
     */
    abstract void run(Path directory, Optional<Path> configured) throws IOException;
  }

  /**
   * How a seed lies.
   *
   * @param directory where it is
   */
  private record Seed(String directory, boolean encrypted) {
    static Seed in(Path directory) throws IOException {
      return new Seed(directory.toString(), FileKeys.areSealed(directory));
    }

    String sentence() {
      return "The key seed in %s is %s."
          .formatted(
              directory,
              encrypted
                  ? "encrypted by a passphrase"
                  : "not encrypted: whoever reads the file has all keys");
    }
  }

  /** {@code sequitur keys show}. */
  @Command(name = "show", description = "Tells whether the seed is encrypted.")
  static final class Show extends OfSeed {
    Show(CommandContext context) {
      super(context);
    }

    @Override
    void run(Path directory, Optional<Path> configured) {}
  }

  /** {@code sequitur keys encrypt}. */
  @Command(
      name = "encrypt",
      description = {
        "Encrypts a seed that lies open.",
        "",
        "What was written before may still stand on the disk and in backups: make new keys if another"
            + " may have read it."
      })
  static final class Encrypt extends OfSeed {
    @Option(
        names = "--new-passphrase-file",
        paramLabel = "FILE",
        description = "Has the passphrase; without it, node.key-passphrase-file.")
    private Path next;

    Encrypt(CommandContext context) {
      super(context);
    }

    @Override
    void run(Path directory, Optional<Path> configured) throws IOException {
      if (FileKeys.areSealed(directory)) {
        throw new WrongOption(
            "The key seed in "
                + directory
                + " is encrypted already: another passphrase is given by `sequitur keys"
                + " change-passphrase`.");
      }
      var passphrase = passphrase(Optional.ofNullable(next).or(() -> configured));
      FileKeys.reseal(directory, passphrase, Optional.of(passphrase.fresh()));
    }
  }

  /** {@code sequitur keys change-passphrase}. */
  @Command(name = "change-passphrase", description = "Encrypts the seed by another passphrase.")
  static final class ChangePassphrase extends OfSeed {
    @Option(
        names = "--passphrase-file",
        paramLabel = "FILE",
        description = "Has the one of now; without it, node.key-passphrase-file.")
    private Path now;

    @Option(
        names = "--new-passphrase-file",
        paramLabel = "FILE",
        description = "Has the new one; without it, it is asked for.")
    private Path next;

    ChangePassphrase(CommandContext context) {
      super(context);
    }

    @Override
    void run(Path directory, Optional<Path> configured) throws IOException {
      requireSealed(directory);
      var old = passphrase(Optional.ofNullable(now).or(() -> configured));
      // Of the environment is the one of now.
      var fresh =
          new KeyPassphrase(Optional.ofNullable(next), Optional.empty(), old.terminal()).fresh();
      FileKeys.reseal(directory, old, Optional.of(fresh));
    }
  }

  /** {@code sequitur keys decrypt}. */
  @Command(name = "decrypt", description = "Has the seed lie open again.")
  static final class Decrypt extends OfSeed {
    @Option(
        names = "--passphrase-file",
        paramLabel = "FILE",
        description = "Has the passphrase; without it, node.key-passphrase-file.")
    private Path now;

    Decrypt(CommandContext context) {
      super(context);
    }

    @Override
    void run(Path directory, Optional<Path> configured) throws IOException {
      requireSealed(directory);
      FileKeys.reseal(
          directory, passphrase(Optional.ofNullable(now).or(() -> configured)), Optional.empty());
    }
  }

  private static void requireSealed(Path directory) throws IOException {
    if (!FileKeys.areSealed(directory)) {
      throw new WrongOption("The key seed in " + directory + " is not encrypted.");
    }
  }
}
