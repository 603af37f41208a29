package dev.sequitur.persistence.journal;

import com.typesafe.config.Config;
import dev.sequitur.fixture.TestPostgres;

final class PostgresSnapshotsTest extends SnapshotContractTest {
  private final String schema = TestSystems.newSchema();

  @Override
  Config config() {
    return TestSystems.config(TestPostgres.shared().url(), schema);
  }
}
