package dev.sequitur.node.command;

import static java.util.stream.Collectors.joining;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.persistence.leveldb.StoreFiles;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.DatabaseTables;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.StoredKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code sequitur check-store}. */
@Command(
    name = "check-store",
    description = {
      "Reads everything that a node has stored, and says what is damaged.",
      "",
      "Of each damaged place it tells what was there and who could give it back. It changes nothing; the"
          + " node must be stopped, unless it has a database. The exit code is 1 if something is"
          + " damaged; a last write that is not whole, as after a power cut, is only told. Whether the store is as new as the ledger is looked for at each start of the"
          + " node, and not here.",
      ""
    },
    footer = {"", "Example:", "  sequitur check-store --config node1.conf"})
final class CheckStoreCommand implements Callable<Integer> {
  /** Of a node of one JVM. */
  private static final List<String> DIRECTORIES =
      List.of("leveldb", "checkpoints", "ledger/leveldb");

  private final CommandContext context;

  @Mixin private ConfigurationOption config;

  @Mixin private final AnswerOption answer = new AnswerOption();

  CheckStoreCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var configuration = config.read();
    var checked =
        switch (configuration.jvms()) {
          case NodeJvms.One() -> inDirectory(configuration.directory());
          case NodeJvms.Several several -> inDatabase(several.database());
        };
    answer.print(context.console().out(), checked, Checked::text);
    return checked.damages().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /**
   * @param damages empty if all is whole
   * @param torn what a start mends
   */
  private record Checked(String store, List<Damaged> damages, List<Torn> torn) {
    String text() {
      return Stream.concat(
              Stream.concat(
                  Stream.of(
                      damages.isEmpty()
                          ? "%s can be read as a whole.".formatted(store)
                          : "%s is damaged in %s. Keep a copy of it as it is before anything else."
                              .formatted(
                                  store,
                                  damages.size() == 1 ? "one place" : damages.size() + " places")),
                  damages.stream().map(Damaged::text)),
              torn.stream().map(Torn::text))
          .collect(joining("\n"));
    }
  }

  /**
   * @param where a file
   * @param from the byte at which its last record begins
   */
  private record Torn(String where, int from) {
    String text() {
      return ("The last write to %s, from byte %d on, is not whole: what a power cut leaves of a write that was not acknowledged. The next start cuts it off, keeps it beside the file, and goes on; nothing is to be restored."
              + " If there was no power cut, look at the disk.")
          .formatted(where, from);
    }
  }

  /**
   * @param where a file or a table
   * @param was what may have been there; empty if nobody knows
   */
  private record Damaged(String where, String what, List<Lost> was) {
    private record Lost(String what, String givenBackBy) {}

    static Damaged of(String where, String what, Collection<StoredKind> kinds) {
      return new Damaged(
          where, what, kinds.stream().map(kind -> new Lost(kind.what(), kind.giver())).toList());
    }

    String text() {
      var lines = new ArrayList<String>();
      lines.add("%s %s.".formatted(where, what));
      was.forEach(
          lost -> lines.add("  There was: %s; %s.".formatted(lost.what(), lost.givenBackBy())));
      if (was.isEmpty()) {
        lines.add("  What was there nobody can tell: restore the whole from a copy.");
      }
      return String.join("\n", lines);
    }
  }

  private static Checked inDirectory(Path directory) {
    var damages = new ArrayList<Damaged>();
    var torn = new ArrayList<Torn>();
    int found = 0;
    try {
      for (var name : DIRECTORIES) {
        var each = directory.resolve(name);
        if (Files.isDirectory(each)) {
          found++;
          var checked = StoreFiles.check(each);
          checked.torn().forEach(end -> torn.add(new Torn(name + "/" + end.file(), end.from())));
          for (var damage : checked.damages()) {
            damages.add(
                Damaged.of(
                    name + "/" + damage.file(),
                    damage.what(),
                    StoredKind.between(damage.after(), damage.upTo())));
          }
        }
      }
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory %s cannot be read (%s): let this user read it, and look at the disk."
              .formatted(directory, e.getMessage()),
          e);
    } catch (LevelDbException e) {
      throw new StartFailure(e.getMessage(), e);
    }
    if (found == 0) {
      throw new WrongOption(
          "There is nothing in %s: name the configuration of a node that has run."
              .formatted(directory));
    }
    return new Checked("The data directory " + directory, damages, torn);
  }

  private static Checked inDatabase(PostgresSettings settings) {
    try {
      return new Checked(
          "The database " + settings,
          DatabaseTables.unreadable(settings).entrySet().stream()
              .map(
                  table ->
                      Damaged.of(
                          "Table " + table.getKey(),
                          "cannot be read (%s)".formatted(table.getValue()),
                          StoredKind.ofTable(table.getKey())))
              .toList(),
          List.of());
    } catch (DatabaseException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}
