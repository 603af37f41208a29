package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDirectoryTest {
  @TempDir private Path directory;

  @Test
  void aTemporaryOneCanBeEnteredByAServerOfAnotherUserAndNotListed() throws IOException {
    var temporary = DemoDirectory.open(Optional.empty()).enterable();
    try {
      assertThat(rights(temporary.path())).isEqualTo("rwx--x--x");
    } finally {
      temporary.release();
    }
  }

  @Test
  void onesOwnStaysAsItIs() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));

    DemoDirectory.open(Optional.of(directory)).enterable();

    assertThat(rights(directory)).isEqualTo("rwx------");
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
