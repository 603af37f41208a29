package dev.sequitur.persistence.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.backup.BackupManifest.Engine;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.persistence.store.StoredKind;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Keys.Place;
import dev.sequitur.protocol.port.Keys.Placed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs no engine: damage, what has not ended, and whose backup it is. */
class BackupTest {
  private static final Source SOURCE =
      new Source(
          new NodeName("node1"),
          Bytes.hex("02ab"),
          List.of(
              new Placed(Place.FILE, "alice", new Verifier(Bytes.hex("02" + "ab".repeat(32)))),
              new Placed(Place.SIGNER, "bob", new Verifier(Bytes.hex("03" + "cd".repeat(32))))),
          true,
          Engine.LEVELDB,
          DiskFormat.OURS.current(),
          Instant.parse("2026-11-30T07:00:00Z"),
          Optional.of(new BlockHeight(7)));

  private static final Key CONTENTS = Key.in(KeySpace.NODE_STORE).octet(12);
  private static final Key GROUPS = Key.in(KeySpace.NODE_STORE).octet(8);

  @TempDir private Path directory;

  private BackupDirectory backups() {
    return new BackupDirectory(directory.resolve("backup"));
  }

  /** In memory; may break at a key. */
  private static final class Stored implements StoredMoment {
    private final TreeMap<Key, byte[]> entries = new TreeMap<>();
    private Optional<Key> breaksAt = Optional.empty();

    @Override
    public void scan(KeyRange range, Visitor visitor) {
      for (var entry : entries.subMap(range.from(), range.until()).entrySet()) {
        if (breaksAt.equals(Optional.of(entry.getKey()))) {
          throw new IllegalStateException("The disk is gone.");
        }
        if (!visitor.visit(entry.getKey(), entry.getValue())) {
          return;
        }
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private static Stored some() {
    var stored = new Stored();
    stored.entries.put(GROUPS.number(1), new byte[] {1, 2});
    // Longer than a segment, so that the next one has a segment of its own.
    stored.entries.put(CONTENTS.number(1), new byte[Segment.MOST_BYTES]);
    stored.entries.put(CONTENTS.number(2), new byte[] {3});
    return stored;
  }

  private static BackupManifest write(Stored stored, BackupDirectory to) {
    return write(stored, SOURCE, to);
  }

  private static BackupManifest write(Stored stored, Source source, BackupDirectory to) {
    return new Backup(stored, source, Pace.UNBOUNDED, progress -> {}).writeTo(to);
  }

  private static Source of(Instant moment) {
    return new Source(
        SOURCE.node(),
        SOURCE.keys(),
        SOURCE.besideSeed(),
        SOURCE.encrypted(),
        Engine.LEVELDB,
        DiskFormat.OURS.current(),
        moment,
        Optional.empty());
  }

  /** Each can be brought back, and what they have in common is there once. */
  @Test
  void soManyBackupsAreKeptAsAreToBeAndEachCanBeRead() throws IOException {
    var three = new BackupDirectory(directory.resolve("backup"), 3);
    var stored = some();
    for (int hour = 0; hour < 5; hour++) {
      stored.entries.put(GROUPS.number(1), new byte[] {1, (byte) hour});
      write(stored, of(SOURCE.moment().plusSeconds(3_600L * hour)), three);
    }

    assertThat(backups().moments())
        .containsExactly(
            Instant.parse("2026-11-30T11:00:00Z"),
            Instant.parse("2026-11-30T10:00:00Z"),
            Instant.parse("2026-11-30T09:00:00Z"));
    assertThat(backups().segments()).as("two they have in common").hasSize(5);
    for (var moment : backups().moments()) {
      var one = BackupContent.of(backups().at(moment));
      assertThat(one.manifest().source().moment()).isEqualTo(moment);
      assertThat(one.check()).isEqualTo(new BackupContent.Checked(List.of(), 0));
      assertThat(one.others()).hasSize(2).doesNotContain(moment);
    }
    assertThatThrownBy(() -> backups().at(SOURCE.moment()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("has no backup of 2026-11-30T07:00:00Z");

    write(stored, of(SOURCE.moment().plusSeconds(90_000)), backups());
    assertThat(backups().moments()).as("who keeps one again").hasSize(1);
    assertThat(backups().segments()).hasSize(3);
  }

  private static final Instant FIRST = SOURCE.moment();

  /** The newest of so many, one each hour, is damaged. */
  private void damageNewestOf(int many, BackupDirectory to) throws IOException {
    var stored = some();
    for (int hour = 0; hour < many; hour++) {
      stored.entries.put(GROUPS.number(1), new byte[] {1, (byte) hour});
      write(stored, of(FIRST.plusSeconds(3_600L * hour)), to);
    }
    Files.write(directory.resolve("backup/manifest"), new byte[] {1});
  }

  @Test
  void whatIsBeforeADamagedOneIsNamedAndCanBeRead() throws IOException {
    damageNewestOf(3, new BackupDirectory(directory.resolve("backup"), 3));

    var one = BackupContent.of(backups().at(FIRST));
    assertThat(one.manifest().source().moment()).isEqualTo(FIRST);
    assertThat(one.check().damages()).isEmpty();
    refused("The manifest is damaged");
    refused("By --moment one of before can be had: 2026-11-30T08:00:00Z, 2026-11-30T07:00:00Z.");

    Files.delete(directory.resolve("backup/manifest"));
    refused("By --moment one of before can be had: 2026-11-30T08:00:00Z, 2026-11-30T07:00:00Z.");
  }

  /** Its manifest may come from another copy. */
  @Test
  void whatADamagedManifestMayNameStaysAsLongAsOneThatCanBeRead() throws IOException {
    var two = new BackupDirectory(directory.resolve("backup"), 2);
    damageNewestOf(2, two);
    assertThat(backups().segments()).hasSize(4);

    var stored = some();
    stored.entries.put(GROUPS.number(1), new byte[] {2});
    write(stored, of(FIRST.plusSeconds(7_200)), two);
    assertThat(backups().segments()).hasSize(5);
    assertThat(backups().moments()).containsExactly(FIRST.plusSeconds(7_200), FIRST);

    stored.entries.put(GROUPS.number(1), new byte[] {3});
    write(stored, of(FIRST.plusSeconds(10_800)), two);
    assertThat(backups().segments()).hasSize(4);
    assertThat(backups().moments())
        .containsExactly(FIRST.plusSeconds(10_800), FIRST.plusSeconds(7_200));
  }

  /** A directory in place of a file stands for a disk that does not answer for a moment. */
  @Test
  void aManifestThatCannotBeReadForAMomentCostsNothing() throws IOException {
    var three = new BackupDirectory(directory.resolve("backup"), 3);
    var stored = some();
    for (int hour = 0; hour < 3; hour++) {
      stored.entries.put(GROUPS.number(1), new byte[] {1, (byte) hour});
      write(stored, of(FIRST.plusSeconds(3_600L * hour)), three);
    }
    Path stays;
    try (var older = Files.list(directory.resolve("backup/older"))) {
      stays = older.sorted().toList().getLast();
    }

    for (var manifest : List.of(stays, directory.resolve("backup/manifest"))) {
      var content = Files.readAllBytes(manifest);
      Files.delete(manifest);
      Files.createDirectory(manifest);
      assertThatThrownBy(() -> write(stored, of(FIRST.plusSeconds(36_000)), three))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("can't be used");
      Files.delete(manifest);
      Files.write(manifest, content);
    }

    for (int hour = 0; hour < 3; hour++) {
      var one = BackupContent.of(backups().at(FIRST.plusSeconds(3_600L * hour)));
      assertThat(one.check().damages()).isEmpty();
    }
  }

  /** It may be another node's, so nothing is written beside it. */
  @Test
  void nothingIsWrittenBesideAManifestThatCannotBeReadNow() throws IOException {
    write(some(), backups());
    var manifest = directory.resolve("backup/manifest");
    Files.delete(manifest);
    Files.createDirectory(manifest);
    var stored = some();
    stored.entries.put(GROUPS.number(1), new byte[] {7});

    assertThatThrownBy(() -> write(stored, backups()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("can't be used");
    assertThat(backups().segments()).hasSize(3);
  }

  @Test
  void thoseThatWereMadeLastAreKeptWhateverTheClockSaid() {
    var two = new BackupDirectory(directory.resolve("backup"), 2);
    for (int hour : new int[] {0, 1, -7, -6, 90, 2, 3}) {
      var before = backups().manifest();
      var now = FIRST.plusSeconds(3_600L * hour);
      write(some(), of(now), two);

      var expected = new ArrayList<Instant>(List.of(now));
      before.ifPresent(it -> expected.add(it.source().moment()));
      assertThat(backups().moments()).as("hour %d", hour).isEqualTo(expected);
    }
  }

  /** The process ended after it had set the newest aside, and before the next one was. */
  @Test
  void oneThatWasSetAsideTwiceTakesOnePlace() throws IOException {
    var three = new BackupDirectory(directory.resolve("backup"), 3);
    write(some(), of(FIRST), three);
    write(some(), of(FIRST.plusSeconds(3_600)), three);
    var before = Files.readAllBytes(directory.resolve("backup/manifest"));
    write(some(), of(FIRST.plusSeconds(7_200)), three);
    Files.write(directory.resolve("backup/manifest"), before);

    write(some(), of(FIRST.plusSeconds(10_800)), three);
    assertThat(backups().moments())
        .containsExactly(FIRST.plusSeconds(10_800), FIRST.plusSeconds(3_600), FIRST);
  }

  private void refused(String why) {
    assertThatThrownBy(() -> BackupContent.of(backups()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(why);
  }

  @Test
  void whatAManifestSaysIsReadAsItWasWritten() {
    var written = write(some(), backups());

    assertThat(written.parts()).hasSize(3);
    assertThat(backups().manifest()).contains(written);
    var none =
        new BackupManifest(
            new Source(
                SOURCE.node(),
                SOURCE.keys(),
                List.of(),
                false,
                Engine.POSTGRESQL,
                9,
                SOURCE.moment(),
                Optional.empty()),
            List.of());
    assertThat(BackupManifest.decode(none.encoded())).isEqualTo(none);
  }

  @Test
  void eachByteOfAManifestThatIsOtherThanItWasIsTold() throws IOException {
    write(some(), backups());
    var file = directory.resolve("backup/manifest");
    var whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      var changed = whole.clone();
      changed[i] ^= 1;
      Files.write(file, changed);
      assertThatThrownBy(() -> BackupContent.of(backups()))
          .as("byte %d", i)
          .isInstanceOf(BackupException.class);
    }
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      refused("The manifest is damaged");
    }
  }

  @Test
  void eachByteOfASegmentThatIsOtherThanItWasIsToldWithWhatWasInIt() throws IOException {
    var last = write(some(), backups()).parts().getLast();
    var file = backups().segment(last.name());
    var whole = Files.readAllBytes(file);
    var wrong = new ArrayList<byte[]>();
    for (int i = 0; i < whole.length; i++) {
      var changed = whole.clone();
      changed[i] ^= 1;
      wrong.add(changed);
    }
    wrong.add(Arrays.copyOf(whole, whole.length - 1));
    wrong.add(Arrays.copyOf(whole, whole.length + 1));
    wrong.add(new byte[0]);
    for (var content : wrong) {
      Files.write(file, content);
      damaged(last);
    }
    Files.delete(file);
    assertThat(damaged(last).what()).isEqualTo("is missing");
    assertThat(damaged(last).was()).containsExactly(StoredKind.CONTENTS);
  }

  private BackupContent.Damage damaged(BackupManifest.Part part) {
    var damages = BackupContent.of(backups()).check().damages();
    assertThat(damages).hasSize(1);
    assertThat(damages.getFirst().file()).endsWith(part.name());
    return damages.getFirst();
  }

  @Test
  void aBackupThatHasNotEndedIsNoneAndTheOneBeforeStays() {
    var stored = some();
    stored.breaksAt = Optional.of(CONTENTS.number(2));
    assertThatThrownBy(() -> write(stored, backups())).hasMessage("The disk is gone.");
    refused("No backup has been finished");

    stored.breaksAt = Optional.empty();
    var before = write(stored, backups());
    stored.entries.put(GROUPS.number(1), new byte[] {7});
    stored.breaksAt = Optional.of(CONTENTS.number(2));
    assertThatThrownBy(() -> write(stored, backups())).hasMessage("The disk is gone.");

    var there = BackupContent.of(backups());
    assertThat(there.manifest()).isEqualTo(before);
    assertThat(there.check()).isEqualTo(new BackupContent.Checked(List.of(), 1));

    stored.breaksAt = Optional.empty();
    write(stored, backups());
    assertThat(BackupContent.of(backups()).check())
        .isEqualTo(new BackupContent.Checked(List.of(), 0));
  }

  @Test
  void aSegmentThatWasDamagedMeanwhileIsWrittenAnew() throws IOException {
    var part = write(some(), backups()).parts().getFirst();
    var file = backups().segment(part.name());
    var content = Files.readAllBytes(file);
    content[content.length - 1] ^= 1;
    Files.write(file, content);

    write(some(), backups());

    assertThat(BackupContent.of(backups()).check().damages()).isEmpty();
  }

  @Test
  void aDirectoryIsOfOneNodeAndOfOneWriter() {
    write(some(), backups());
    var other =
        new Source(
            new NodeName("node2"),
            SOURCE.keys(),
            SOURCE.besideSeed(),
            SOURCE.encrypted(),
            SOURCE.engine(),
            SOURCE.diskFormat(),
            SOURCE.moment(),
            SOURCE.block());

    assertThatThrownBy(() -> write(some(), other, backups()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("has a backup of node node1");
    assertThatThrownBy(() -> backups().alone(() -> write(some(), backups())))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("Another backup is being written");
  }

  @Test
  void aBackupOfAnotherNodeOtherKeysAnotherFormatOrAnotherEngineIsNotRestored() {
    write(some(), backups());
    notRestored(new NodeName("node2"), SOURCE.keys(), "of node node1");
    notRestored(SOURCE.node(), Bytes.hex("02ac"), "another key seed");
    for (var source :
        List.of(
            new Source(
                SOURCE.node(),
                SOURCE.keys(),
                SOURCE.besideSeed(),
                SOURCE.encrypted(),
                SOURCE.engine(),
                DiskFormat.OURS.current() + 1,
                SOURCE.moment(),
                SOURCE.block()),
            new Source(
                SOURCE.node(),
                SOURCE.keys(),
                SOURCE.besideSeed(),
                SOURCE.encrypted(),
                Engine.POSTGRESQL,
                SOURCE.diskFormat(),
                SOURCE.moment(),
                SOURCE.block()))) {
      write(some(), source, backups());
      notRestored(
          SOURCE.node(),
          SOURCE.keys(),
          source.engine() == Engine.LEVELDB ? "disk format" : "over postgresql");
    }
    assertThat(directory.resolve("data")).doesNotExist();
  }

  private void notRestored(NodeName node, Bytes keys, String why) {
    var target = new DirectoryTarget(directory.resolve("data"));
    assertThatThrownBy(
            () -> Restore.into(target, node, keys, Encryption.NONE, BackupContent.of(backups())))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aPaceIsSoManyBytesInASecond() {
    assertThat(Pace.nanos(1_000, 4_000)).isEqualTo(250_000_000);
    assertThat(Pace.nanos(0, 1)).isZero();
    assertThat(Pace.nanos(Segment.MOST_BYTES, 1)).isEqualTo(Segment.MOST_BYTES * 1_000_000_000L);
  }
}
