package dev.sequitur.node.command;

import static java.util.stream.Collectors.joining;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.StoreRestore;
import dev.sequitur.persistence.backup.BackupContent;
import dev.sequitur.persistence.backup.BackupContent.Damage;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.BackupException;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.text.Counted;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur restore}. */
@Command(
    name = "restore",
    description = {
      "Brings a node back from a backup, or says whether that could be done.",
      "",
      "With --check it reads all of the backup and says of which node, moment and block it is, and"
          + " what is damaged; the exit code is 1 if anything is. Without, it puts the backup into an"
          + " empty data directory or an empty schema: all of it, or nothing. The key seed is no part"
          + " of a backup, and has to be there. The node notices with its next start that its records"
          + " are older than the ledger.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur restore --check /var/backups/node1",
      "  sequitur restore --config node1.conf /var/backups/node1"
    })
final class RestoreCommand implements Callable<Integer> {
  private final CommandContext context;

  @Parameters(index = "0", paramLabel = "DIR", description = "Where the backup is.")
  private Path directory;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration of the node that is to be brought back, in HOCON.")
  private Path config;

  @Option(
      names = "--moment",
      paramLabel = "TIME",
      description =
          "Of the backups that the directory keeps, the one of this moment, as --check tells them"
              + " (default: the newest).")
  private Instant moment;

  @Option(names = "--check", description = "Only reads the backup.")
  private boolean check;

  @Mixin private final AnswerOption answer = new AnswerOption();

  RestoreCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (check == (config != null)) {
      throw new WrongOption("Say either --check, or by --config which node is to be brought back.");
    }
    BackupContent backup;
    try {
      var all = new BackupDirectory(directory);
      backup = BackupContent.of(moment == null ? all : all.at(moment));
      return check ? check(backup) : restore(backup);
    } catch (BackupException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  private int check(BackupContent backup) {
    var checked = Checked.of(backup, backup.check());
    answer.print(context.console().out(), checked, Checked::text);
    return checked.canBeRestored() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int restore(BackupContent backup) {
    var configuration = NodeConfiguration.read(config);
    var restored =
        Of.backup(backup)
            .lacking(
                StoreRestore.into(configuration, backup).stream().map(Object::toString).toList());
    answer.print(context.console().out(), restored, Of::restored);
    return ExitCode.OK;
  }

  /**
   * What a backup is of.
   *
   * @param block empty if the node had read none
   * @param keys that the node had, and that do not follow from its seed
   * @param lacking those of them that the node of now does not have; of a check always empty, since
   *     it is of no node
   */
  private record Of(
      String node,
      String moment,
      Optional<Long> block,
      long entries,
      long bytes,
      int format,
      boolean encrypted,
      List<String> keys,
      List<String> lacking) {
    static Of backup(BackupContent backup) {
      var source = backup.manifest().source();
      return new Of(
          source.node().value(),
          source.moment().toString(),
          source.block().map(BlockHeight::value),
          backup.manifest().entries(),
          backup.manifest().bytes(),
          source.diskFormat(),
          source.encrypted(),
          source.besideSeed().stream().map(Object::toString).toList(),
          List.of());
    }

    Of lacking(List<String> without) {
      return new Of(node, moment, block, entries, bytes, format, encrypted, keys, without);
    }

    String restored() {
      return "Restored: "
          + text()
          + (lacking.isEmpty()
              ? ""
              : "\nThe node lacks keys that it had: %s. What those sign waits: put back the keys.seed of then, or name the signer that has them."
                  .formatted(String.join(", ", lacking)));
    }

    String text() {
      return "node %s as it was at %s, %s; %s in %s%s."
          .formatted(
              node,
              moment,
              block.map(height -> "up to block " + height).orElse("before it had read a block"),
              Counted.of(entries, "entry", "entries"),
              Counted.of(bytes, "byte"),
              encrypted ? ", encrypted" : "");
    }
  }

  private record Lost(String file, String what, List<String> was) {
    static Lost of(Damage damage) {
      return new Lost(
          damage.file(),
          damage.what(),
          damage.was().stream().map(kind -> kind.what() + "; " + kind.giver()).toList());
    }

    String text() {
      return "%s %s.%s"
          .formatted(
              file,
              what,
              was.stream().map(lost -> "\n  There was: " + lost + ".").collect(joining()));
    }
  }

  /**
   * @param refusal why this program can't restore it, whole as it may be
   * @param unnamed files of no use
   * @param others moments of other backups in the directory
   */
  private record Checked(
      Of backup, List<Lost> damages, Optional<String> refusal, int unnamed, List<String> others) {
    static Checked of(BackupContent backup, BackupContent.Checked checked) {
      return new Checked(
          Of.backup(backup),
          checked.damages().stream().map(Lost::of).toList(),
          DiskFormat.OURS.refusal("The backup", backup.manifest().source().diskFormat()),
          checked.unnamed(),
          backup.others().stream().map(Instant::toString).toList());
    }

    boolean canBeRestored() {
      return damages.isEmpty() && refusal.isEmpty();
    }

    String text() {
      return Stream.of(
              Stream.of("A backup of " + backup.text()),
              Stream.of(backup.keys())
                  .filter(keys -> !keys.isEmpty())
                  .map(
                      keys ->
                          "Beside those of its seed the node had keys that are no part of it: %s."
                              .formatted(String.join(", ", keys))),
              refusal.stream(),
              Stream.of(
                  damages.isEmpty()
                      ? "All of it can be read."
                      : "It is damaged in %s, and can't be restored: take another copy of it."
                          .formatted(Counted.of(damages.size(), "segment"))),
              damages.stream().map(Lost::text),
              others.stream().map("There is another one, for --moment %s."::formatted),
              Stream.of(unnamed)
                  .filter(many -> many > 0)
                  .map(
                      many ->
                          "Beside it %s of a later backup that has not been finished."
                              .formatted(many == 1 ? "is one file" : "are " + many + " files")))
          .flatMap(lines -> lines)
          .collect(joining("\n"));
    }
  }
}
