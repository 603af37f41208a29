package dev.sequitur.persistence.journal;

import com.typesafe.config.Config;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class LevelDbSnapshotsTest extends SnapshotContractTest {
  @TempDir private Path directory;

  @Override
  Config config() {
    return TestSystems.config(directory);
  }
}
