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

class PostgresBodyStoreTest extends BodyStoreContractTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final List<PostgresDatabase> open = new ArrayList<>();
  private PostgresSettings settings;
  private BodyStore store;

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    settings =
        new PostgresSettings(
            server.url(), server.user(), "", "bodies_" + SCHEMAS.incrementAndGet());
    store = reopened();
  }

  @AfterEach
  void close() {
    open.forEach(PostgresDatabase::close);
    executor.shutdown();
  }

  @Override
  BodyStore store() {
    return store;
  }

  @Override
  BodyStore reopened() {
    var database = PostgresDatabase.open(settings, 2, Duration.ofSeconds(60));
    open.add(database);
    return QueueStores.in(database, executor).bodies();
  }
}
