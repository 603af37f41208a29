package dev.sequitur.cluster.store;

import dev.sequitur.cluster.journal.LevelDb;
import dev.sequitur.cluster.journal.LevelDbSettings;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class LevelDbBodyStoreTest extends BodyStoreContractTest {
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, 0);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  @TempDir private Path directory;
  private LevelDb db;

  @BeforeEach
  void open() {
    db = LevelDb.open(directory.resolve("data"), SETTINGS);
  }

  @AfterEach
  void close() {
    db.close();
    executor.shutdown();
  }

  @Override
  BodyStore store() {
    return QueueStores.in(db, executor).bodies();
  }

  @Override
  BodyStore reopened() {
    db.close();
    open();
    return store();
  }
}
