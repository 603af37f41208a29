package dev.sequitur.cluster;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Dropped;
import akka.event.Logging;
import akka.testkit.javadsl.TestKit;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is lost between actors makes no noise, least of all while a node stops. */
final class DeadLettersTest {
  @TempDir private Path directory;

  /** As a connection of the remoting drops what was to establish it, when it is closed. */
  @Test
  void whatIsDroppedWithoutARecipientFailsNobody() {
    var config = ClusterConfiguration.singleJvm(new SingleJvmSettings("alice", directory));
    var system = ActorSystem.create("alice", config);
    try {
      var errors = new TestKit(system);
      var bus = system.eventStream();
      bus.subscribe(errors.getRef(), Logging.Error.class);

      // Whoever listens begins to do so some time after the start.
      for (int i = 0; i < 20; i++) {
        bus.publish(new Dropped("hello", "closed", ActorRef.noSender(), ActorRef.noSender()));
        errors.expectNoMessage(Duration.ofMillis(100));
      }
    } finally {
      TestKit.shutdownActorSystem(system);
    }
  }
}
