package dev.sequitur.persistence.journal;

import akka.actor.ActorSystem;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.OrderedMap;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import scala.concurrent.duration.FiniteDuration;

/** Actor systems that keep their data with the plugins under test. */
public final class TestSystems {
  private TestSystems() {}

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  /** Over a LevelDB. */
  public static Config config(Path dataDirectory) {
    return config(
        Map.of(
            "sequitur.data-directory",
            dataDirectory.toString(),
            "akka.persistence.journal.plugin",
            "sequitur.persistence.journal",
            "akka.persistence.snapshot-store.plugin",
            "sequitur.persistence.snapshot-store"));
  }

  /** Over the schema of a server's database. */
  public static Config config(String url, String schema) {
    var section = "sequitur.persistence.postgresql.";
    var server = TestPostgres.shared();
    return config(
        Map.of(
            section + "url",
            url,
            section + "user",
            server.user(),
            section + "password",
            server.password(),
            section + "schema",
            schema,
            "akka.persistence.journal.plugin",
            section + "journal",
            "akka.persistence.snapshot-store.plugin",
            section + "snapshot-store"));
  }

  /** That nobody has used. */
  public static String newSchema() {
    return "events_" + SCHEMAS.incrementAndGet();
  }

  private static Config config(Map<String, String> settings) {
    return ConfigFactory.parseMap(settings)
        .withFallback(
            ConfigFactory.parseString(
                """
            akka.loglevel = WARNING
            # the machine may be busy with other tests
            akka.test.single-expect-default = 60s
            akka.actor.testkit.typed.single-expect-default = 60s
            akka.actor.testkit.typed.system-shutdown-default = 60s
            sequitur.persistence.level-db.min-free-disk = 0
            """))
        .withFallback(ConfigFactory.defaultReferenceUnresolved())
        .resolve();
  }

  public static ActorSystem start(Path dataDirectory) {
    return start(config(dataDirectory));
  }

  public static ActorSystem start(Config config) {
    return ActorSystem.create("test", config);
  }

  /** That of its journal and snapshots. */
  static OrderedMap map(ActorSystem system) {
    var config = system.settings().config();
    var plugin = config.getString("akka.persistence.journal.plugin");
    return EventMaps.of(system, config.getConfig(plugin));
  }

  public static void stop(ActorSystem system) {
    TestKit.shutdownActorSystem(system, FiniteDuration.create(60, TimeUnit.SECONDS), true);
  }
}
