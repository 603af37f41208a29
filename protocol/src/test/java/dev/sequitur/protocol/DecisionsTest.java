package dev.sequitur.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs/decisions/README.md lists is what there is. */
final class DecisionsTest {
  private static final Path DECISIONS = Path.of("..", "docs", "decisions");
  private static final Path LIST = DECISIONS.resolve("README.md");

  @Test
  void eachDecisionIsListedOnceByItsTitleInTheOrderOfTheNumbers() throws IOException {
    try (var files = Files.list(DECISIONS)) {
      var rows = files.filter(file -> !file.equals(LIST)).sorted().map(DecisionsTest::row).toList();

      assertThat(Files.readString(LIST).lines().filter(line -> line.startsWith("| [")))
          .containsExactlyElementsOf(rows);
    }
  }

  private static String row(Path file) {
    var name = file.getFileName().toString();
    return "| [%s](%s) | %s |".formatted(name.substring(0, name.indexOf('-')), name, title(file));
  }

  private static String title(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElseThrow().substring("# ".length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
