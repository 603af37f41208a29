package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * The data directory of a node of one JVM. Its LevelDBs are written beside where they are to be,
 * and get their names when they are on the disk, the node's records last.
 */
public final class DirectoryTarget implements RestoreTarget {
  private static final String RECORDS = "leveldb";
  private static final String CHECKPOINTS = "checkpoints";
  private static final String RESTORING = ".restoring";

  private static final int BATCH_BYTES = 1 << 20;

  /** What is on the disk is said at the end, of all. */
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(false, 100, 16 << 20, 8 << 20, 128 << 20);

  private final Path directory;

  public DirectoryTarget(Path directory) {
    this.directory = directory;
  }

  @Override
  public BackupManifest.Engine engine() {
    return BackupManifest.Engine.LEVELDB;
  }

  @Override
  public void fill(Entries entries) {
    try {
      for (var name : List.of(RECORDS, CHECKPOINTS)) {
        if (Files.exists(directory.resolve(name))) {
          throw new BackupException(
              "There is %s already: restore into an empty data directory, and move what is there away first."
                  .formatted(directory.resolve(name)));
        }
        delete(restoring(name));
      }
      try (var records = LevelDb.open(restoring(RECORDS), SETTINGS);
          var checkpoints = LevelDb.open(restoring(CHECKPOINTS), SETTINGS)) {
        var queues = KeySpace.ofQueues();
        var forRecords = new Batch(records);
        var forCheckpoints = new Batch(checkpoints);
        entries.each(
            (key, value) -> (queues.contains(key) ? forCheckpoints : forRecords).add(key, value));
        forRecords.store();
        forCheckpoints.store();
      }
      for (var name : List.of(CHECKPOINTS, RECORDS)) {
        force(restoring(name));
        Files.move(restoring(name), directory.resolve(name));
        force(directory);
      }
    } catch (IOException e) {
      throw new BackupException(
          "The data directory %s can't be written (%s): look at its rights, and at the disk."
              .formatted(directory, e),
          e);
    }
  }

  private Path restoring(String name) {
    return directory.resolve(name + RESTORING);
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (var files = Files.walk(directory)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Also the names in it. */
  private static void force(Path path) throws IOException {
    if (Files.isDirectory(path) && path.toString().endsWith(RESTORING)) {
      try (var files = Files.list(path)) {
        for (var file : files.toList()) {
          force(file);
        }
      }
    }
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** What is written at once. */
  private static final class Batch {
    private record Entry(Key key, byte[] value) {}

    private final LevelDb db;
    private final List<Entry> entries = new ArrayList<>();
    private long bytes;

    Batch(LevelDb db) {
      this.db = db;
    }

    void add(Key key, byte[] value) {
      entries.add(new Entry(key, value));
      bytes += key.unsafeBytes().length + value.length;
      if (bytes >= BATCH_BYTES) {
        store();
      }
    }

    void store() {
      var all = List.copyOf(entries);
      entries.clear();
      bytes = 0;
      try {
        var unused =
            db.write(batch -> all.forEach(entry -> batch.put(entry.key(), entry.value())))
                .toCompletableFuture()
                .join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException known ? known : e;
      }
    }
  }
}
