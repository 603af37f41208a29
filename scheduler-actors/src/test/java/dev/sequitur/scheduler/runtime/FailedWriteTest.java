package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.pattern.AskTimeoutException;
import akka.persistence.testkit.PersistenceTestKitPlugin;
import akka.persistence.testkit.javadsl.PersistenceTestKit;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPrioritySettings;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal fails a write of a queue. */
class FailedWriteTest {
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final AccountId ALICE = new AccountId("alice");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private TestScheduler running;
  private PersistenceTestKit journal;

  @BeforeEach
  void start() {
    var families =
        QueueSetup.of(
            OPERATOR, new GasPriority(new GasPrioritySettings(10, 1_000, 1_000, 1_000, 1, 10_240)));
    running =
        TestScheduler.start(
            directory,
            families,
            SchedulerSettings.DEFAULT,
            new ScriptedCalls(),
            PersistenceTestKitPlugin.config());
    journal = PersistenceTestKit.create(running.system());
  }

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void whoeverWaitsIsToldToAskAgainAndWhatIsAskedAgainIsDoneOnce() {
    assertThat(fund("before").refusal()).isEmpty();
    journal.failNextPersisted("schedule-queue|" + QUEUE);

    assertThatThrownBy(() -> fund("gift"))
        .hasRootCauseInstanceOf(SchedulerUnavailableException.class);
    assertThat(again(() -> get(running.node().available(QUEUE, ALICE)))).isEqualTo(new Amount(5));
    assertThat(again(() -> fund("gift")).refusal()).isEmpty();
    assertThat(fund("gift").refusal()).isEmpty();

    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(10));
    assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
  }

  @Test
  void whoeverAsksAgainAtOnceIsToldToWaitAMomentAndNotLeftWithoutAnAnswer() {
    assertThat(fund("before").refusal()).isEmpty();
    journal.failNextPersisted("schedule-queue|" + QUEUE);

    var askedAtOnce =
        submit("gift")
            .handle((answer, failure) -> running.node().available(QUEUE, ALICE))
            .thenCompose(asked -> asked);

    assertThatThrownBy(() -> get(askedAtOnce))
        .hasRootCauseInstanceOf(SchedulerUnavailableException.class)
        .hasStackTraceContaining("send it again in a moment");
    assertThat(again(() -> get(running.node().available(QUEUE, ALICE)))).isEqualTo(new Amount(5));
  }

  /** What comes just when the queue stops may get lost: then it is to be asked again. */
  private static <T> T again(Supplier<T> asking) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                return Optional.of(asking.get());
              } catch (IllegalStateException e) {
                assertThat(e)
                    .rootCause()
                    .isInstanceOfAny(
                        SchedulerUnavailableException.class, AskTimeoutException.class);
                return Optional.<T>empty();
              }
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private Answer fund(String command) {
    return get(submit(command));
  }

  private CompletionStage<Answer> submit(String command) {
    var operation = new Operation.Fund(ALICE, new Amount(5));
    return running.node().submit(QUEUE, new Command(command, OPERATOR, operation));
  }
}
