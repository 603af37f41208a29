package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What ./sequitur starts behaves as what is installed. */
class LauncherTest {
  private static final Path TOP = Path.of("..");

  @Test
  void aProcessEndsWhenItsMemoryIsUsedUp() throws IOException {
    var flag = "-XX:+ExitOnOutOfMemoryError";

    assertThat(Files.readString(TOP.resolve("scripts/jvm-flags.sh"))).contains(flag);
    assertThat(Files.readString(TOP.resolve("distribution/pom.xml"))).contains(flag);
  }
}
