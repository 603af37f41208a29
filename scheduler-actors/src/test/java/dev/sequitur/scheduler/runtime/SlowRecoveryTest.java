package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import akka.persistence.testkit.JournalOperation;
import akka.persistence.testkit.PersistenceTestKitPlugin;
import akka.persistence.testkit.ProcessingPolicy;
import akka.persistence.testkit.ProcessingResult;
import akka.persistence.testkit.ProcessingSuccess;
import akka.persistence.testkit.ReadSeqNum;
import akka.persistence.testkit.javadsl.PersistenceTestKit;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sequitur.persistence.store.CommandStore;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What else goes on while a queue's journal is read, which takes long after a crash. */
class SlowRecoveryTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final AccountId ALICE = new AccountId("alice");

  /** That nobody has named before. */
  private static final QueueName QUEUE = new QueueName("slow");

  @TempDir private Path directory;

  @Test
  void whatIsForgottenMeanwhileIsNoFailure() {
    var forgets = new AtomicInteger();
    var goesOn = new CountDownLatch(1);
    var errors = new ConcurrentLinkedQueue<String>();
    var appender = errorsInto(errors);
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    try (var running = start(forgets)) {
      var held = new CountDownLatch(1);
      PersistenceTestKit.create(running.system()).withPolicy(new HoldingReads(held, goesOn));
      var fund = new Operation.Fund(ALICE, new Amount(5));
      var answer = running.node().submit(QUEUE, new Command("fund", OPERATOR, fund));
      try {
        await().atMost(PATIENCE).until(() -> held.getCount() == 0);
        // The second begins when the first has ended.
        await().atMost(PATIENCE).until(() -> forgets.get() > 1);
      } finally {
        goesOn.countDown();
      }
      var failure = catchThrowable(() -> get(answer));
      if (failure != null) {
        // On a slow machine it was not awaited for so long.
        assertThat(failure).hasStackTraceContaining("SchedulerUnavailableException");
        assertThat(failure.getCause()).asString().doesNotContain("interrupted");
      }
      await().atMost(PATIENCE).until(() -> isFunded(running));
    } finally {
      root.detachAppender(appender);
    }
    assertThat(errors).isEmpty();
  }

  private static boolean isFunded(TestScheduler running) {
    try {
      return get(running.node().available(QUEUE, ALICE)).equals(new Amount(5));
    } catch (IllegalStateException e) {
      return false; // It is asked again.
    }
  }

  private TestScheduler start(AtomicInteger forgets) {
    var families =
        QueueSetup.of(
            OPERATOR, new GasPriority(new GasPrioritySettings(10, 100, 100, 100, 1, 10_240)));
    return TestScheduler.start(
        directory,
        families,
        SchedulerSettings.DEFAULT.withIdleAfter(Duration.ofMillis(100)),
        new ScriptedCalls(),
        PersistenceTestKitPlugin.config(),
        InstantSource.system(),
        stores ->
            new QueueStores(
                stores.cells(), stores.bodies(), new OneToForget(forgets), stores.outcomes()));
  }

  private static AppenderBase<ILoggingEvent> errorsInto(Collection<String> errors) {
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            var thrown = event.getThrowableProxy();
            var text = event.getFormattedMessage() + (thrown == null ? "" : thrown.getMessage());
            // Others may log, too.
            if (event.getLevel().isGreaterOrEqual(Level.ERROR) && text.contains("QueueMemory")) {
              errors.add(text);
            }
          }
        };
    appender.start();
    return appender;
  }

  private record HoldingReads(CountDownLatch held, CountDownLatch goesOn)
      implements ProcessingPolicy<JournalOperation> {
    @Override
    public ProcessingResult tryProcess(String stream, JournalOperation operation) {
      boolean reads = ReadSeqNum.getInstance().equals(operation);
      if (reads && stream.equals("schedule-queue|" + QUEUE)) {
        held.countDown();
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return ProcessingSuccess.getInstance();
    }
  }

  /** Has one that was done long ago, and never forgets it. */
  private record OneToForget(AtomicInteger forgets) implements CommandStore {
    private static final Extent ONE = new Extent(0, 0);

    @Override
    public CompletionStage<Void> add(String queue, long upTo, Instant at, List<Done> commands) {
      return completedFuture(null);
    }

    @Override
    public CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids) {
      return completedFuture(Map.of());
    }

    @Override
    public CompletionStage<Extent> extent(String queue) {
      return completedFuture(ONE);
    }

    @Override
    public CompletionStage<Extent> forget(String queue, Instant before, int atMost) {
      forgets.incrementAndGet();
      return completedFuture(ONE);
    }
  }
}
