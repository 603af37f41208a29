package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.storage.QueueMemory;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueFiguresTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final String METRIC = "sequitur_schedule_clock_behind_seconds";
  private static final AccountId OPERATOR = new AccountId("operator");

  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT)));
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final AtomicReference<WallTime> wall = new AtomicReference<>(WallTime.of(NOON));
  private final QueueFigures figures = new QueueFigures(registry, rules, wall::get);

  /** One that did something at this time. */
  private QueueState queueAt(Instant time) {
    var fund = new Operation.Fund(new AccountId("alice"), new Amount(1));
    var command = new Command("fund", OPERATOR, fund);
    return rules.decide(QueueState.initial(), command, WallTime.of(time)).state();
  }

  @Test
  void queuesThatStandStillAfterTheClockWasSetBackAreToldUntilItHasComeToTheirTime() {
    figures.holds("a", queueAt(NOON), NOON);
    figures.holds("b", queueAt(NOON.plusSeconds(60)), NOON);
    figures.holds("c", queueAt(NOON.minusSeconds(7_200)), NOON);
    var back = WallTime.of(NOON.minusSeconds(3_600));

    wall.set(back);
    assertThat(Shown.in(registry)).containsEntry(METRIC, 3_660.0);
    assertThat(figures.trouble(rules, back).orElseThrow())
        .contains("stand still until it has come to their time: 2, the longest for another 3660 s");

    var near = WallTime.of(NOON.plusSeconds(59));
    wall.set(near);
    assertThat(Shown.in(registry)).containsEntry(METRIC, 0.0);
    assertThat(figures.trouble(rules, near)).isEmpty();
  }

  @Test
  void eachPartitionOfAQueueIsShownByItself() {
    var operation = new Operation.Divide(new Partition(0, 3));
    var first =
        rules
            .decide(
                QueueState.initial(), new Command("divide", OPERATOR, operation), WallTime.of(NOON))
            .state();
    figures.holds("orders", first, NOON);
    figures.holds("alone", queueAt(NOON), NOON);
    assertThat(Shown.in(registry))
        .containsEntry("sequitur_schedule_partition_open{partition=\"orders/0\"}", 0.0)
        .containsEntry("sequitur_schedule_partition_overdue_seconds{partition=\"orders/0\"}", 0.0)
        .doesNotContainKey("sequitur_schedule_partition_open{partition=\"alone\"}");
  }

  @Test
  void aPartitionThatIsLateIsNamed() {
    var owner =
        IntStream.iterate(0, number -> number + 1)
            .mapToObj(number -> new AccountId("owner-" + number))
            .filter(account -> Partition.home(account, 3) == 1)
            .findFirst()
            .orElseThrow();
    var terms = new GasPriorityTerms(NOON.plusSeconds(10).toEpochMilli(), 100, 1);
    var say = Proposal.of(owner, terms, new Target.Notify(Bytes.utf8("late")));
    var state = QueueState.initial();
    for (var command :
        List.of(
            new Command("divide", OPERATOR, new Operation.Divide(new Partition(1, 3))),
            new Command("fund", OPERATOR, new Operation.Fund(owner, new Amount(1_000))),
            new Command("say", owner, new Operation.Propose(say)))) {
      state = rules.decide(state, command, WallTime.of(NOON)).state();
    }
    assertThat(state.entries().schedules()).hasSize(1);
    figures.holds("orders/1", state, NOON);
    wall.set(WallTime.of(NOON.plusSeconds(60)));
    assertThat(figures.remarks()).isEmpty();

    wall.set(WallTime.of(NOON.plusSeconds(100)));
    assertThat(figures.remarks())
        .singleElement()
        .asString()
        .contains("Partitions of queues that are more than a minute late: orders/1 (90 s).");
  }

  /** Nobody else tells of it who does not listen. */
  @Test
  void whatWasNotRunOrFailedWithinTheLastHourIsRemarked() {
    assertThat(figures.remarks()).isEmpty();
    ends(Outcome.EXPIRED, 1_799);
    ends(Outcome.MISSED, 1);
    ends(Outcome.FAILED, 2);
    ends(Outcome.RUN, 5);

    assertThat(figures.remarks())
        .satisfiesExactly(
            passed -> assertThat(passed).contains("before they were run: 1800."),
            failed -> assertThat(failed).contains("failed: 2."));
    wall.set(WallTime.of(NOON.plusSeconds(3_600)));
    assertThat(figures.remarks()).isEmpty();
  }

  /** A burst ends thousands with one record. */
  @Test
  void theClockIsReadOnceForAllThatEndsWithOneRecord() {
    var reads = new AtomicInteger();
    var counting =
        new QueueFigures(
            new PrometheusRegistry(),
            rules,
            () -> {
              reads.incrementAndGet();
              return wall.get();
            });
    var told = Collections.<QueueEffect>nCopies(1_000, ended(Outcome.RUN, 1));
    counting.stored("a", new QueueMachine.Told.Stored(QueueMemory.EMPTY, told, 1_000));
    assertThat(reads).hasValue(1);
  }

  private void ends(Outcome outcome, long times) {
    figures.stored(
        "a", new QueueMachine.Told.Stored(QueueMemory.EMPTY, List.of(ended(outcome, times)), 1));
  }

  private static QueueEffect ended(Outcome outcome, long times) {
    var owner = new AccountId("alice");
    var say = new Target.Notify(Bytes.utf8("late"));
    var recorded =
        new History.Recorded(
            new OccurrenceKey(
                new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, 1)), 1, 0, 1),
            times,
            outcome,
            ConsensusTime.of(NOON),
            "",
            Cost.NONE,
            Optional.empty(),
            Optional.empty(),
            Proposal.of(owner, new GasPriorityTerms(0, 100, 1), say),
            Optional.empty(),
            List.of(),
            Amount.ZERO);
    return new QueueEffect.Publish(new QueueEffect.Notice.Ended(recorded), Optional.empty());
  }
}
