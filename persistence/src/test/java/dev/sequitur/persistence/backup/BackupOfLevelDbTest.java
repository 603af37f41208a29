package dev.sequitur.persistence.backup;

import static dev.sequitur.persistence.leveldb.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.encryption.WrappingKey;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.leveldb.LevelDbMoment;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.StoredMoment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  /** So a node that had its records as they are has them encrypted. */
  @Test
  void aRestoreEncryptsWhatItBringsIfItIsToldTo() {
    var key = WrappingKey.of(new byte[32]);
    fill();
    backUp(backups());

    Restore.into(target(), NODE, KEYS, Encryption.of(key), BackupContent.of(backups()));

    var back = open("restored/leveldb");
    var more = open("restored/checkpoints");
    var encryption =
        Encryption.open(
            new LevelDbMap(back, executor), new LevelDbMap(more, executor), List.of(key), true);
    try (var now = moment();
        var raw = await(LevelDbMoment.of(back, more));
        var opened = encryption.over(await(LevelDbMoment.of(back, more)))) {
      var segments = KeyRange.startingWith(Key.in(KeySpace.SEGMENT_KEY));
      var found = all(opened);
      assertThat(found.keySet()).filteredOn(segments::contains).hasSize(2);
      found.keySet().removeIf(segments::contains);
      assertThat(found).isEqualTo(all(now));
      assertThat(Set.copyOf(all(raw).values())).doesNotContain(found.get(EVENTS.number(0)));
    }
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
