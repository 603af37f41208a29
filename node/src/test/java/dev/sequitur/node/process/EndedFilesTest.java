package dev.sequitur.node.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.RoomStore.Ended;
import dev.sequitur.protocol.transaction.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ROM-6: what a node writes before it forgets it. */
class EndedFilesTest {
  private static final int SMALL = 40;

  @TempDir private Path directory;
  private final List<EndedFiles> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(EndedFiles::close);
  }

  private EndedFiles files(long fileBytes) {
    var files =
        new EndedFiles(
            directory.resolve("ended"),
            fileBytes,
            ended ->
                completedFuture(
                    ended.stream()
                        .map(each -> "{\"sequence\":%d}".formatted(each.receipt().sequence()))
                        .map(line -> line.getBytes(UTF_8))
                        .toList()));
    opened.add(files);
    return files;
  }

  private static void write(EndedFiles files, long... numbers) {
    var ended = new ArrayList<Ended>();
    for (long number : numbers) {
      var receipt =
          Receipt.reverted(
              new TransactionId(new UUID(0, number)),
              new ContractAddress("0x" + "11".repeat(20)),
              "token",
              "no funds",
              Instant.EPOCH);
      ended.add(
          new Ended(
              new NumberedReceipt(number, receipt),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              List.of()));
    }
    files.write(ended).toCompletableFuture().join();
  }

  private List<String> names() throws IOException {
    try (var all = Files.list(directory.resolve("ended"))) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private String text(String name) throws IOException {
    return Files.readString(directory.resolve("ended").resolve(name));
  }

  @Test
  void aLineForEachIsAddedToTheFileThatIsOpen() throws IOException {
    var files = files(1_000);
    write(files, 7, 8);
    write(files, 9);

    assertThat(names()).containsExactly("ended-0000000000000000007-000.jsonl.open");
    assertThat(text(names().getFirst()))
        .isEqualTo("{\"sequence\":7}\n{\"sequence\":8}\n{\"sequence\":9}\n");
  }

  /** The directory may be the operator's, and open to others. */
  @Test
  void nobodyButTheNodesUserReadsAFile() throws IOException {
    assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.createDirectory(
        directory.resolve("ended"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));

    write(files(1), 7);
    write(files(1_000), 8);

    for (var name : names()) {
      var file = directory.resolve("ended").resolve(name);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .as(name)
          .isEqualTo("rw-------");
    }
    assertThat(names()).hasSize(2);
  }

  @Test
  void aFileThatHasEnoughIsClosedAndNamesAreInTheOrderOfWhatIsInThem() throws IOException {
    var files = files(SMALL);
    write(files, 8, 9, 10);
    write(files, 11, 12);

    assertThat(names())
        .containsExactly(
            "ended-0000000000000000008-000.jsonl", "ended-0000000000000000011-000.jsonl.open");
    assertThat(text(names().getFirst())).hasLineCount(3);
    assertThat(text(names().getLast())).hasLineCount(2);
  }

  @Test
  void whatACrashHasTornIsTakenOffAndTheSameFileGoesOn() throws IOException {
    write(files(10_000), 1);
    var open = directory.resolve("ended").resolve(names().getFirst());
    Files.writeString(open, "{\"sequence\":" + "2".repeat(9_000), StandardOpenOption.APPEND);

    write(files(10_000), 2);

    assertThat(text(names().getFirst())).isEqualTo("{\"sequence\":1}\n{\"sequence\":2}\n");
  }

  @Test
  void aFileThatIsTornInItsFirstLineBeginsAnew() throws IOException {
    write(files(10_000), 1);
    Files.writeString(directory.resolve("ended").resolve(names().getFirst()), "{\"seq");

    write(files(10_000), 1);

    assertThat(text(names().getFirst())).isEqualTo("{\"sequence\":1}\n");
  }

  /** The records were set back, and its numbers are given again. */
  @Test
  void noFileTakesTheNameOfAnother() throws IOException {
    write(files(1), 5);
    write(files(1), 5);

    assertThat(names())
        .containsExactly(
            "ended-0000000000000000005-000.jsonl", "ended-0000000000000000005-001.jsonl");
  }

  @Test
  void whatCannotBeWrittenIsToldAndWrittenOnceItCanBe() throws IOException {
    var place = directory.resolve("ended");
    Files.writeString(place, "This is no directory.");
    var files = files(1_000);

    assertThatThrownBy(() -> write(files, 1))
        .cause()
        .hasMessageStartingWith("it cannot be written to room.export.directory (");

    Files.delete(place);
    write(files, 1);
    assertThat(text(names().getFirst())).isEqualTo("{\"sequence\":1}\n");
  }
}
