package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is built next bears one number, and those who run it read what has changed in it. */
final class ReleaseTest {
  private static final Path REPOSITORY = Path.of("..");

  @Test
  void theChangelogBeginsWithTheReleaseThatIsBuilt() throws IOException {
    var changelog = Files.readString(REPOSITORY.resolve("CHANGELOG.md"));

    assertThat(first("(?m)^## (\\S+?),? ", changelog)).isEqualTo(version());
  }

  /** As a Debian package it would be taken for newer than the release that it leads to. */
  @Test
  void aReleaseIsThreeNumbers() throws IOException {
    assertThat(version()).matches("\\d+\\.\\d+\\.\\d+");
  }

  private static String version() throws IOException {
    return first("<version>([^<]+)</version>", Files.readString(REPOSITORY.resolve("pom.xml")));
  }

  private static String first(String pattern, String text) {
    var found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(pattern).isTrue();
    return found.group(1);
  }
}
