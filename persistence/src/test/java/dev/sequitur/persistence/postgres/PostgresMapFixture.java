package dev.sequitur.persistence.postgres;

import dev.sequitur.fixture.PostgresWire;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMapContractTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A map in a schema of a test's own, as several JVMs have it, over a wire that counts and cuts. */
abstract class PostgresMapFixture extends OrderedMapContractTest {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final List<AutoCloseable> open = new ArrayList<>();
  PostgresWire wire;
  PostgresMap map;

  /** Not through the wire, so that nothing of it is counted there or cut. */
  PostgresDatabase beside;

  private PostgresSettings settings;

  /** As each JVM has it, unless a test says otherwise. */
  abstract PostgresMap in(PostgresDatabase database);

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    wire = new PostgresWire(server);
    var schema = "map_" + SCHEMAS.incrementAndGet();
    settings = new PostgresSettings(wire.url(), server.user(), server.password(), schema);
    beside =
        PostgresDatabase.open(
            new PostgresSettings(server.url(), server.user(), server.password(), schema),
            1,
            PATIENCE);
    map = jvm();
  }

  /** As another JVM has it. */
  PostgresMap jvm() {
    return jvmWith(this::in);
  }

  /** As another JVM has it that makes its map so. */
  PostgresMap jvmWith(Function<PostgresDatabase, PostgresMap> how) {
    var database = PostgresDatabase.open(settings, 4, PATIENCE);
    var its = how.apply(database);
    open.add(its);
    open.add(database);
    return its;
  }

  @AfterEach
  void close() throws Exception {
    for (var each : open) {
      each.close();
    }
    beside.close();
    wire.close();
    executor.shutdown();
  }

  @Override
  protected OrderedMap map() {
    return map;
  }

  @Override
  protected OrderedMap reopened() {
    return jvm();
  }
}
