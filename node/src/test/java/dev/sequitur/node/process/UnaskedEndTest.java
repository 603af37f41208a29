package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.ManualTimer;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An actor system that comes to its end when the test lets it, as remoting keeps it from doing so;
 * the test moves the clock.
 */
class UnaskedEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration ANYWAY = Duration.ofSeconds(35);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ManualTimer timer = new ManualTimer();
  private final CountDownLatch held = new CountDownLatch(1);
  private final ActorSystem<Void> system = system();
  private final UnaskedEnd end = new UnaskedEnd(system, new NodeName("node1"), timer::after);

  private static ActorSystem<Void> system() {
    var config =
        ConfigFactory.parseString(
                """
                akka.actor.provider = local
                akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                """)
            .withFallback(ConfigFactory.defaultReference());
    return ActorSystem.create(Behaviors.empty(), "node1", config);
  }

  @AfterEach
  void stop() throws Exception {
    held.countDown();
    system.terminate();
    awaitTerminated();
  }

  private void awaitTerminated() throws Exception {
    system.getWhenTerminated().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** As remoting did that waited for a process whose place another one had taken. */
  private void holdSystem() {
    system.systemActorOf(
        Behaviors.receive(Void.class)
            .onSignal(
                PostStop.class,
                signal -> {
                  held.await();
                  return Behaviors.same();
                })
            .build(),
        "never-ends",
        DispatcherSelector.blocking());
  }

  private void leaveOut() {
    var unused = CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.clusterDowningReason());
  }

  private void awaitTimer() {
    await().atMost(PATIENCE).until(() -> timer.waiting() == 1);
  }

  private String reason() throws Exception {
    return end.reached().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aJvmThatWasLeftOutEndsAfter35SecondsEvenIfItsActorSystemNeverDoes() throws Exception {
    holdSystem();
    leaveOut();
    awaitTimer();

    timer.pass(ANYWAY.minus(MOMENT));
    assertThat(end.isReached()).isFalse();
    timer.pass(MOMENT);

    assertThat(end.isReached()).isTrue();
    assertThat(reason()).contains("The other JVMs of node node1 have left this one out");
    assertThat(system.getWhenTerminated().toCompletableFuture()).isNotDone();
  }

  @Test
  void aJvmThatWasLeftOutEndsAsSoonAsItsActorSystemHas() throws Exception {
    leaveOut();

    assertThat(reason()).contains("The other JVMs of node node1 have left this one out");
    assertThat(timer.waiting()).isOne();
  }

  @Test
  void anyOtherEndSendsTheReaderToTheLog() throws Exception {
    system.terminate();

    assertThat(reason()).contains("node1 has ended by itself: look into its log");
  }

  @Test
  void aNodeThatIsStoppedHasNotEndedByItselfHoweverLongItTakes() throws Exception {
    holdSystem();
    end.ask();
    system.terminate();
    awaitTimer();
    timer.pass(ANYWAY);
    held.countDown();
    awaitTerminated();

    assertThat(end.isReached()).isFalse();
  }
}
