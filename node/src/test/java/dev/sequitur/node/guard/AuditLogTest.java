package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.rpc.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final long LARGE = 1 << 20;

  @TempDir Path parent;

  private Path directory;
  private AuditFiles files;

  @BeforeEach
  void begin() {
    directory = parent.resolve("audit");
    files = new AuditFiles(directory);
  }

  /** Entries say who has done what. */
  @Test
  void nobodyElseMayEnterItsDirectory() throws IOException {
    write(LARGE, 1);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  @Test
  void entriesFollowOverARestart() throws IOException {
    write(LARGE, 3);
    write(LARGE, 2);

    var verified = files.verify(null);
    assertThat(verified.flaw()).isEmpty();
    assertThat(verified.last().number()).isEqualTo(5);
    assertThat(files.list()).hasSize(1);
  }

  @Test
  void aFileThatIsFullIsFollowedByAnother() throws IOException {
    for (int i = 0; i < 4; i++) {
      write(300, 3);
    }

    assertThat(files.list()).hasSizeGreaterThan(1);
    assertThat(files.verify(null).flaw()).isEmpty();
    assertThat(files.verify(null).last().number()).isEqualTo(12);

    Files.delete(files.list().get(0));
    assertThat(files.verify(null).flaw()).as("earlier files may be kept elsewhere").isEmpty();
    assertThat(files.verify(null).first().number()).isPositive();
  }

  @Test
  void whatACrashCutOffIsLeftOutAndTheNextEntryFollows() throws IOException {
    write(LARGE, 2);
    var file = files.list().get(0);
    Files.writeString(file, "3 00", StandardOpenOption.APPEND);

    write(LARGE, 1);

    assertThat(files.verify(null).flaw()).isEmpty();
    assertThat(files.verify(null).last().number()).isEqualTo(3);
  }

  @Test
  void aChangedEntryIsFoundAndNothingIsAddedToIt() throws IOException {
    write(LARGE, 3);
    var file = files.list().get(0);
    Files.writeString(file, Files.readString(file).replace("\"number\":1", "\"number\":8"));

    assertThat(files.verify(null).flaw())
        .hasValueSatisfying(
            flaw -> assertThat(flaw).startsWith("audit-000000000001.log: Entry 2, or one before"));
    assertThatThrownBy(() -> AuditLog.open(directory, LARGE, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not as it was written");
  }

  @Test
  void whoNotedTheLastEntrySeesThatAllWereWrittenAnew() throws IOException {
    write(LARGE, 2);
    var noted = files.verify(null).last().toString();
    assertThat(files.verify(noted).flaw()).isEmpty();
    write(LARGE, 1);
    assertThat(files.verify(noted).flaw()).isEmpty();

    Files.delete(files.list().get(0));
    write(LARGE, 1);
    write(LARGE, 3);

    assertThat(files.verify(null).flaw()).isEmpty();
    assertThat(files.verify(noted).flaw())
        .hasValueSatisfying(flaw -> assertThat(flaw).startsWith("There is no entry " + noted));
  }

  @Test
  void whereTheDiskTakesNothingNoCallGetsAPlace() throws Exception {
    var log = AuditLog.open(directory, 100, 0);
    assertThat(log.takePlace()).isTrue();
    assertThat(log.write(JsonText.object().put("number", 1)))
        .succeedsWithin(Duration.ofSeconds(60));
    // The file is full, and where the next one would begin there is a directory.
    Files.createDirectory(directory.resolve("audit-000000000002.log"));
    assertThat(log.takePlace()).isTrue();
    assertThat(log.write(JsonText.object().put("number", 2))).failsWithin(Duration.ofSeconds(60));

    assertThat(log.takePlace()).isFalse();
    assertThat(log.trouble()).get().asString().contains("cannot be written", "make room");
    log.close();
  }

  /** The second call was done: that it could not be written down before is no reason not to. */
  @Test
  void onceTheDiskTakesEntriesAgainTheAuditGoesOnWithAllThatWasDone() throws Exception {
    var next = directory.resolve("audit-000000000002.log");
    try (var log = AuditLog.open(directory, 100, 0, Duration.ofMillis(5))) {
      written(log, 1);
      Files.createDirectory(next);
      assertThat(log.takePlace()).isTrue();
      assertThat(log.takePlace()).as("another is under way").isTrue();
      assertThat(log.write(JsonText.object().put("number", 2))).failsWithin(Duration.ofSeconds(60));
      assertThat(log.write(JsonText.object().put("number", 3))).failsWithin(Duration.ofSeconds(60));
      assertThat(log.takePlace()).isFalse();

      Files.delete(next);
      await().atMost(Duration.ofSeconds(60)).until(() -> log.trouble().isEmpty());

      written(log, 4);
      assertThat(files.verify(null).flaw()).isEmpty();
      assertThat(files.verify(null).last().number()).isEqualTo(4);
      assertThat(Files.readString(next)).contains("\"number\":2", "\"number\":3");
    }
  }

  @Test
  void whereEntriesAreGoneMeanwhileItDoesNotGoOn() throws Exception {
    var next = directory.resolve("audit-000000000002.log");
    try (var log = AuditLog.open(directory, 100, 0, Duration.ofMillis(5))) {
      written(log, 1);
      Files.createDirectory(next);
      assertThat(log.takePlace()).isTrue();
      assertThat(log.takePlace()).isTrue();
      assertThat(log.write(JsonText.object().put("number", 2))).failsWithin(Duration.ofSeconds(60));
      Files.delete(directory.resolve("audit-000000000001.log"));
      Files.delete(next);

      // Each is failed at once, and between two of them it has tried.
      await()
          .during(Duration.ofMillis(200))
          .atMost(Duration.ofSeconds(60))
          .until(() -> log.trouble().isPresent());
    }
  }

  private static void written(AuditLog log, int number) {
    assertThat(log.takePlace()).isTrue();
    assertThat(log.write(JsonText.object().put("number", number)))
        .succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void ofFullFilesSoManyAreKeptAndTheChainGoesOnInThem() throws IOException {
    try (var log = AuditLog.open(directory, 100, 2)) {
      for (int number = 0; number < 20; number++) {
        assertThat(log.takePlace()).isTrue();
        log.write(JsonText.object().put("number", number)).join();
      }
    }

    var files = new AuditFiles(directory);
    assertThat(files.list()).hasSize(3);
    assertThat(files.verify(null).flaw()).isEmpty();
    assertThat(files.verify(null).last().number()).isEqualTo(20);
  }

  private void write(long fileBytes, int entries) throws IOException {
    try (var log = AuditLog.open(directory, fileBytes, 0)) {
      CompletableFuture.allOf(
              IntStream.range(0, entries)
                  .mapToObj(
                      number -> {
                        assertThat(log.takePlace()).isTrue();
                        return log.write(JsonText.object().put("number", number));
                      })
                  .toArray(CompletableFuture[]::new))
          .join();
    }
  }
}
