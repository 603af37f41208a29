package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.Dropped;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.javadsl.Adapter;
import akka.event.Logging;
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
    var config = ClusterConfiguration.singleJvm(SingleJvmSettings.local("alice", directory));
    var kit = ActorTestKit.create("alice", config);
    try {
      TestProbe<Object> errors = kit.createTestProbe();
      var bus = Adapter.toClassic(kit.system()).eventStream();
      bus.subscribe(Adapter.toClassic(errors.getRef()), Logging.Error.class);

      bus.publish(new Dropped("hello", "closed", ActorRef.noSender(), ActorRef.noSender()));

      errors.expectNoMessage(Duration.ofSeconds(1));
      assertThat(kit.system().settings().config().getString("akka.log-dead-letters"))
          .isEqualTo("off");
    } finally {
      kit.shutdownTestKit();
    }
  }
}
