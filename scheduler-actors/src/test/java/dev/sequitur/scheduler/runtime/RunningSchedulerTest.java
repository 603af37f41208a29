package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.ALICE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.QUEUE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.propose;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Queues of a node, and what their owner sees of them. */
@Execution(ExecutionMode.CONCURRENT)
class RunningSchedulerTest {
  private static final AccountId BOB = new AccountId("bob");
  private static final String REFUSED = "sequitur_schedule_commands_total{outcome=\"refused\"}";

  @AutoClose private final RestartableScheduler scheduler;

  RunningSchedulerTest(@TempDir Path directory) {
    scheduler = new RestartableScheduler(directory);
  }

  @Test
  void aScheduleRunsAtItsTimeAndItsListenersAndItsHistoryKnow() {
    scheduler.startFunded();
    Queue<Notice> heard = new ConcurrentLinkedQueue<>();
    scheduler
        .node()
        .subscribe(QUEUE, (queue, notices) -> notices.forEach(told -> heard.add(told.notice())));
    // The hub is told first, and tells nothing of what was before.
    get(scheduler.node().overview(QUEUE));
    var id = scheduler.scheduledSoon(new Target.Transfer(BOB, new Amount(250)));

    scheduler.awaitOutcome(id, Outcome.RUN);

    assertThat(get(scheduler.node().available(QUEUE, BOB))).isEqualTo(new Amount(250));
    assertThat(get(scheduler.node().audit(QUEUE)).isConserved()).isTrue();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                heard.stream()
                    .anyMatch(
                        notice ->
                            notice instanceof Notice.Ended end
                                && end.recorded().key().schedule().equals(id)));
  }

  /** Those that come during a write are stored with the next (SCH-1). */
  @Test
  void manyCommandsAtOnceAreAnsweredEachForItself() {
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 500; i++) {
      commands.add(propose("c" + i, at.plusMillis(10L * i), new Target.Notify(Bytes.EMPTY)));
    }
    commands.add(propose("too late", Instant.EPOCH, new Target.Notify(Bytes.EMPTY)));

    var answers = get(scheduler.node().submit(QUEUE, commands));

    assertThat(answers).hasSize(501);
    assertThat(answers.subList(0, 500)).allMatch(answer -> answer.schedule().isPresent());
    assertThat(answers.get(500).refusal().orElseThrow().code())
        .isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
    var first = get(scheduler.node().schedules(QUEUE, ScheduleQuery.first(300)));
    var rest =
        get(
            scheduler
                .node()
                .schedules(
                    QUEUE,
                    new ScheduleQuery(
                        Optional.of(FamilyKind.GAS_PRIORITY),
                        Optional.of(ALICE),
                        Optional.of(ScheduleState.WAITING),
                        first.next(),
                        300)));
    assertThat(first.schedules()).hasSize(300);
    assertThat(rest.schedules()).hasSize(200);
    assertThat(rest.next()).isEmpty();
    var forecast = get(scheduler.node().forecast(QUEUE, FamilyKind.GAS_PRIORITY, at)).orElseThrow();
    assertThat(forecast.taken()).isEqualTo(1);
  }

  /** Akka's timers do not reach that far. */
  @Test
  void aQueueWhoseFirstScheduleIsYearsAwayIsServedMeanwhile() {
    scheduler.startFunded();
    var id =
        scheduler.scheduled(
            Instant.now().plus(Duration.ofDays(1_000)), new Target.Notify(Bytes.EMPTY));

    for (int i = 0; i < 3; i++) {
      var at = Instant.now().plus(Duration.ofDays(2_000 + i));
      var command = propose("further" + i, at, new Target.Notify(Bytes.EMPTY));
      assertThat(get(scheduler.node().submit(QUEUE, command)).refusal()).isEmpty();
    }

    var cancel = new Command("cancel", ALICE, new Operation.Cancel(id));
    assertThat(get(scheduler.node().submit(QUEUE, List.of(cancel))).get(0).refusal()).isEmpty();
  }

  /** Nothing is unbounded (SCH-10). */
  @Test
  void whatIsMoreThanAQueueTakesIsRefusedAsBusy() {
    scheduler.use(SchedulerSettings.DEFAULT.withWaitingCommands(10));
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 11; i++) {
      commands.add(propose("c" + i, at.plusMillis(10L * i), new Target.Notify(Bytes.EMPTY)));
    }

    var answers = get(scheduler.node().submit(QUEUE, commands));

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.BUSY));
    assertThat(get(scheduler.node().overview(QUEUE)).schedules()).isZero();
  }

  @Test
  void anOperatorSeesWhatWaitsHowLateItIsAndWhatHasEnded() {
    scheduler.startFunded();
    scheduler.scheduled(
        Instant.now().plusSeconds(3_600), new Target.Notify(Bytes.utf8("much later")));
    var id = scheduler.scheduledSoon(new Target.Transfer(BOB, new Amount(1)));
    scheduler.awaitOutcome(id, Outcome.RUN);
    double refused = scheduler.metrics().get(REFUSED);
    var unknown = new Operation.Cancel(new ScheduleId(id.family(), new Hash(0, 0, 0, 1)));
    get(scheduler.node().submit(QUEUE, new Command("cancel", ALICE, unknown)));

    assertThat(scheduler.metrics())
        .containsEntry("sequitur_schedule_queues", 1.0)
        .containsEntry("sequitur_schedule_executing", 0.0)
        .containsEntry("sequitur_schedule_overdue_seconds", 0.0)
        .containsEntry("sequitur_schedule_commands_total{outcome=\"taken\"}", 3.0)
        .containsEntry(REFUSED, refused + 1)
        .containsEntry(outcomes("run"), 1.0)
        .containsEntry(outcomes("failed"), 0.0)
        .containsEntry("sequitur_schedule_waiting{family=\"recurring\"}", 0.0);
    // What has run leaves the queue with the next block.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scheduler.metrics())
                    .containsEntry("sequitur_schedule_open", 1.0)
                    .containsEntry("sequitur_schedule_waiting{family=\"gas_priority\"}", 1.0));
  }

  private static String outcomes(String outcome) {
    return "sequitur_schedule_outcomes_total{family=\"gas_priority\",outcome=\"%s\"}"
        .formatted(outcome);
  }
}
