package dev.sequitur.persistence.journal;

import akka.actor.ActorSystem;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import scala.concurrent.duration.FiniteDuration;

/** Actor systems that keep their data with the plugins under test. */
final class TestSystems {
  private TestSystems() {}

  static Config config(Path dataDirectory) {
    return ConfigFactory.parseString(
            """
            akka.loglevel = WARNING
            # the machine may be busy with other tests
            akka.test.single-expect-default = 60s
            akka.actor.testkit.typed.single-expect-default = 60s
            akka.actor.testkit.typed.system-shutdown-default = 60s
            akka.persistence.journal.plugin = "sequitur.persistence.journal"
            akka.persistence.snapshot-store.plugin = "sequitur.persistence.snapshot-store"
            sequitur.persistence.level-db.min-free-disk = 0
            """)
        .withFallback(
            ConfigFactory.parseMap(Map.of("sequitur.data-directory", dataDirectory.toString())))
        .withFallback(ConfigFactory.load());
  }

  static ActorSystem start(Path dataDirectory) {
    return ActorSystem.create("test", config(dataDirectory));
  }

  static void stop(ActorSystem system) {
    TestKit.shutdownActorSystem(system, FiniteDuration.create(60, TimeUnit.SECONDS), true);
  }
}
