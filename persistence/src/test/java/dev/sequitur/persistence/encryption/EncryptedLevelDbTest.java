package dev.sequitur.persistence.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMapContractTest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on a disk, which may be full. */
class EncryptedLevelDbTest extends OrderedMapContractTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  @TempDir private Path directory;
  private LevelDb db;
  private OrderedMap map;

  @BeforeEach
  void open() {
    open(0);
    encrypt();
  }

  private void open(long minFreeDiskBytes) {
    db =
        LevelDb.open(
            directory.resolve("data"),
            new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, minFreeDiskBytes));
  }

  private void encrypt() {
    var stored = new LevelDbMap(db, executor);
    map = Encryption.open(stored, new MemoryMap(), List.of(EncryptionTest.KEY), true).over(stored);
  }

  @AfterEach
  void close() {
    db.close();
    executor.shutdown();
  }

  @Override
  protected OrderedMap map() {
    return map;
  }

  @Override
  protected OrderedMap reopened() {
    db.close();
    open();
    return map;
  }

  /** Nothing is written with a key that is not on the disk. */
  @Test
  void onADiskThatIsFullNothingIsBegun() {
    get(map().write(OrderedMapContractTest::increment));
    db.close();
    open(Long.MAX_VALUE);

    assertThatThrownBy(this::encrypt).isInstanceOf(LevelDbException.class);

    assertThat(counted(reopened())).isEqualTo(1);
  }
}
