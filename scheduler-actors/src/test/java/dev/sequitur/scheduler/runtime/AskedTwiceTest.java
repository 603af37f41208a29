package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to somebody who answers late or not at all, on time that is told. */
class AskedTwiceTest {
  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final Duration HALF = WITHIN.dividedBy(2);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private record Question(ActorRef<String> replyTo) {}

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<Question> asked = kit.createTestProbe(Question.class);

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private CompletionStage<String> ask() {
    return AskedTwice.ask(kit.system(), asked.getRef(), Question::new, WITHIN);
  }

  private ActorRef<String> received() {
    return asked.receiveMessage(Duration.ofSeconds(60)).replyTo();
  }

  @Test
  void whatIsLostIsAskedOnceMoreInHalfOfItsTimeAndItsAnswerCounts() {
    var answer = ask();
    received();
    time.expectNoMessageFor(HALF.minus(MOMENT), asked);
    time.timePasses(MOMENT);

    received().tell("here");

    assertThat(get(answer)).isEqualTo("here");
    time.expectNoMessageFor(WITHIN, asked);
  }

  @Test
  void whatIsAnsweredIsNotAskedTwice() {
    var answer = ask();
    received().tell("here");
    assertThat(get(answer)).isEqualTo("here");
    time.expectNoMessageFor(WITHIN, asked);
  }

  @Test
  void theFirstMayStillBeAnsweredAfterItWasAskedTwice() {
    var answer = ask();
    var first = received();
    time.timePasses(HALF);
    received();
    first.tell("late");
    assertThat(get(answer)).isEqualTo("late");
  }

  @Test
  void whoIsSilentIsAskedTwiceAndThenItFails() {
    var answer = ask();
    received();
    time.timePasses(HALF);
    received();
    time.timePasses(HALF);
    assertThatThrownBy(() -> get(answer)).hasRootCauseInstanceOf(TimeoutException.class);
    time.expectNoMessageFor(WITHIN, asked);
  }
}
