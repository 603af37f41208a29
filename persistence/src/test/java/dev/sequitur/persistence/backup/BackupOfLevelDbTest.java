package dev.sequitur.persistence.backup;

import static dev.sequitur.persistence.leveldb.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.leveldb.LevelDbMoment;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.StoredMoment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BackupOfLevelDbTest extends BackupContractTest {
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(false, 10_000, 1 << 20, 1 << 20, 0);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final List<LevelDb> open = new ArrayList<>();
  private LevelDb records;
  private LevelDb checkpoints;

  @BeforeEach
  void open() {
    records = open("data/leveldb");
    checkpoints = open("data/checkpoints");
  }

  private LevelDb open(String name) {
    var db = LevelDb.open(directory.resolve(name), SETTINGS);
    open.add(db);
    return db;
  }

  @AfterEach
  void close() {
    open.forEach(LevelDb::close);
    executor.shutdown();
  }

  @Override
  OrderedMap records() {
    return new LevelDbMap(records, executor);
  }

  @Override
  OrderedMap queues() {
    return new LevelDbMap(checkpoints, executor);
  }

  @Override
  StoredMoment moment() {
    return await(LevelDbMoment.of(records, checkpoints));
  }

  @Override
  BackupManifest.Engine engine() {
    return BackupManifest.Engine.LEVELDB;
  }

  private Path restoredTo() {
    return directory.resolve("restored");
  }

  @Override
  RestoreTarget target() {
    try {
      return new DirectoryTarget(Files.createDirectories(restoredTo()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  StoredMoment restored() {
    return await(LevelDbMoment.of(open("restored/leveldb"), open("restored/checkpoints")));
  }

  @Test
  void aMomentEndsWithItsDirectoryAndMayBeClosedAfterwards() {
    var moment = moment();
    records.close();

    assertThatThrownBy(() -> moment.scan(KeySpace.ofNode(), (key, value) -> true))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("is closed");
    moment.close();
    moment.close();
    assertThat(checkpoints.damage()).isEmpty();
  }
}
