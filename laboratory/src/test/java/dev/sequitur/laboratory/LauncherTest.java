package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ./sequitur starts behaves as what is installed. */
class LauncherTest {
  private static final Path TOP = Path.of("..");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:G1PeriodicGCInterval=120000",
        "-XX:-CreateCoredumpOnCrash"
      })
  void aProcessEndsWhenItsMemoryIsUsedUpGivesBackWhatItNoLongerUsesAndLeavesNoPictureOfIt(
      String flag) throws IOException {
    assertThat(Files.readString(TOP.resolve("scripts/jvm-flags.sh"))).contains(flag);
    assertThat(Files.readString(TOP.resolve("distribution/pom.xml"))).contains(flag);
  }
}
