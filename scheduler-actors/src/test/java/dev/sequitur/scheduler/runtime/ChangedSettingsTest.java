package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator starts a node again with a setting by which its queues have counted. */
class ChangedSettingsTest {
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final AccountId ALICE = new AccountId("alice");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  void aQueueThatHoldsTasksDoesNotStartWithAnotherSlotAndNothingOfItIsLost() {
    try (var running = start(Duration.ofHours(1))) {
      submit(running, "fund", OPERATOR, new Operation.Fund(ALICE, new Amount(10)));
      submit(running, "task", ALICE, new Operation.Propose(tomorrow()));
    }

    try (var running = start(Duration.ofMinutes(30))) {
      // A machine that is busy may take longer to say so than an answer may take.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> get(running.node().available(QUEUE, ALICE)))
                      .hasRootCauseInstanceOf(SchedulerUnavailableException.class)
                      .hasStackTraceContaining("set scheduler.recurring.slot as it was"));
    }

    try (var running = start(Duration.ofHours(1))) {
      assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(9));
      assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
    }
  }

  private TestScheduler start(Duration slot) {
    var settings = new RecurringSettings(slot, Duration.ofDays(180), 24, 9, 9, 1, 10_240, false);
    return TestScheduler.start(
        directory,
        QueueSetup.of(OPERATOR, new Recurring(settings)),
        SchedulerSettings.DEFAULT,
        new ScriptedCalls());
  }

  private static void submit(
      TestScheduler running, String id, AccountId signer, Operation operation) {
    var answer = get(running.node().submit(QUEUE, new Command(id, signer, operation)));
    assertThat(answer.refusal()).isEmpty();
  }

  private static Proposal tomorrow() {
    var time = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.DAYS);
    var terms = new RecurringTerms(Bytes.utf8("rent"), List.of(time.toEpochMilli()));
    return Proposal.of(ALICE, terms, new Target.Transfer(new AccountId("bob"), new Amount(1)));
  }
}
