package dev.sequitur.laboratory.local;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryInUseTest {
  @TempDir private Path directory;

  @Test
  void aSecondNetworkInADirectoryIsRefusedInASentenceUntilTheFirstHasEnded() throws IOException {
    try (var first = DirectoryInUse.by(directory)) {
      assertThatThrownBy(() -> DirectoryInUse.by(directory))
          .isInstanceOf(StartFailure.class)
          .hasMessage(
              "Another cluster or soak runs in %s: stop it, or name another directory by --data"
                      .formatted(directory)
                  + " (and other ports by --port).");
    }

    assertThatCode(() -> DirectoryInUse.by(directory).close()).doesNotThrowAnyException();
  }
}
