package dev.sequitur.persistence.store;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema of a test's own, and what a store in it needs. */
final class OwnSchema implements AutoCloseable {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final List<PostgresDatabase> open = new ArrayList<>();
  private final PostgresSettings settings;

  OwnSchema() {
    var server = TestPostgres.shared();
    settings =
        new PostgresSettings(
            server.url(), server.user(), server.password(), "own_" + SCHEMAS.incrementAndGet());
  }

  /** Another connection to it each time; closed with this. */
  PostgresDatabase database() {
    var database = PostgresDatabase.open(settings, 2, Duration.ofSeconds(60));
    open.add(database);
    return database;
  }

  Executor executor() {
    return executor;
  }

  @Override
  public void close() {
    open.forEach(PostgresDatabase::close);
    executor.shutdown();
  }
}
