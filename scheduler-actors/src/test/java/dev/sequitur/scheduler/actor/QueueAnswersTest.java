package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Whether queues answer, without actors. */
class QueueAnswersTest {
  private static final long PATIENCE = QueueAnswers.PATIENCE.toNanos();

  private final TestInbox<QueueActor.Message> queue = TestInbox.create();
  private LongSupplier time = () -> 0;
  private final QueueAnswers answers =
      new QueueAnswers(new PrometheusRegistry(), () -> time.getAsLong());

  private void answerAll() {
    queue.getAllReceived().forEach(asked -> answers.answered(queue.getRef()));
  }

  @Test
  void aQueueThatAnswersBeforeItsAskerGoesOnHasAnswered() {
    answers.began(queue.getRef());
    time =
        () -> {
          answerAll();
          return 0;
        };
    answers.ask();
    answerAll();

    time = () -> 2 * PATIENCE;
    assertThat(answers.trouble()).isEmpty();
    answers.ask();
    assertThat(queue.getAllReceived()).as("it is asked again").hasSize(1);
    time = () -> 3 * PATIENCE + Duration.ofSeconds(1).toNanos();
    assertThat(answers.trouble()).as("not answered").isPresent();
  }
}
