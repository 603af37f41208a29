package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.key;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.numbers;
import static dev.sequitur.persistence.leveldb.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.OrderedMap.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory whose first logs have become tables, as a killed process leaves it; then a part of
 * what its manifest names goes.
 */
final class LostFilesTest {
  private static final LevelDbSettings SMALL_TABLES =
      new LevelDbSettings(false, 1_000, 64 * 1024, 1024 * 1024, 0);
  private static final int BATCHES = 60;
  private static final int PER_BATCH = 10;
  private static final int BYTES = 1_024;

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void fillSomeTables() {
    var random = new Random(20_261_128);
    Path live = temporary.resolve("live");
    directory = temporary.resolve("copy");
    try (LevelDb levelDb = LevelDb.open(live, SMALL_TABLES)) {
      for (long batch = 0; batch < BATCHES; batch++) {
        long first = batch * PER_BATCH;
        await(
            levelDb.write(
                changes -> {
                  for (long number = first; number < first + PER_BATCH; number++) {
                    byte[] incompressible = new byte[BYTES];
                    random.nextBytes(incompressible);
                    changes.put(key(number), incompressible);
                  }
                }));
      }
      LevelDbFixture.copyWhenStill(live, directory);
    }
  }

  @Test
  void aWholeDirectoryHasEverything() {
    assertHasEverything();
  }

  /** What it said LevelDB had acted upon: the log that the rest names is gone. */
  @Test
  void aManifestWithoutItsLastRecordIsRefusedAndNothingIsTouched() throws IOException {
    Path manifest = Manifest.current(directory);
    int used = usedBytes(manifest);
    for (int cut : new int[] {1, 30, 60}) {
      truncate(manifest, used - cut);
      var before = contents();

      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> LevelDb.open(directory, SMALL_TABLES))
            .isInstanceOf(LevelDbException.class)
            .hasMessageContaining("is damaged")
            .hasMessageContaining(".log")
            .hasMessageContaining("check-store")
            .hasMessageEndingWith("restore it from a copy.");
      }
      var found = StoreFiles.check(directory);
      assertThat(found.damages())
          .extracting(StoreFiles.Damage::file)
          .contains(manifest.getFileName().toString());
      assertThat(found.torn()).isEmpty();

      assertThat(contents()).isEqualTo(before);
    }
  }

  @Test
  void aLogThatIsGoneIsMissedAndNothingIsTouched() throws IOException {
    Path log = oldest("log");
    byte[] content = Files.readAllBytes(log);
    Files.delete(log);
    var before = contents();

    assertThatThrownBy(() -> LevelDb.open(directory, SMALL_TABLES))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining(log.getFileName() + ", which MANIFEST-")
        .hasMessageEndingWith("restore it from a copy.");

    assertThat(contents()).isEqualTo(before);
    Files.write(log, content);
    assertHasEverything();
  }

  @Test
  void aTableThatIsGoneOrShorterIsMissed() throws IOException {
    Path table = oldest("sst");
    byte[] content = Files.readAllBytes(table);
    truncate(table, content.length - 1);
    assertThatThrownBy(() -> LevelDb.open(directory, SMALL_TABLES))
        .hasMessageContaining(table.getFileName().toString());
    Files.delete(table);
    assertThatThrownBy(() -> LevelDb.open(directory, SMALL_TABLES))
        .hasMessageContaining(table.getFileName().toString());

    Files.write(table, content);
    assertHasEverything();
  }

  /** A power cut between the table and its record: the log is there still, and nothing is lost. */
  @Test
  void aRecordThatIsTornBeforeItWasActedUponCostsNothing() throws IOException {
    var killed = temporary.resolve("before");
    Files.createDirectory(killed);
    try (LevelDb levelDb = LevelDb.open(directory, SMALL_TABLES)) {
      LevelDbFixture.copyWhenStill(levelDb.directory(), killed.resolve("db"));
    }
    directory = killed.resolve("db");
    Path manifest = Manifest.current(directory);
    int used = endOfRecords(manifest);
    byte[] torn = Arrays.copyOf(Files.readAllBytes(manifest), used + 20);
    torn[used + 4] = 60;
    torn[used + 6] = 1;
    Files.write(manifest, torn);
    Path unnamed = directory.resolve("000999.sst");
    Files.write(unnamed, new byte[] {1, 2, 3});

    var found = StoreFiles.check(directory);
    assertThat(found.damages()).isEmpty();
    assertThat(found.torn())
        .containsExactly(new StoreFiles.Torn(manifest.getFileName().toString(), used));
    assertHasEverything();
    assertThat(unnamed).doesNotExist();
    assertThat(directory.resolve("000999.sst.torn")).hasBinaryContent(new byte[] {1, 2, 3});
  }

  @Test
  void aDirectoryThatWasMadeAndNeverWrittenOpens() {
    directory = temporary.resolve("new");
    LevelDb.open(directory, SMALL_TABLES).close();
    LevelDb.open(directory, SMALL_TABLES).close();
  }

  private void assertHasEverything() {
    try (LevelDb levelDb = LevelDb.open(directory, SMALL_TABLES)) {
      assertThat(numbers(levelDb, 0, Long.MAX_VALUE, Order.ASCENDING))
          .containsExactlyElementsOf(LongStream.range(0, BATCHES * PER_BATCH).boxed().toList());
    }
  }

  private Path oldest(String ending) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith("." + ending))
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static void truncate(Path file, int length) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
  }

  private Map<String, Integer> contents() {
    var contents = new TreeMap<String, Integer>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> !isLevelDbsOwn(each)).toList()) {
        contents.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return contents;
  }

  /** What it writes before it looks at anything. */
  private static boolean isLevelDbsOwn(Path file) {
    return file.endsWith("LOCK") || file.endsWith("LOG") || file.endsWith("LOG.old");
  }

  /** The last record may end with zeros of its own. */
  private static int endOfRecords(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = usedBytes(file);
    while (new RecordLog(Arrays.copyOf(bytes, end)).damaged().isPresent()) {
      end++;
    }
    return end;
  }

  /** LevelDB lengthens its files with zeros in advance. */
  private static int usedBytes(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int used = bytes.length;
    while (bytes[used - 1] == 0) {
      used--;
    }
    return used;
  }
}
