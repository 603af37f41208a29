package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.leveldb.StoreFiles.Damage;
import dev.sequitur.persistence.leveldb.StoreFiles.Torn;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of a hundred blocks, and a log; a byte of them is flipped wherever it may be. */
final class StoreFilesTest {
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(true, 1_000, 4 * 1024 * 1024, 1024 * 1024, 0);
  private static final int ENTRIES = 400;

  @TempDir private Path directory;

  @BeforeEach
  void fill() {
    var random = new Random(20_261_128);
    try (LevelDb levelDb = LevelDb.open(directory, SETTINGS)) {
      await(
          levelDb.write(
              changes -> {
                for (long number = 0; number < ENTRIES; number++) {
                  // Half of it can be compressed.
                  byte[] value = new byte[1_024];
                  random.nextBytes(value);
                  Arrays.fill(value, 0, 512, (byte) number);
                  changes.put(event(number), value);
                }
              }));
    }
    // The next start writes to a table what the first has left in its log.
    try (LevelDb levelDb = LevelDb.open(directory, SETTINGS)) {
      await(levelDb.write(batch -> batch.put(event(ENTRIES), value(100))));
      await(levelDb.write(batch -> batch.put(event(ENTRIES + 1), value(100))));
    }
  }

  private static byte[] value(int length) {
    var value = new byte[length];
    Arrays.fill(value, (byte) 7);
    return value;
  }

  private static Key event(long number) {
    return Key.in(KeySpace.EVENT).text("submitter|0x01").number(number);
  }

  @Test
  void aWholeDirectoryHasNoDamageAndIsLeftAlone() throws IOException {
    var before = names();

    var found = StoreFiles.check(directory);
    assertThat(found.damages()).isEmpty();
    assertThat(found.torn()).isEmpty();

    assertThat(names()).isEqualTo(before);
  }

  @Test
  void aFlippedByteIsFoundWhereverItIsInATable() throws IOException {
    Path table = only("sst");
    byte[] whole = Files.readAllBytes(table);
    for (int at = 7; at < whole.length; at += whole.length / 50) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(table, damaged);

      var found = StoreFiles.check(directory).damages();

      assertThat(found).as("byte " + at).hasSize(1);
      var damage = found.getFirst();
      assertThat(damage.file()).isEqualTo(table.getFileName().toString());
      // Before the index every block says what it held.
      if (at < whole.length * 9 / 10) {
        assertThat(damage.what()).contains("damaged within");
        assertThat(damage.upTo().orElseThrow().compareTo(event(0))).isPositive();
        assertThat(damage.after().map(after -> after.compareTo(damage.upTo().get())).orElse(-1))
            .isNegative();
      }
    }
  }

  @Test
  void aFlippedByteIsFoundInALogBeforeItsLastRecordAndAFileThatIsGoneIsMissed() throws IOException {
    Path log = only("log");
    flip(log, 20);
    assertThat(StoreFiles.check(directory).damages())
        .extracting(Damage::what)
        .containsExactly("cannot be read from byte 0 on");
    assertThat(StoreFiles.check(directory).torn()).isEmpty();

    Files.delete(log);
    Path table = only("sst");
    Files.delete(table);
    assertThat(StoreFiles.check(directory).damages())
        .extracting(Damage::file)
        .containsExactlyInAnyOrder(log.getFileName().toString(), table.getFileName().toString());
  }

  /** What a power cut leaves: nobody was told that it is stored, and the next start goes on. */
  @Test
  void aLastRecordThatIsNotWholeIsToldAndIsNoDamage() throws IOException {
    Path log = only("log");
    int last = (int) Files.size(log) / 2;
    flip(log, (int) Files.size(log) - 5);

    var found = StoreFiles.check(directory);

    assertThat(found.damages()).isEmpty();
    assertThat(found.torn()).containsExactly(new Torn(log.getFileName().toString(), last));
    LevelDb.open(directory, SETTINGS).close();
  }

  /** LevelDB reads only the newest on from there. */
  @Test
  void theEndOfALogThatIsNotTheNewestIsDamage() throws IOException {
    Path log = only("log");
    Files.copy(log, log.resolveSibling("009999.log"));
    flip(log, (int) Files.size(log) - 5);

    assertThat(StoreFiles.check(directory).damages()).extracting(Damage::file).hasSize(1);
    assertThat(StoreFiles.check(directory).torn()).isEmpty();
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x10;
    Files.write(file, bytes);
  }

  private Path only(String ending) throws IOException {
    try (var files = Files.list(directory)) {
      var found = files.filter(file -> file.toString().endsWith("." + ending)).toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      var names = new ArrayList<String>();
      files.map(file -> file.getFileName().toString()).sorted().forEach(names::add);
      return names;
    }
  }
}
