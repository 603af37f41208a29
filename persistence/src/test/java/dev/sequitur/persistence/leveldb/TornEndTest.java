package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.SETTINGS;
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
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten batches are written, the last one larger than a block of the log; then the files are damaged
 * in the ways a power cut damages them, and in ways it can't.
 */
final class TornEndTest {
  private static final long SEED = 20_261_121;
  private static final int BATCHES = 10;
  private static final int ENTRIES = 20;

  @TempDir private Path temporary;
  private Path directory;
  private Path log;
  private int endBeforeLast;
  private int end;

  @BeforeEach
  void writeBatches() throws IOException {
    Path live = temporary.resolve("live");
    directory = temporary.resolve("copy");
    try (LevelDb levelDb = LevelDb.open(live, SETTINGS)) {
      for (int batch = 1; batch < BATCHES; batch++) {
        write(levelDb, batch, 100);
      }
      endBeforeLast = usedBytes(newestLog(live));
      write(levelDb, BATCHES, 5_000);
      LevelDbFixture.copyWithoutClosing(live, directory);
    }
    log = newestLog(directory);
    end = usedBytes(log);
  }

  @Test
  void opensAnUndamagedLog() {
    assertThat(storedBatches()).isEqualTo(BATCHES);
    assertThat(cutOffPieces()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6, 7, 8, 100, 32_000, 33_000, 70_000})
  void forgetsOnlyTheLastBatchWhenItsEndIsMissing(int kept) {
    damage(bytes -> Arrays.copyOf(bytes, endBeforeLast + kept));

    assertThat(storedBatches()).isEqualTo(BATCHES - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6, 7, 8, 100, 32_000, 33_000, 70_000})
  void forgetsOnlyTheLastBatchWhenItsEndIsZeros(int kept) {
    damage(
        bytes -> {
          Arrays.fill(bytes, endBeforeLast + kept, end, (byte) 0);
          return bytes;
        });

    assertThat(storedBatches()).isEqualTo(BATCHES - 1);
  }

  @Test
  void forgetsTheLastBatchWhenItsBeginningDidNotReachTheDiskButItsEndDid() {
    damage(
        bytes -> {
          Arrays.fill(bytes, endBeforeLast + 100, endBeforeLast + 4_196, (byte) 0);
          return bytes;
        });

    assertThat(storedBatches()).isEqualTo(BATCHES - 1);
  }

  @Test
  void keepsWhatItCutsOffAndWritesOn() {
    damage(bytes -> Arrays.copyOf(bytes, end - 10));

    try (LevelDb levelDb = LevelDb.open(directory, SETTINGS)) {
      write(levelDb, BATCHES, 100);
    }

    assertThat(storedBatches()).isEqualTo(BATCHES);
    assertThat(cutOffPieces()).hasSize(1);
    assertThat(cutOffPieces().get(0).toFile()).hasSize(end - 10L - endBeforeLast);
  }

  @Test
  void survivesAManifestWithATornEnd() throws IOException {
    Path manifest = directory.resolve(Files.readString(directory.resolve("CURRENT")).strip());
    byte[] bytes = Files.readAllBytes(manifest);
    int used = usedBytes(manifest);
    byte[] torn = Arrays.copyOf(bytes, used + 5);
    torn[used + 4] = 60;
    Files.write(manifest, torn);

    assertThat(storedBatches()).isEqualTo(BATCHES);
  }

  @Test
  void refusesDamageBeforeTheLastBatchAndLeavesTheFilesAlone() throws IOException {
    Random random = new Random(SEED);
    byte[] whole = Files.readAllBytes(log);
    for (int attempt = 0; attempt < 50; attempt++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(endBeforeLast)] ^= 0x10;
      Files.write(log, damaged);

      assertThatThrownBy(() -> LevelDb.open(directory, SETTINGS))
          .isInstanceOf(LevelDbException.class)
          .hasMessageContaining("is damaged in a place where acknowledged writes are");
      assertThat(Files.readAllBytes(log)).isEqualTo(damaged);
    }
  }

  /** Of several logs only the newest can be torn: the one with the greatest number. */
  @Test
  void cutsOffNothingOfAnOlderLog() throws IOException {
    Path several = Files.createDirectory(temporary.resolve("several"));
    Files.writeString(several.resolve("CURRENT"), "MANIFEST-000001\n");
    Files.write(several.resolve("MANIFEST-000001"), new byte[0]);
    byte[] torn = {9, 9, 9};
    Files.write(several.resolve("9.log"), torn);
    Files.write(several.resolve("10.log"), torn);

    TornEnd.cutOff(several);

    assertThat(several.resolve("9.log")).hasBinaryContent(torn);
    assertThat(several.resolve("10.log")).isEmptyFile();
    assertThat(several.resolve("10.log.torn")).hasBinaryContent(torn);
  }

  private static void write(LevelDb levelDb, int batch, int bytes) {
    await(
        levelDb.write(
            changes -> {
              for (long entry = 0; entry < ENTRIES; entry++) {
                byte[] value = new byte[bytes];
                Arrays.fill(value, (byte) batch);
                changes.put(key(batch * 1_000L + entry), value);
              }
            }));
  }

  /** How many of the batches there are; each must be whole and none may be missing before it. */
  private int storedBatches() {
    try (LevelDb levelDb = LevelDb.open(directory, SETTINGS)) {
      int batches = 0;
      while (batches < BATCHES && !entries(levelDb, batches + 1).isEmpty()) {
        batches++;
        assertThat(entries(levelDb, batches)).hasSize(ENTRIES);
      }
      assertThat(numbers(levelDb, 0, Long.MAX_VALUE, Order.ASCENDING)).hasSize(batches * ENTRIES);
      return batches;
    }
  }

  private static List<Long> entries(LevelDb levelDb, int batch) {
    return numbers(levelDb, batch * 1_000L, batch * 1_000L + 999, Order.ASCENDING);
  }

  private void damage(UnaryOperator<byte[]> damage) {
    try {
      Files.write(log, damage.apply(Files.readAllBytes(log)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> cutOffPieces() {
    return files(directory, "torn");
  }

  private static Path newestLog(Path directory) {
    List<Path> logs = files(directory, "log");
    assertThat(logs).hasSize(1);
    return logs.get(0);
  }

  private static List<Path> files(Path directory, String ending) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith("." + ending)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** LevelDB lengthens its files with zeros in advance; no record here ends with one. */
  private static int usedBytes(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int used = bytes.length;
    while (bytes[used - 1] == 0) {
      used--;
    }
    return used;
  }
}
