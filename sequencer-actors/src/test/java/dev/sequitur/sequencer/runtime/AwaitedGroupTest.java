package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.NodeStanding;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An entity that says to a probe what it was told; time goes on by the test. */
class AwaitedGroupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final int LOOKS = 25;
  private static final String STOP = "stop";

  private final ActorTestKit testKit =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.testkit.typed.single-expect-default = 60s")
              .withFallback(ManualTime.config()));
  private final ManualTime time = ManualTime.get(testKit.system());
  private final ScriptedPorts ports = new ScriptedPorts();
  private final NodeServices services =
      ActorFixture.withoutEntities(
          ports.setup(0), testKit.<BlockFeedCommand>createTestProbe().ref());
  private final PrivacyGroup group = ports.newGroup();
  private final TestProbe<String> entity = testKit.createTestProbe();
  private final TestProbe<ClusterSharding.ShardCommand> shard = testKit.createTestProbe();

  private Runnable stopListening = () -> {};

  @AfterEach
  void stop() {
    stopListening.run();
    testKit.shutdownTestKit();
  }

  @Test
  void anEntityWhoseGroupIsKnownBeginsWithoutALook() {
    services.groups().add(group);

    spawn().tell("first");

    entity.expectMessage("first");
    assertThat(ports.groupLooks()).isZero();
  }

  @Test
  void whatComesBeforeTheGroupIsTakenUpInItsOrderWhenItIsThere() {
    var stored = new CompletableFuture<List<StoredGroup>>();
    ports.answerGroups(stored);
    var awaiting = spawn();
    awaiting.tell("first");
    awaiting.tell("second");

    stored.complete(List.of(stored(group)));
    await().atMost(PATIENCE).until(() -> services.groups().find(group.contract()).isPresent());
    awaiting.tell("third");

    entity.expectMessage("first");
    entity.expectMessage("second");
    entity.expectMessage("third");
  }

  @Test
  void itLooksAgainUntilAnotherJvmHasStoredTheGroup() {
    ports.answerGroups(CompletableFuture.completedFuture(List.of(stored(ports.newGroup()))));
    ports.answerGroups(CompletableFuture.failedFuture(new IllegalStateException("no database")));
    ports.answerGroups(CompletableFuture.completedFuture(List.of(stored(group))));
    spawn().tell("first");

    lookUntil(3);

    entity.expectMessage("first");
  }

  @Test
  void whatIsLookedForAgainIsSaidInTheLogOnce() {
    var lines = linesOf(NodeStanding.class);
    spawn();

    lookUntil(5);

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains("no group with contract " + group.contract())
                    .contains("it is looked for every 200 ms, at most 25 times"));
  }

  @Test
  void aStoreThatCannotBeReadIsNoGroupThatIsMissing() {
    var lines = linesOf(NodeStanding.class);
    ports.answerGroups(CompletableFuture.failedFuture(new IllegalStateException("no database")));
    ports.answerGroups(CompletableFuture.completedFuture(List.of(stored(group))));
    spawn().tell("first");

    lookUntil(2);
    entity.expectMessage("first");

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .satisfies(
            line -> assertThat(line).contains("" + group.contract()).contains("(no database)"));
  }

  @Test
  void aGroupThatNeverComesIsGivenUpAfterSomeLooks() {
    var awaiting = spawn();

    lookUntil(LOOKS);

    var passivate = shard.expectMessageClass(ClusterSharding.Passivate.class);
    assertThat(passivate.entity()).isEqualTo(awaiting);
    time.timePasses(BETWEEN_LOOKS.multipliedBy(LOOKS));
    assertThat(ports.groupLooks()).isEqualTo(LOOKS);
  }

  @Test
  void theShardCanStopItWhileItWaits() {
    ports.answerGroups(new CompletableFuture<>());
    var awaiting = spawn();

    awaiting.tell(STOP);

    entity.expectTerminated(awaiting);
  }

  private ListAppender<ILoggingEvent> linesOf(Class<?> logged) {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var logger = (Logger) LoggerFactory.getLogger(logged);
    logger.addAppender(lines);
    stopListening = () -> logger.detachAppender(lines);
    return lines;
  }

  private ActorRef<String> spawn() {
    return testKit.spawn(
        AwaitedGroup.entity(
            services, new AwaitedGroup.Wish<>(group.contract(), STOP, shard.ref(), this::entity)));
  }

  private Behavior<String> entity() {
    return Behaviors.receiveMessage(
        message -> {
          entity.ref().tell(message);
          return Behaviors.same();
        });
  }

  /** A look is answered on another thread: until it is, no time is waited for. */
  private void lookUntil(int looks) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              time.timePasses(BETWEEN_LOOKS);
              return ports.groupLooks() >= looks;
            });
  }

  private static StoredGroup stored(PrivacyGroup group) {
    return StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(group));
  }
}
