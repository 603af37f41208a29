package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.guard.AuditChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final long LARGE = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path parent;

  private Path directory;
  private Path next;
  private AuditFiles files;

  @BeforeEach
  void begin() {
    directory = parent.resolve("audit");
    next = directory.resolve("audit-000000000002.log");
    files = new AuditFiles(directory);
  }

  /** Its first file is full, and where the next one would begin there is a directory. */
  private AuditLog blocked(AuditLog log) throws IOException {
    written(log, 1);
    Files.createDirectory(next);
    return log;
  }

  private AuditLog blockedAndTriedAgainSoon() throws IOException {
    return blocked(AuditLog.open(directory, 100, 0, Duration.ofMillis(5)));
  }

  private static void takePlaces(AuditLog log, int calls) {
    for (int i = 0; i < calls; i++) {
      assertThat(log.takePlace()).as("with %d under way", i).isTrue();
    }
  }

  private static void written(AuditLog log, int number) {
    takePlaces(log, 1);
    assertThat(log.write(entry(number))).succeedsWithin(PATIENCE);
  }

  private static void notWritten(AuditLog log, int number) {
    assertThat(log.write(entry(number))).failsWithin(PATIENCE);
  }

  private static ObjectNode entry(int number) {
    return JsonText.object().put("number", number);
  }

  /** As if this entry had come to the end of the first file, after the first one. */
  private void hasReachedTheDisk(String entry) throws IOException {
    var first = files.list().get(0);
    var head = AuditChain.head(Files.readAllLines(first).get(0)).orElseThrow();
    var second = head.next("{\"number\":1}").place().next(entry);
    Files.writeString(first, second.line() + "\n", StandardOpenOption.APPEND);
  }

  private void assertWhole(long entries) throws IOException {
    var verified = files.verify(null);
    assertThat(verified.flaw()).isEmpty();
    assertThat(verified.last().number()).isEqualTo(entries);
  }

  private static void awaitTrouble(AuditLog log, Predicate<Optional<String>> as) {
    await().atMost(PATIENCE).until(() -> as.test(log.trouble()));
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

    assertWhole(5);
    assertThat(files.list()).hasSize(1);
  }

  @Test
  void aFileThatIsFullIsFollowedByAnother() throws IOException {
    for (int i = 0; i < 4; i++) {
      write(300, 3);
    }

    assertThat(files.list()).hasSizeGreaterThan(1);
    assertWhole(12);

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

    assertWhole(3);
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
    var log = blocked(AuditLog.open(directory, 100, 0));
    takePlaces(log, 1);
    notWritten(log, 2);

    assertThat(log.takePlace()).isFalse();
    assertThat(log.trouble())
        .get()
        .asString()
        .contains("cannot be written", "make room")
        .doesNotContain(directory.toString());
    log.close();
  }

  /** The second call was done: that it could not be written down before is no reason not to. */
  @Test
  void onceTheDiskTakesEntriesAgainTheAuditGoesOnWithAllThatWasDone() throws Exception {
    try (var log = blockedAndTriedAgainSoon()) {
      takePlaces(log, 2);
      notWritten(log, 2);
      notWritten(log, 3);
      assertThat(log.takePlace()).isFalse();

      Files.delete(next);
      awaitTrouble(log, Optional::isEmpty);

      written(log, 4);
      assertWhole(4);
      assertThat(Files.readString(next)).contains("\"number\":2", "\"number\":3");
    }
  }

  /** A write that failed may have reached the disk all the same, or in part. */
  @Test
  void whatIsOnTheDiskOfAWriteThatFailedIsNotWrittenTwice() throws Exception {
    try (var log = blockedAndTriedAgainSoon()) {
      takePlaces(log, 2);
      notWritten(log, 2);
      notWritten(log, 3);
      hasReachedTheDisk("{\"number\":2}");
      Files.delete(next);
      awaitTrouble(log, Optional::isEmpty);

      written(log, 4);
    }
    assertWhole(4);
  }

  @Test
  void entriesOfAnotherAreNotTakenForThoseThatAreOwed() throws Exception {
    try (var log = blockedAndTriedAgainSoon()) {
      takePlaces(log, 1);
      notWritten(log, 2);
      hasReachedTheDisk("{\"number\":7}");
      Files.delete(next);

      awaitTrouble(log, why -> why.orElseThrow().contains("this node has not written"));
    }
  }

  @Test
  void aStopTriesOnceMoreToWriteWhatIsOwed() throws Exception {
    try (var log = blocked(AuditLog.open(directory, 100, 0, Duration.ofHours(1)))) {
      takePlaces(log, 2);
      notWritten(log, 2);
      Files.delete(next);
      log.write(entry(3));
    }
    assertWhole(3);
  }

  @Test
  void whereEntriesAreGoneMeanwhileItDoesNotGoOn() throws Exception {
    try (var log = blockedAndTriedAgainSoon()) {
      takePlaces(log, 2);
      notWritten(log, 2);
      Files.delete(directory.resolve("audit-000000000001.log"));
      Files.delete(next);

      // Each is failed at once, and between two of them it has tried.
      await()
          .during(Duration.ofMillis(200))
          .atMost(PATIENCE)
          .until(() -> log.trouble().isPresent());
      awaitTrouble(log, why -> why.orElseThrow().contains("entries that were written are gone"));
    }
  }

  @Test
  void ofFullFilesSoManyAreKeptAndTheChainGoesOnInThem() throws IOException {
    try (var log = AuditLog.open(directory, 100, 2)) {
      for (int number = 0; number < 20; number++) {
        takePlaces(log, 1);
        log.write(entry(number)).join();
      }
    }

    assertThat(files.list()).hasSize(3);
    assertWhole(20);
  }

  private void write(long fileBytes, int entries) throws IOException {
    try (var log = AuditLog.open(directory, fileBytes, 0)) {
      CompletableFuture.allOf(
              IntStream.range(0, entries)
                  .mapToObj(
                      number -> {
                        assertThat(log.takePlace()).isTrue();
                        return log.write(entry(number));
                      })
                  .toArray(CompletableFuture[]::new))
          .join();
    }
  }
}
