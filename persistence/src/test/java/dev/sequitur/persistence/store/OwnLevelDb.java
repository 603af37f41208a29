package dev.sequitur.persistence.store;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A LevelDB of a test's own, and what a store in it needs. */
final class OwnLevelDb implements AutoCloseable {
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, 0);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final Path directory;
  private LevelDb db;

  OwnLevelDb(Path directory) {
    this.directory = directory;
    this.db = LevelDb.open(directory, SETTINGS);
  }

  LevelDb db() {
    return db;
  }

  /** As the next process finds it. */
  void reopen() {
    db.close();
    db = LevelDb.open(directory, SETTINGS);
  }

  Executor executor() {
    return executor;
  }

  @Override
  public void close() {
    db.close();
    executor.shutdown();
  }
}
