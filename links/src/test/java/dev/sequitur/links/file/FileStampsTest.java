package dev.sequitur.links.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStampsTest {
  private static final FileTime WRITTEN = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir private Path directory;
  private Path file;
  private Path absent;

  @BeforeEach
  void write() throws IOException {
    file = written("file", "one");
    absent = directory.resolve("absent");
  }

  private Path written(String name, String content) throws IOException {
    var path = Files.writeString(directory.resolve(name), content);
    return Files.setLastModifiedTime(path, WRITTEN);
  }

  @Test
  void whatWasNotTouchedIsAsItWas() {
    var stamps = FileStamps.of(List.of(file, absent));

    assertThat(stamps.now()).isEqualTo(stamps);
  }

  @Test
  void anotherSizeAnotherTimeAndAnotherFileOfTheSameSizeAndTimeAreSeen() throws IOException {
    var stamps = FileStamps.of(file);

    written("file", "more");
    assertThat(stamps.now()).isNotEqualTo(stamps);

    written("file", "two");
    assertThat(stamps.now()).isEqualTo(stamps);
    Files.setLastModifiedTime(file, FileTime.fromMillis(WRITTEN.toMillis() + 1));
    assertThat(stamps.now()).isNotEqualTo(stamps);

    Files.move(file, directory.resolve("former"));
    written("file", "new");
    assertThat(stamps.now()).isNotEqualTo(stamps);
  }

  @Test
  void aFileThatComesOrGoesIsSeen() throws IOException {
    var stamps = FileStamps.of(List.of(file, absent));

    Files.writeString(absent, "");
    assertThat(stamps.now()).isNotEqualTo(stamps);

    Files.delete(absent);
    assertThat(stamps.now()).isEqualTo(stamps);
    Files.delete(file);
    assertThat(stamps.now()).isNotEqualTo(stamps);
  }

  @Test
  void whatIsAddedIsAsItIsNowAndWhatWasThereAsItWasThen() throws IOException {
    var stamps = FileStamps.of(file);
    written("file", "more");
    var other = written("other", "one");

    var both = stamps.with(List.of(file, other));

    assertThat(both.stamps()).containsEntry(file, stamps.stamps().get(file)).containsKey(other);
    assertThat(both).isNotEqualTo(FileStamps.of(List.of(file, other)));
  }
}
