package dev.sequitur.persistence.backup;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresMap;
import dev.sequitur.persistence.postgres.PostgresMoment;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class BackupOfPostgresTest extends BackupContractTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private PostgresDatabase database;
  private PostgresDatabase empty;
  private PostgresMap map;

  @BeforeEach
  void open() {
    int number = SCHEMAS.incrementAndGet();
    database = open("backup_" + number);
    empty = open("restored_" + number);
    map = new PostgresMap(database, executor, executor, database::observer, 128);
  }

  private static PostgresDatabase open(String schema) {
    var server = TestPostgres.shared();
    return PostgresDatabase.open(
        new PostgresSettings(server.url(), server.user(), server.password(), schema),
        4,
        Duration.ofSeconds(60));
  }

  @AfterEach
  void close() {
    map.close();
    database.close();
    empty.close();
    executor.shutdown();
  }

  @Override
  OrderedMap records() {
    return map;
  }

  @Override
  OrderedMap queues() {
    return map;
  }

  @Override
  StoredMoment moment() {
    return PostgresMoment.of(database);
  }

  @Override
  BackupManifest.Engine engine() {
    return BackupManifest.Engine.POSTGRESQL;
  }

  @Override
  RestoreTarget target() {
    return new DatabaseTarget(empty);
  }

  @Override
  StoredMoment restored() {
    return PostgresMoment.of(empty);
  }
}
