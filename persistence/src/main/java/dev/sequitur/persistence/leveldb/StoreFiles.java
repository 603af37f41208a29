package dev.sequitur.persistence.leveldb;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sequitur.persistence.map.Key;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads every file that a LevelDB consists of, as it lies on the disk, and changes nothing: opening
 * it would write logs to tables and delete files. Blocks are held against their checksums.
 */
public final class StoreFiles {
  private StoreFiles() {}

  /**
   * What can't be read.
   *
   * @param file its name
   * @param what a part of a sentence on what is wrong with it
   * @param after the key after which those lie that are lost; empty if nobody knows
   * @param upTo the key up to which they lie at most; empty if nobody knows
   */
  public record Damage(String file, String what, Optional<Key> after, Optional<Key> upTo) {
    static Damage of(Path file, String what) {
      return new Damage(name(file), what, Optional.empty(), Optional.empty());
    }
  }

  /**
   * A last record that is not whole, where a start cuts it off and goes on: nobody was told that it
   * is stored, unless the disk has changed it afterwards.
   *
   * @param file its name
   * @param from the byte at which it begins
   */
  public record Torn(String file, int from) {}

  /**
   * All that is not whole.
   *
   * @param torn what a power cut leaves behind, and a start mends
   */
  public record Found(List<Damage> damages, List<Torn> torn) {
    public Found {
      damages = List.copyOf(damages);
      torn = List.copyOf(torn);
    }
  }

  /**
   * @return nothing of either kind if everything is whole
   * @throws LevelDbException if somebody has the directory open
   */
  public static Found check(Path directory) throws IOException {
    var lockFile = directory.resolve("LOCK");
    if (!Files.exists(lockFile)) {
      return checkAll(directory);
    }
    try (FileChannel channel = FileChannel.open(lockFile, READ, WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw new LevelDbException(
            "The data directory %s is in use: stop the node first.".formatted(directory));
      }
      return checkAll(directory);
    }
  }

  private static Found checkAll(Path directory) throws IOException {
    var current = directory.resolve("CURRENT");
    if (!Files.isRegularFile(current)) {
      return new Found(List.of(Damage.of(current, "is missing")), List.of());
    }
    var file = Manifest.current(directory);
    if (!Files.isRegularFile(file)) {
      return new Found(List.of(Damage.of(file, "is missing, and CURRENT names it")), List.of());
    }
    var damages = new ArrayList<Damage>();
    var torn = new ArrayList<Torn>();
    var records = new RecordLog(Files.readAllBytes(file));
    var manifest = Manifest.of(records.records()).filter(Manifest::complete);
    if (manifest.isPresent()
        && records.torn().isPresent()
        && manifest.get().gone(directory).isEmpty()) {
      torn.add(new Torn(name(file), records.torn().getAsInt()));
    } else if (records.damaged().isPresent() || manifest.isEmpty()) {
      damages.add(
          Damage.of(file, "is not whole, so that files which it no longer names may be needed"));
    }
    if (manifest.isPresent()) {
      checkTables(directory, manifest.get(), damages);
      checkLogs(directory, manifest.get(), damages, torn);
    }
    return new Found(damages, torn);
  }

  private static void checkTables(Path directory, Manifest manifest, List<Damage> damages)
      throws IOException {
    for (long number : manifest.tables().keySet().stream().sorted().toList()) {
      var table = Manifest.table(directory, number);
      if (table.isEmpty()) {
        damages.add(Damage.of(Path.of("%06d.sst".formatted(number)), "is missing"));
      } else {
        damages.addAll(new TableFile(table.get()).damages());
      }
    }
  }

  private static void checkLogs(
      Path directory, Manifest manifest, List<Damage> damages, List<Torn> torn) throws IOException {
    if (manifest.log().isEmpty()) {
      return;
    }
    long oldest = manifest.log().getAsLong();
    if (!Files.exists(directory.resolve("%06d.log".formatted(oldest)))) {
      damages.add(
          Damage.of(
              Path.of("%06d.log".formatted(oldest)), "is missing, with the newest writes in it"));
    }
    try (Stream<Path> files = Files.list(directory)) {
      var needed =
          files
              .filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
              .filter(file -> Manifest.number(file) >= oldest)
              .sorted(Comparator.comparingLong(Manifest::number))
              .toList();
      for (var log : needed) {
        var records = new RecordLog(Files.readAllBytes(log));
        if (log.equals(needed.getLast()) && records.torn().isPresent()) {
          torn.add(new Torn(name(log), records.torn().getAsInt()));
        } else if (records.damaged().isPresent()) {
          damages.add(
              Damage.of(
                  log, "cannot be read from byte %d on".formatted(records.damaged().getAsInt())));
        }
      }
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
