package dev.sequitur.cluster.store;

import dev.sequitur.cluster.postgres.PostgresDatabase;
import dev.sequitur.cluster.postgres.PostgresSettings;
import dev.sequitur.fixture.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresCellStoreTest extends CellStoreContractTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final List<PostgresDatabase> open = new ArrayList<>();
  private PostgresSettings settings;
  private CellStore store;

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    settings =
        new PostgresSettings(server.url(), server.user(), "", "cells_" + SCHEMAS.incrementAndGet());
    store = reopened();
  }

  @AfterEach
  void close() {
    open.forEach(PostgresDatabase::close);
    executor.shutdown();
  }

  @Override
  CellStore store() {
    return store;
  }

  @Override
  CellStore reopened() {
    var database = PostgresDatabase.open(settings, 2, Duration.ofSeconds(60));
    open.add(database);
    return new PostgresCellStore(database, executor);
  }
}
