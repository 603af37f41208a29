package dev.sequitur.console.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
  @TempDir Path directory;

  @Test
  void aShortLogIsShownWhole() throws IOException {
    var log = Files.writeString(directory.resolve("log"), "one\ntwo\n");

    assertThat(LogTail.of(log)).isEqualTo("one\ntwo\n");
  }

  @Test
  void ofALongOneTheEndIsShownFromTheBeginningOfALine() throws IOException {
    var line = "a line of the log, ü\n";
    var log = Files.writeString(directory.resolve("log"), line.repeat(100_000) + "the last\n");

    var end = LogTail.of(log);

    assertThat(end).startsWith(line).endsWith(line + "the last\n");
    assertThat(end.length()).isBetween(LogTail.MOST_BYTES / 2, LogTail.MOST_BYTES);
  }

  @Test
  void oneThatIsNotThereIsNoEmptyOne() {
    assertThatThrownBy(() -> LogTail.of(directory.resolve("none"))).isInstanceOf(IOException.class);
  }
}
