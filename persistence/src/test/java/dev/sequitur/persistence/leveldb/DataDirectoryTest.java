package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.SETTINGS;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.key;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.numbers;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.value;
import static dev.sequitur.persistence.leveldb.Stages.await;
import static dev.sequitur.persistence.leveldb.Stages.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fusesource.leveldbjni.JniDBFactory.factory;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.serialization.DiskFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void makesAMissingDirectory() {
    Path missing = temporary.resolve("a/b");

    LevelDb.open(missing, SETTINGS).close();

    assertThat(missing).isDirectory();
  }

  @Test
  void letsOnlyItsOwnerIn() throws IOException {
    assumeTrue(Files.getFileStore(temporary).supportsFileAttributeView("posix"));
    Path open = Files.createDirectory(temporary.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

    LevelDb.open(open, SETTINGS).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(open)))
        .isEqualTo("rwx------");
  }

  @Test
  void refusesADirectoryThatAnotherNodeOfThisProcessUses() {
    try (LevelDb first = LevelDb.open(temporary, SETTINGS)) {
      assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
          .isInstanceOf(LevelDbException.class)
          .hasMessage(
              "The data directory %s can't be opened: another node of this process uses it.",
              first.directory());
    }
  }

  @Test
  void refusesADirectoryThatAnotherProcessUses() {
    try (WritingProcess other = WritingProcess.start(temporary)) {
      assertThat(other.nextAcknowledged()).isEqualTo(1);

      assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
          .isInstanceOf(LevelDbException.class)
          .hasMessageContaining(temporary.getFileName().toString())
          .hasMessageEndingWith("can't be opened: another process uses it.");
    }
  }

  @Test
  void holdsEverythingThatAKilledProcessWasToldIsStored() {
    long lastAcknowledged = 0;
    try (WritingProcess other = WritingProcess.start(temporary)) {
      while (lastAcknowledged < 2_000) {
        lastAcknowledged = other.nextAcknowledged();
      }
    }

    try (LevelDb survivor = LevelDb.open(temporary, SETTINGS)) {
      assertThat(numbers(survivor, 1, lastAcknowledged, Order.ASCENDING))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, lastAcknowledged).boxed().toList());
    }
  }

  @Test
  void refusesALevelDbOfSomebodyElse() throws IOException {
    try (DB foreign = factory.open(temporary.toFile(), new Options().createIfMissing(true))) {
      foreign.put(value("key"), value("value"));
    }

    assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
        .isInstanceOf(LevelDbException.class)
        .hasMessageEndingWith("holds a LevelDB that is not Sequitur's: name another.");
  }

  @Test
  void refusesDataOfANewerReleaseInASentenceAndLetsGoOfTheDirectory() {
    openAs(new DiskFormat(4, 5));

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> openAs(new DiskFormat(4, 4)))
          .isInstanceOf(LevelDbException.class)
          .hasMessage(
              "The data directory %s has disk format 5, and this Sequitur reads format 4: start the"
                  + " newer one that wrote it.",
              temporary);
    }
  }

  @Test
  void refusesDataThatAreTooOldAndLeavesThemAsTheyAre() {
    openAs(new DiskFormat(4, 4));

    assertThatThrownBy(() -> openAs(new DiskFormat(5, 6)))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("disk format 4, and this Sequitur reads formats 5 to 6");
    openAs(new DiskFormat(4, 4));
  }

  @Test
  void readsDataOfAnOlderReleaseWhichCannotReadThemAfterwards() {
    openAs(new DiskFormat(4, 4));

    openAs(new DiskFormat(4, 5));

    assertThatThrownBy(() -> openAs(new DiskFormat(4, 4))).hasMessageContaining("disk format 5");
    openAs(new DiskFormat(4, 5));
  }

  private void openAs(DiskFormat format) {
    try {
      DataDirectory.open(temporary, SETTINGS, format).db().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void saysWhyADirectoryCannotBeUsed() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));

    assertThatThrownBy(() -> LevelDb.open(file.resolve("sub"), SETTINGS))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void saysSoTooOfAFileThatCannotBeReadWithoutCallingItDamaged() throws IOException {
    Files.createDirectory(temporary.resolve("CURRENT"));

    assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("can't be used")
        .hasMessageContaining("CURRENT");
  }

  @Test
  void beginsWhereNothingOfALevelDbIs() throws IOException {
    Files.createFile(temporary.resolve("notes.txt"));

    LevelDb.open(temporary, SETTINGS).close();

    assertThat(temporary.resolve("notes.txt")).exists();
  }

  @Test
  void namesTheDirectoryThroughALink() throws IOException {
    Path real = Files.createDirectory(temporary.resolve("real"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), real);

    try (LevelDb levelDb = LevelDb.open(real, SETTINGS)) {
      await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
      assertThatThrownBy(() -> LevelDb.open(link, SETTINGS))
          .hasMessageContaining("another node of this process uses it");
    }
  }

  @Test
  void refusesALevelDbThatHasLostItsFirstFileAndDoesNotBeginANewOne() throws IOException {
    try (LevelDb levelDb = LevelDb.open(temporary, SETTINGS)) {
      await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    }
    Path current = temporary.resolve("CURRENT");
    byte[] content = Files.readAllBytes(current);
    Files.delete(current);

    assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("CURRENT is missing")
        .hasMessageEndingWith("restore the directory from a copy.");

    Files.write(current, content);
    try (LevelDb levelDb = LevelDb.open(temporary, SETTINGS)) {
      assertThat(levelDb.get(key("a"))).contains(value("1"));
    }
  }

  @Test
  void saysWhatToDoWithATableThatIsDamaged() throws IOException {
    try (LevelDb levelDb = LevelDb.open(temporary, SETTINGS)) {
      await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    }
    // The next start writes to a table what the first has left in its log.
    LevelDb.open(temporary, SETTINGS).close();
    try (Stream<Path> files = Files.list(temporary)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
        byte[] content = Files.readAllBytes(file);
        for (int i = 0; i < content.length / 3; i++) {
          content[i] ^= 0x55;
        }
        Files.write(file, content);
      }
    }

    assertThatThrownBy(() -> LevelDb.open(temporary, SETTINGS))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("is damaged")
        .hasMessageEndingWith("restore it from a copy.");
  }

  @Test
  void writesNothingMoreIntoADirectoryThatIsGone() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("open"));
    try (LevelDb levelDb = LevelDb.open(directory, SETTINGS)) {
      await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
      Path moved = Files.move(directory, temporary.resolve("moved"));

      assertThat(failure(levelDb.write(batch -> batch.put(key("a"), value("2")))))
          .isInstanceOf(LevelDbException.class)
          .hasMessageContaining("was deleted or replaced");
      Files.createDirectory(directory);
      Files.createFile(directory.resolve("LOCK"));
      assertThat(failure(levelDb.write(batch -> batch.put(key("a"), value("2")))))
          .hasMessageContaining("was deleted or replaced");

      Files.move(directory, temporary.resolve("other"));
      Files.move(moved, directory);
      await(levelDb.write(batch -> batch.put(key("a"), value("3"))));
      assertThat(levelDb.get(key("a"))).contains(value("3"));
    }
  }
}
