package dev.sequitur.persistence.leveldb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMapContractTest;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Torn writes and lost files are {@link LevelDb}'s: see {@code TornEndTest}. */
class LevelDbMapTest extends OrderedMapContractTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  @TempDir private Path directory;
  private LevelDb db;

  @BeforeEach
  void open() {
    open(0);
  }

  private void open(long minFreeDiskBytes) {
    db =
        LevelDb.open(
            directory.resolve("data"),
            new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, minFreeDiskBytes));
  }

  @AfterEach
  void close() {
    db.close();
    executor.shutdown();
  }

  @Override
  protected OrderedMap map() {
    return new LevelDbMap(db, executor);
  }

  @Override
  protected OrderedMap reopened() {
    db.close();
    open(0);
    return map();
  }

  @Test
  void aFullDiskRefusesAWriteAndIsReadAllTheSame() {
    get(map().write(OrderedMapContractTest::increment));
    db.close();
    open(Long.MAX_VALUE);

    assertThatThrownBy(() -> get(map().write(OrderedMapContractTest::increment)))
        .hasRootCauseInstanceOf(LevelDbException.DiskFull.class);

    assertThat(counted(map())).isEqualTo(1);
    assertThat(counted(reopened())).isEqualTo(1);
  }

  @Test
  void aClosedDirectoryAndAStoppedExecutorFailTheFutureAndNotTheCaller() {
    db.close();
    assertThatThrownBy(() -> get(map().write(OrderedMapContractTest::increment)))
        .hasRootCauseInstanceOf(LevelDbException.class);
    executor.shutdown();

    var read = map().read(stored -> stored.get(ROOM));

    assertThatThrownBy(() -> get(read)).hasRootCauseInstanceOf(RejectedExecutionException.class);
  }
}
