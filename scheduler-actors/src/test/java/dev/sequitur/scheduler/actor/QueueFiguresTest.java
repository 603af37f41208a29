package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
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
}
