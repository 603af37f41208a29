package dev.sequitur.persistence.backup;

import static dev.sequitur.persistence.leveldb.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.backup.Backup.Progress;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's store is backed up while it is written, and restored, whatever it is over. */
abstract class BackupContractTest {
  static final NodeName NODE = new NodeName("node1");
  static final Bytes KEYS = Bytes.hex("02ab");

  /** Of the journal, of what queues keep, and of the node's records. */
  static final Key EVENTS = Key.in(KeySpace.EVENT).text("one");

  private static final Key CELLS = Key.in(KeySpace.CELL).text("one");
  private static final Key RECORDS = Key.in(KeySpace.NODE_STORE).octet(99);

  /** Enough for some segments. */
  private static final int MANY = 40_000;

  @TempDir Path directory;

  /** What has the journal and the records. */
  abstract OrderedMap records();

  /** What has the queues' checkpoints; of a database the same. */
  abstract OrderedMap queues();

  abstract StoredMoment moment();

  abstract BackupManifest.Engine engine();

  /** An empty one, the same for the whole of a test. */
  abstract RestoreTarget target();

  /** What is in the target. */
  abstract StoredMoment restored();

  private Source source() {
    return new Source(
        NODE,
        KEYS,
        List.of(),
        false,
        engine(),
        DiskFormat.OURS.current(),
        Instant.parse("2026-11-30T07:00:00Z"),
        Optional.of(new BlockHeight(7)));
  }

  final BackupDirectory backups() {
    return new BackupDirectory(directory.resolve("backup"));
  }

  private static void put(OrderedMap map, Key prefix, int from, int until, long value) {
    await(
        map.write(
            batch -> {
              for (int i = from; i < until; i++) {
                batch.put(prefix.number(i), bytes(value));
              }
              return null;
            }));
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  final void fill() {
    put(records(), EVENTS, 0, MANY, 1);
    put(queues(), CELLS, 0, 100, 1);
    put(records(), RECORDS, 0, MANY, 1);
  }

  static Map<Key, String> all(StoredMoment moment) {
    var all = new TreeMap<Key, String>();
    moment.scan(
        KeySpace.ofNode(),
        (key, value) -> {
          all.put(key, HexFormat.of().formatHex(value));
          return true;
        });
    return all;
  }

  private static Map<Key, String> all(BackupDirectory backup) {
    var all = new TreeMap<Key, String>();
    BackupContent.of(backup)
        .visit(
            (key, value) -> {
              all.put(key, HexFormat.of().formatHex(value));
              return true;
            });
    return all;
  }

  final Progress backUp(BackupDirectory to) {
    var last = new AtomicReference<>(Progress.NONE);
    try (var moment = moment()) {
      new Backup(moment, source(), Pace.UNBOUNDED, last::set).writeTo(to);
    }
    return last.get();
  }

  @Test
  void whatIsWrittenWhileItRunsIsNoPartOfABackupWhereverItHasCome() {
    fill();
    Map<Key, String> before;
    var segments = new AtomicReference<Progress>();
    try (var moment = moment()) {
      before = all(moment);
      new Backup(
              moment,
              source(),
              Pace.UNBOUNDED,
              progress -> {
                segments.set(progress);
                put(records(), EVENTS, 0, 10, 2);
                put(records(), EVENTS, MANY, MANY + 10, 2);
                put(queues(), CELLS, 0, 10, 2);
                put(records(), RECORDS, MANY - 10, MANY, 2);
                await(
                    records()
                        .write(
                            batch -> {
                              batch.delete(RECORDS.number(MANY / 2));
                              return null;
                            }));
              })
          .writeTo(backups());
    }

    assertThat(segments.get().segments()).isGreaterThan(3);
    assertThat(all(backups())).isEqualTo(before).hasSize(2 * MANY + 100);
  }

  /**
   * As a queue does: it stores an event, then a checkpoint that has it, and then deletes it. At no
   * moment is the checkpoint before what is deleted, or after what is stored.
   */
  @Test
  void recordsAndCheckpointsAreOfTheSameMomentWhileBothAreWritten() {
    var stored = EVENTS.number(0);
    var checkpoint = CELLS.number(0);
    var deleted = EVENTS.number(1);
    var ends = new AtomicBoolean();
    var begun = new CompletableFuture<Void>();
    var writer =
        CompletableFuture.runAsync(
            () -> {
              for (long i = 1; !ends.get(); i++) {
                set(records(), stored, i);
                set(queues(), checkpoint, i);
                set(records(), deleted, i);
                begun.complete(null);
              }
            });
    await(begun);
    try {
      for (int i = 0; i < 50; i++) {
        try (var moment = moment()) {
          var all = all(moment);
          long at = Long.parseLong(all.get(checkpoint), 16);
          assertThat(at)
              .isBetween(Long.parseLong(all.get(deleted), 16), Long.parseLong(all.get(stored), 16));
        }
      }
    } finally {
      ends.set(true);
      await(writer);
    }
  }

  private static void set(OrderedMap map, Key key, long value) {
    await(
        map.write(
            batch -> {
              batch.put(key, bytes(value));
              return null;
            }));
  }

  @Test
  void aRestoredStoreHasWhatTheOtherHadAndARestoreIntoItIsRefused() {
    fill();
    backUp(backups());
    var backup = BackupContent.of(backups());
    assertThat(backup.check()).isEqualTo(new BackupContent.Checked(List.of(), 0));

    Restore.into(target(), NODE, KEYS, Encryption.NONE, backup);

    try (var now = moment();
        var restored = restored()) {
      assertThat(all(restored)).isEqualTo(all(now));
    }
    assertThatThrownBy(() -> Restore.into(target(), NODE, KEYS, Encryption.NONE, backup))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void aSecondBackupWritesOnlyTheSegmentsThatHaveChanged() {
    fill();
    var first = backUp(backups());
    assertThat(first.written()).isEqualTo(first.bytes());
    assertThat(backUp(backups()).written()).isZero();

    set(records(), EVENTS.number(MANY / 2), 3);
    put(records(), RECORDS, MANY, MANY + 1, 3);
    var second = backUp(backups());

    assertThat(second.written()).isPositive().isLessThan(second.bytes() / 2);
    assertThat(second.entries()).isEqualTo(first.entries() + 1);
    assertThat(BackupContent.of(backups()).check())
        .isEqualTo(new BackupContent.Checked(List.of(), 0));
    try (var now = moment()) {
      assertThat(all(backups())).isEqualTo(all(now));
    }
  }

  @Test
  void aDamagedBackupLeavesTheStoreAsEmptyAsItWas() throws Exception {
    fill();
    backUp(backups());
    var manifest = backups().manifest().orElseThrow();
    var last = backups().segment(manifest.parts().getLast().name());
    Files.delete(last);

    assertThatThrownBy(
            () -> Restore.into(target(), NODE, KEYS, Encryption.NONE, BackupContent.of(backups())))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(last.getFileName() + " is missing");

    backUp(backups());
    Restore.into(target(), NODE, KEYS, Encryption.NONE, BackupContent.of(backups()));
    try (var restored = restored()) {
      assertThat(all(restored)).hasSize(2 * MANY + 100);
    }
  }

  @Test
  void aMomentIsReadFromAnyKeyOnUntilItIsEnough() {
    put(records(), EVENTS, 0, 3, 1);
    put(queues(), CELLS, 0, 3, 1);
    put(records(), RECORDS, 0, 3, 1);
    try (var moment = moment()) {
      var found = new TreeMap<Key, byte[]>();
      moment.scan(
          new KeyRange(EVENTS.number(2), RECORDS.number(2)),
          (key, value) -> {
            found.put(key, value);
            return !key.equals(RECORDS.number(0));
          });
      assertThat(found.keySet())
          .containsExactly(
              EVENTS.number(2),
              CELLS.number(0),
              CELLS.number(1),
              CELLS.number(2),
              RECORDS.number(0));
    }
  }
}
