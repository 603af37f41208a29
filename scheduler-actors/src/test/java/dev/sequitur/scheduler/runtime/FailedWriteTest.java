package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import akka.pattern.AskTimeoutException;
import akka.persistence.testkit.JournalOperation;
import akka.persistence.testkit.PersistenceTestKitPlugin;
import akka.persistence.testkit.ProcessingPolicy;
import akka.persistence.testkit.ProcessingResult;
import akka.persistence.testkit.ProcessingSuccess;
import akka.persistence.testkit.StorageFailure;
import akka.persistence.testkit.WriteEvents;
import akka.persistence.testkit.javadsl.PersistenceTestKit;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The journal fails a write of a queue. */
class FailedWriteTest {
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final AccountId ALICE = new AccountId("alice");

  /** So many that the next block is decided before it is stored. */
  private static final int A_BLOCK = 1_100;

  private static final int SCHEDULES = 6 * A_BLOCK;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private TestScheduler running;
  private volatile InstantSource clock = InstantSource.system();
  private PersistenceTestKit journal;

  @BeforeEach
  void start() {
    var families =
        QueueSetup.of(
            OPERATOR,
            new GasPriority(new GasPrioritySettings(10, A_BLOCK, 1_000, 1_000, 1, 10_240)));
    var oneBlockAfterTheOther = SchedulerSettings.DEFAULT.withBlockInterval(Duration.ofMillis(1));
    running =
        TestScheduler.start(
            directory,
            families,
            oneBlockAfterTheOther,
            new ScriptedCalls(),
            PersistenceTestKitPlugin.config(),
            () -> clock.instant());
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

  /** Whatever keeps it from answering: a step that does not end is like a write that does not. */
  @Test
  void aQueueThatDoesNotAnswerIsSeenFromOutside() {
    assertThat(fund("before").refusal()).isEmpty();
    var goesOn = new CountDownLatch(1);
    journal.withPolicy(new Holding(goesOn));
    var held =
        running
            .node()
            .submit(QUEUE, new Command("held", OPERATOR, new Operation.Fund(ALICE, new Amount(5))));
    try {
      await().atMost(PATIENCE).until(() -> silentSeconds() > 1);
    } finally {
      goesOn.countDown();
    }
    assertThat(get(held).refusal()).isEmpty();
    await().atMost(PATIENCE).until(() -> silentSeconds() < 1);
  }

  private double silentSeconds() {
    return running.metrics().get("sequitur_schedule_answer_seconds");
  }

  private record Holding(CountDownLatch goesOn) implements ProcessingPolicy<JournalOperation> {
    @Override
    public ProcessingResult tryProcess(String stream, JournalOperation operation) {
      if (operation instanceof WriteEvents && stream.startsWith("schedule-queue|")) {
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return ProcessingSuccess.getInstance();
    }
  }

  /** On a full disk each call is one, and all of them are somebody's. */
  @Test
  void whatFailsAgainAndAgainIsOneLine() {
    var lines = new ConcurrentLinkedQueue<String>();
    var logger = (Logger) LoggerFactory.getLogger("dev.sequitur.scheduler.actor.QueueActor");
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
              lines.add(event.getFormattedMessage());
            }
          }
        };
    appender.start();
    logger.addAppender(appender);
    try {
      for (int i = 0; i < 3; i++) {
        var gift = "gift " + i;
        assertThat(again(() -> fund("before " + gift)).refusal()).isEmpty();
        journal.failNextPersisted("schedule-queue|" + QUEUE);
        assertThatThrownBy(() -> fund(gift))
            .hasRootCauseInstanceOf(SchedulerUnavailableException.class);
      }
      assertThat(again(() -> fund("after")).refusal()).isEmpty();
    } finally {
      logger.detachAppender(appender);
    }

    assertThat(lines).singleElement().asString().contains("Writing failed: the queue");
  }

  @Test
  void whoeverAsksAgainAtOnceIsToldToWaitAMomentAndNotLeftWithoutAnAnswer() {
    assertThat(fund("before").refusal()).isEmpty();
    Throwable told = null;
    for (int attempt = 1; told == null; attempt++) {
      journal.failNextPersisted("schedule-queue|" + QUEUE);
      var gift = "gift " + attempt;

      var askedAtOnce =
          submit(gift)
              .handle((answer, failure) -> running.node().available(QUEUE, ALICE))
              .thenCompose(asked -> asked);

      // Where a busy machine asks later than at once, it is answered: then once more.
      told = catchThrowable(() -> get(askedAtOnce));
    }
    assertThat(told)
        .hasRootCauseInstanceOf(SchedulerUnavailableException.class)
        .hasStackTraceContaining("send it again in a moment");
    assertThat(again(() -> get(running.node().available(QUEUE, ALICE)))).isEqualTo(new Amount(5));
  }

  @Test
  void whatWasDecidedAheadOfAFailedWriteIsHeardByNobodyAndRunsOnce() {
    get(running.node().submit(QUEUE, new Command("rich", OPERATOR, fund(100L * SCHEDULES))));
    var heard = new ConcurrentLinkedQueue<Integer>();
    running
        .node()
        .subscribe(QUEUE, (queue, notices) -> notices.forEach(each -> note(each.notice(), heard)));
    // It stands still meanwhile: all of them are to be taken before any is due.
    var now = Instant.now();
    clock = InstantSource.fixed(now);
    var due = now.plusSeconds(10);
    var commands =
        IntStream.range(0, SCHEDULES)
            .mapToObj(number -> notification(number, due.toEpochMilli()))
            .toList();
    assertThat(get(running.node().submit(QUEUE, commands)))
        .allSatisfy(answer -> assertThat(answer.refusal()).isEmpty());

    // One of the blocks that serve them, while the next one is decided.
    journal.withPolicy(new FailingOnce(SCHEDULES / A_BLOCK / 2));
    clock = InstantSource.offset(InstantSource.system(), Duration.between(Instant.now(), due));

    await().atMost(PATIENCE).until(() -> heard.size() >= SCHEDULES);
    assertThat(again(() -> get(running.node().audit(QUEUE)).isConserved())).isTrue();
    assertThat(again(() -> get(running.node().outcomes(QUEUE, OutcomeQuery.from(0, 1)))).outcomes())
        .hasSize(1);
    // The first number is that of the owner's money.
    int end = 1 + SCHEDULES;
    assertThat(again(() -> get(running.node().outcomes(QUEUE, OutcomeQuery.from(end, 1)))).next())
        .isEqualTo(end);
    assertThat(heard)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, SCHEDULES).boxed().toList());
  }

  private static Command notification(int number, long due) {
    var message = Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    var terms = new GasPriorityTerms(due, 100, 1);
    var propose = new Operation.Propose(Proposal.of(ALICE, terms, new Target.Notify(message)));
    return new Command("schedule-" + number, ALICE, propose);
  }

  private static void note(Notice notice, Collection<Integer> heard) {
    if (notice instanceof Notice.Notified notified) {
      heard.add(ByteBuffer.wrap(notified.message().toByteArray()).getInt());
    }
  }

  /** Fails one write of the queue after so many. */
  private static final class FailingOnce implements ProcessingPolicy<JournalOperation> {
    private final AtomicInteger left;

    private FailingOnce(int after) {
      left = new AtomicInteger(after);
    }

    @Override
    public ProcessingResult tryProcess(String stream, JournalOperation operation) {
      boolean fails =
          operation instanceof WriteEvents
              && stream.startsWith("schedule-queue|")
              && left.decrementAndGet() == 0;
      return fails
          ? new StorageFailure(new IOException("The disk is gone."))
          : ProcessingSuccess.getInstance();
    }
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
    return running.node().submit(QUEUE, new Command(command, OPERATOR, fund(5)));
  }

  private static Operation fund(long units) {
    return new Operation.Fund(ALICE, new Amount(units));
  }
}
