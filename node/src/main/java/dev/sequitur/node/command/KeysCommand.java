package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.crypto.TokenEnvelope;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.KeyPassphrase;
import dev.sequitur.node.process.RecordsKey;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Keys.Standing;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur keys}. */
@Command(
    name = "keys",
    description = {
      "Encrypts the key seed of a node, from which its keys are made, tells how it lies, and gives"
          + " identities other keys.",
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
      "  sequitur keys decrypt --config node1.conf",
      "  sequitur keys import alice --config node1.conf --key-file alice.key",
      "  sequitur keys rotate alice --config node1.conf",
      "  sequitur keys revoke alice --config node1.conf --key 0x02..."
    })
final class KeysCommand extends CommandGroup implements EndsAtOnce {
  private static final NodeName ANY = new NodeName("node");

  /** With its own commands. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new KeysCommand())
        .addSubcommand(new Show(context))
        .addSubcommand(new Envelope(context))
        .addSubcommand(new Encrypt(context))
        .addSubcommand(new ChangePassphrase(context))
        .addSubcommand(new Decrypt(context))
        .addSubcommand(new ListKeys(context))
        .addSubcommand(new Import(context))
        .addSubcommand(new Rotate(context))
        .addSubcommand(new Revoke(context));
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
        var node = node();
        var where = node.map(NodeConfiguration::keyDirectory).orElse(directory);
        run(where, node.flatMap(NodeConfiguration::keyPassphrase));
        print(context.console().out(), answer, where);
        return ExitCode.OK;
      } catch (IOException e) {
        throw new StartFailure(e.getMessage(), e);
      } finally {
        context.console().out().flush();
      }
    }

    /** Empty if it is not told by a configuration whose seed it is. */
    final Optional<NodeConfiguration> node() {
      return Optional.ofNullable(config).map(NodeConfiguration::read);
    }

    KeyPassphrase passphrase(Optional<Path> file) {
      return new KeyPassphrase(
          file, KeyPassphrase.ofProcess(file).environment(), context.console()::secret);
    }

    /**
     * @param configured the file with the passphrase that the node is started with
     */
    abstract void run(Path directory, Optional<Path> configured) throws IOException;

    /** Tells what has come of it. */
    void print(PrintWriter out, AnswerOption how, Path directory) throws IOException {
      how.print(out, Seed.in(directory), Seed::sentence);
    }
  }

  /** Of what opens the file. */
  private static final class PassphraseOption {
    @Option(
        names = "--passphrase-file",
        paramLabel = "FILE",
        description = "Has the passphrase of now; without it, node.key-passphrase-file.")
    private Path given;

    Optional<Path> file(Optional<Path> configured) {
      return Optional.ofNullable(given).or(() -> configured);
    }
  }

  /** What those have in common that read what is in the file, or change it. */
  private abstract static class OfNames extends OfSeed {
    @Mixin private final PassphraseOption now = new PassphraseOption();

    private List<Key> keys = List.of();

    OfNames(CommandContext context) {
      super(context);
    }

    @Override
    final void run(Path directory, Optional<Path> configured) throws IOException {
      keys = told(directory, passphrase(now.file(configured)));
    }

    /** Does it, and tells all keys that concern it. */
    abstract List<Key> told(Path directory, KeyPassphrase passphrase) throws IOException;

    /** Those of a name that has others than the seed's. */
    static List<Key> keys(Path directory, KeyPassphrase passphrase) throws IOException {
      return new NodeKeyFile(directory, passphrase).list().stream().map(Key::of).toList();
    }

    @Override
    void print(PrintWriter out, AnswerOption how, Path directory) {
      how.print(out, new Keys(keys), Keys::text);
    }
  }

  /** What a file has beside its seed. */
  private record Keys(List<Key> keys) {
    String text() {
      return keys.isEmpty()
          ? "Every identity has the key that follows from the seed."
          : String.join("\n", keys.stream().map(Key::text).toList());
    }
  }

  /**
   * A key of an identity.
   *
   * @param source where it is from
   * @param state whether it signs
   */
  private record Key(String name, String publicKey, String source, String state) {
    static Key of(NodeKeyFile.Listed key) {
      return new Key(
          key.name(),
          key.verifier().toString(),
          key.made() ? "seed" : "own",
          key.standing().name().toLowerCase(Locale.ROOT));
    }

    String text() {
      return "%s %s %s %s".formatted(name, publicKey, source, state);
    }
  }

  /** {@code sequitur keys list}. */
  @Command(
      name = "list",
      description = {
        "Tells the keys of identities that have others than the seed's, the oldest of each first.",
        "",
        "To each: its name, its public key, whether it is made of the seed or its own, and whether it"
            + " is held or revoked."
      })
  static final class ListKeys extends OfNames {
    ListKeys(CommandContext context) {
      super(context);
    }

    @Override
    List<Key> told(Path directory, KeyPassphrase passphrase) throws IOException {
      return keys(directory, passphrase);
    }
  }

  /** What those have in common that change the keys of one name. */
  private abstract static class OfName extends OfNames {
    @Parameters(paramLabel = "NAME", description = "Of the identity: what stands before the @.")
    private String name;

    OfName(CommandContext context) {
      super(context);
    }

    @Override
    final List<Key> told(Path directory, KeyPassphrase passphrase) throws IOException {
      Identity identity;
      try {
        identity = new Identity(name, ANY);
      } catch (IllegalArgumentException e) {
        throw new WrongOption(e.getMessage());
      }
      if (NodeKeyNames.isTakenBy(identity) && !mayBeNodes(name)) {
        throw new WrongOption(
            "The key %s is the node's own and follows from its seed.".formatted(name));
      }
      change(directory, passphrase, name);
      return keys(directory, passphrase).stream().filter(key -> key.name().equals(name)).toList();
    }

    /** Whether a key of the node itself may be called so. */
    boolean mayBeNodes(String taken) {
      return false;
    }

    abstract void change(Path directory, KeyPassphrase passphrase, String of) throws IOException;
  }

  /** {@code sequitur keys import}. */
  @Command(
      name = "import",
      description = {
        "Gives an identity a key that was made elsewhere, in place of the seed's.",
        "",
        "It counts from the next start. Do it before the identity is used: what was made with the"
            + " seed's key wants that one."
      })
  static final class Import extends OfName {
    @Option(
        names = "--key-file",
        required = true,
        paramLabel = "FILE",
        description = "Has the key as 64 hexadecimal digits, for its owner only.")
    private Path key;

    Import(CommandContext context) {
      super(context);
    }

    @Override
    boolean mayBeNodes(String taken) {
      return taken.equals(NodeKeyNames.funding());
    }

    @Override
    void change(Path directory, KeyPassphrase passphrase, String of) throws IOException {
      new NodeKeyFile(directory, passphrase).importKey(of, key);
    }
  }

  /** {@code sequitur keys rotate}. */
  @Command(
      name = "rotate",
      description = {
        "Gives an identity another key for the groups that are made from the next start on.",
        "",
        "Groups that know an older key go on with that one, and so does the identity's account of the"
            + " base ledger."
      })
  static final class Rotate extends OfName {
    @Option(
        names = "--key-file",
        paramLabel = "FILE",
        description = "Has the key as 64 hexadecimal digits; without it, one is made.")
    private Path key;

    Rotate(CommandContext context) {
      super(context);
    }

    @Override
    boolean mayBeNodes(String taken) {
      return taken.equals(NodeKeyNames.records());
    }

    @Override
    void change(Path directory, KeyPassphrase passphrase, String of) throws IOException {
      new NodeKeyFile(directory, passphrase).rotate(of, Optional.ofNullable(key));
    }
  }

  /** {@code sequitur keys revoke}. */
  @Command(
      name = "revoke",
      description = {
        "Has the node sign nothing with a key of an identity any more, from the next start on.",
        "",
        "Only this node is told. A revoked key cannot be had back but by the file of before."
      })
  static final class Revoke extends OfName {
    @Option(
        names = "--key",
        paramLabel = "PUBLIC-KEY",
        description = "Which, as `list` tells it; without it, all that the identity has.")
    private String which;

    Revoke(CommandContext context) {
      super(context);
    }

    /** Of the records not all that there are: they would not open any more. */
    @Override
    boolean mayBeNodes(String taken) {
      return taken.equals(NodeKeyNames.records()) && which != null;
    }

    @Override
    void change(Path directory, KeyPassphrase passphrase, String of) throws IOException {
      var key = Optional.ofNullable(which).map(Revoke::verifier);
      if (of.equals(NodeKeyNames.records()) && key.equals(newest(directory, passphrase, of))) {
        throw new WrongOption(
            "Nothing that is stored would open without the newest key of %s: run `sequitur keys rotate %s` and start the node first, then revoke the older one."
                .formatted(of, of));
      }
      if (of.equals(NodeKeyNames.records())) {
        requireEncryptedAnew(directory, passphrase, of);
      }
      new NodeKeyFile(directory, passphrase).revoke(of, key);
    }

    private void requireEncryptedAnew(Path directory, KeyPassphrase passphrase, String of)
        throws IOException {
      var data =
          node()
              .map(NodeConfiguration::directory)
              .orElseThrow(
                  () ->
                      new WrongOption(
                          "Say by --config whose records the key %s is for.".formatted(of)));
      if (!RecordsKey.isNewest(data, FileKeys.open(directory, passphrase))) {
        throw new WrongOption(
            "The node has not started with the newest key of %s yet, so its records may want the older one: start it once, then revoke that."
                .formatted(of));
      }
    }

    /** That is not revoked; of a name that has no others it is the seed's. */
    private static Optional<Verifier> newest(Path directory, KeyPassphrase passphrase, String of)
        throws IOException {
      var keys =
          new NodeKeyFile(directory, passphrase)
              .list().stream().filter(key -> key.name().equals(of)).toList();
      return keys.isEmpty()
          ? Optional.of(FileKeys.open(directory, passphrase).verifier(of))
          : keys.reversed().stream()
              .filter(key -> key.standing() == Standing.HELD)
              .findFirst()
              .map(NodeKeyFile.Listed::verifier);
    }

    private static Verifier verifier(String hex) {
      try {
        return new Verifier(Bytes.hex(hex));
      } catch (IllegalArgumentException e) {
        throw new WrongOption("--key is no public key of 33 bytes in hex: " + hex);
      }
    }
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

  /**
   * What a token opens.
   *
   * @param file the passphrase is in it
   */
  private record Written(String file) {
    String sentence() {
      return "The passphrase in " + file + " is opened by the token.";
    }
  }

  /** {@code sequitur keys envelope}. */
  @Command(
      name = "envelope",
      description = {
        "Makes a passphrase that only a token (PKCS#11) can open, and writes it to a file.",
        "",
        "Name the file as any other that has a passphrase: for `encrypt` or `change-passphrase`, and by"
            + " node.key-passphrase-file. Keep a copy: without it, or without the token's key, nobody opens"
            + " the seed."
      })
  static final class Envelope implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "FILE", description = "Is not there yet.")
    private Path file;

    @Option(
        names = "--library",
        required = true,
        paramLabel = "FILE",
        description = "By which the token is reached, such as /usr/lib/softhsm/libsofthsm2.so.")
    private Path library;

    @Option(
        names = "--slot",
        required = true,
        paramLabel = "NUMBER",
        description = "Where the token is, as its library numbers it.")
    private int slot;

    @Option(
        names = "--key",
        required = true,
        paramLabel = "LABEL",
        description = "An AES key of the token.")
    private String key;

    @Option(
        names = "--pin-file",
        paramLabel = "FILE",
        description =
            "Its first line is the PIN, at each start, too; without it, who sits at the terminal is"
                + " asked.")
    private Path pin;

    @Mixin private final AnswerOption answer = new AnswerOption();

    Envelope(CommandContext context) {
      this.context = context;
    }

    @Override
    public Integer call() {
      try {
        var token =
            new TokenEnvelope.Token(
                library.toAbsolutePath(),
                slot,
                key,
                Optional.ofNullable(pin).map(Path::toAbsolutePath));
        TokenEnvelope.write(file, token, context.console()::secret);
        answer.print(context.console().out(), new Written(file.toString()), Written::sentence);
        return ExitCode.OK;
      } catch (IllegalArgumentException e) {
        throw new WrongOption(e.getMessage());
      } catch (IOException e) {
        throw new StartFailure(e.getMessage(), e);
      } finally {
        context.console().out().flush();
      }
    }
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
      new NodeKeyFile(directory, passphrase).reseal(Optional.of(passphrase.fresh()));
    }
  }

  /** {@code sequitur keys change-passphrase}. */
  @Command(name = "change-passphrase", description = "Encrypts the seed by another passphrase.")
  static final class ChangePassphrase extends OfSeed {
    @Mixin private final PassphraseOption now = new PassphraseOption();

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
      var old = passphrase(now.file(configured));
      // Of the environment is the one of now.
      var fresh =
          new KeyPassphrase(Optional.ofNullable(next), Optional.empty(), old.terminal()).fresh();
      new NodeKeyFile(directory, old).reseal(Optional.of(fresh));
    }
  }

  /** {@code sequitur keys decrypt}. */
  @Command(name = "decrypt", description = "Has the seed lie open again.")
  static final class Decrypt extends OfSeed {
    @Mixin private final PassphraseOption now = new PassphraseOption();

    Decrypt(CommandContext context) {
      super(context);
    }

    @Override
    void run(Path directory, Optional<Path> configured) throws IOException {
      requireSealed(directory);
      new NodeKeyFile(directory, passphrase(now.file(configured))).reseal(Optional.empty());
    }
  }

  private static void requireSealed(Path directory) throws IOException {
    if (!FileKeys.areSealed(directory)) {
      throw new WrongOption("The key seed in " + directory + " is not encrypted.");
    }
  }
}
