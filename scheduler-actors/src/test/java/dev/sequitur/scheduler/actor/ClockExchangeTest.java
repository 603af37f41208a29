package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.LoggingTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.pubsub.Topic;
import com.typesafe.config.ConfigFactory;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JVMs that tell one another what their clocks say, over one topic. */
class ClockExchangeTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.testkit.typed.filter-leeway = 60s")
              .withFallback(ManualTime.config()));
  private final ManualTime time = ManualTime.get(kit.system());
  private final ActorRef<Topic.Command<ClockReading>> topic =
      kit.spawn(Topic.create(ClockReading.class, "clocks"));
  private final TestProbe<ClockReading> heard = kit.createTestProbe(ClockReading.class);
  private final SetClock clock = new SetClock(NOON);
  private final NodeClocks clocks = new NodeClocks(clock, clock::nanos);
  private volatile Optional<String> still = Optional.empty();
  private final AtomicLong nanos = new AtomicLong();
  private final QueueAnswers answers = new QueueAnswers(new PrometheusRegistry(), nanos::get);

  @BeforeEach
  void start() {
    topic.tell(Topic.subscribe(heard.getRef()));
    kit.spawn(
        ClockExchange.create(
            topic,
            clocks,
            new ClockExchange.Judged("a", LIMIT, () -> still, answers, () -> List.of("default"))));
    // What is published before it has subscribed it does not hear.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              say("b", NOON);
              assertThat(clocks.wall().others()).contains(NOON);
            });
    awaitOwnReading();
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private void say(String jvm, Instant says) {
    topic.tell(Topic.publish(new ClockReading(jvm, says)));
  }

  private Instant awaitOwnReading() {
    return awaitOwn().time();
  }

  private ClockReading awaitOwn() {
    return heard
        .fishForMessage(
            PATIENCE,
            reading ->
                reading.jvm().equals("a")
                    ? FishingOutcomes.complete()
                    : FishingOutcomes.continueAndIgnore())
        .get(0);
  }

  @Test
  void itTellsWhichQueuesItHasAndKeepsWhichTheOthersHave() {
    time.timePasses(ClockExchange.PERIOD);
    assertThat(awaitOwn().queues()).containsExactly("default");

    topic.tell(Topic.publish(new ClockReading("c", NOON, List.of("payroll"))));
    awaitOwnReading();

    assertThat(clocks.queuesOfOthers()).containsExactly("payroll");
  }

  /**
   * A queue that does not answer, though it is there: a trouble in health, and a line in the log.
   */
  @Test
  void aQueueThatAnswersNobodyIsATroubleUntilItAnswers() {
    var queue = kit.<QueueActor.Message>createTestProbe();
    answers.began(queue.getRef());
    time.timePasses(ClockExchange.PERIOD);
    queue.expectMessage(PATIENCE, new QueueActor.AreYouThere());
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(answers.trouble()).isEmpty();

    LoggingTestKit.warn("Schedule queues that answer nobody: 1, the longest for 11 s")
        .expect(
            kit.system(),
            () -> {
              nanos.addAndGet(Duration.ofSeconds(1).toNanos());
              time.timePasses(ClockExchange.PERIOD);
              awaitOwnReading();
              return null;
            });

    answers.answered(queue.getRef());
    assertThat(answers.trouble()).isEmpty();
    time.timePasses(ClockExchange.PERIOD);
    queue.expectMessage(PATIENCE, new QueueActor.AreYouThere());
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    answers.left(queue.getRef());
    assertThat(answers.trouble()).as("it is gone").isEmpty();
  }

  @Test
  void itTellsItsTimeInEachPeriod() {
    for (int i = 1; i <= 3; i++) {
      clock.set(NOON.plusSeconds(i));
      time.timePasses(ClockExchange.PERIOD);
      assertThat(awaitOwnReading()).isEqualTo(NOON.plusSeconds(i));
    }
  }

  @Test
  void whomItHasNotHeardOfBeforeItTellsAtOnce() {
    clock.set(NOON.plusSeconds(1));
    say("b", NOON.plusSeconds(1));
    say("c", NOON.plusSeconds(2));

    assertThat(awaitOwnReading()).isEqualTo(NOON.plusSeconds(1));
    assertThat(clocks.wall().others()).contains(NOON.plusSeconds(2));
    heard.expectNoMessage();
  }

  @Test
  void whatItSaysItselfJudgesNobody() {
    say("a", NOON.plus(Duration.ofDays(3)));
    awaitOwnReading();
    say("c", NOON);
    awaitOwnReading();

    assertThat(clocks.wall().others()).contains(NOON);
  }

  @Test
  void itWarnsOnceWhenQueuesStandStillAndTellsWhenTheyGoOn() {
    LoggingTestKit.warn("Two queues stand still.")
        .withOccurrences(1)
        .expect(
            kit.system(),
            () -> {
              still = Optional.of("Two queues stand still.");
              for (int i = 0; i < 3; i++) {
                time.timePasses(ClockExchange.PERIOD);
                awaitOwnReading();
              }
              return null;
            });

    LoggingTestKit.info("goes on again")
        .withOccurrences(1)
        .expect(
            kit.system(),
            () -> {
              still = Optional.empty();
              time.timePasses(ClockExchange.PERIOD);
              awaitOwnReading();
              say("b", NOON);
              return null;
            });
  }

  @Test
  void itWarnsOnceWhenTheClockIsFoundAheadAndTellsWhenItIsRight() {
    LoggingTestKit.warn("259200 s ahead")
        .withOccurrences(1)
        .expect(
            kit.system(),
            () -> {
              // Only now: what another JVM has said before may still be on its way to the judge.
              clock.set(NOON.plus(Duration.ofDays(3)));
              for (int i = 0; i < 3; i++) {
                time.timePasses(ClockExchange.PERIOD);
                awaitOwnReading();
              }
              return null;
            });

    LoggingTestKit.info("by its own clock again")
        .withOccurrences(1)
        .expect(
            kit.system(),
            () -> {
              clock.set(NOON);
              time.timePasses(ClockExchange.PERIOD);
              say("b", NOON);
              return null;
            });
  }
}
