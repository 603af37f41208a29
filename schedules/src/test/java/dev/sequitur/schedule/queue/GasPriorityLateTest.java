package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two run in a block, and what is more than three ticks late expires, or runs all the same. */
class GasPriorityLateTest {
  private static final int BACKLOG = 20;
  private static final long TICK = 100;

  private final QueueUnderTest queue = AlicesProposals.newQueue();
  private long now = START_MS + 60_000;

  @Test
  void whatIsInItsTimeGoesBeforeWhatRunsLateWhateverThatOffers() {
    overdueBacklog();
    var inTime = queue.insert(pay(inMs(TICK), 1));

    now += TICK;
    var ready = ready();
    queue.blockAt(now);

    assertThat(queue.startedInLastBlock()).hasSize(2).first().isEqualTo(inTime);
    assertThat(queue.startedInLastBlock()).isEqualTo(ready);
  }

  /** With its first places the backlog of an outage would make everybody else expire in turn. */
  @Test
  void aBacklogThatRunsLateMakesNobodyExpire() {
    var backlog = overdueBacklog();
    var inTime = new ArrayList<ScheduleId>();
    for (int tick = 0; tick < 10; tick++) {
      inTime.add(queue.insert(pay(inMs(TICK), 1)));
      inTime.add(queue.insert(pay(inMs(TICK), 2)));
      now += TICK;
      queue.blockAt(now);
    }

    assertThat(outcomes(inTime)).containsOnly(Outcome.RUN);
    while (queue.state.entries().due().waiting(GAS_PRIORITY) > 0) {
      now += TICK;
      queue.blockAt(now);
    }
    assertThat(outcomes(backlog)).containsOnly(Outcome.RUN);
  }

  /** A block looks at two that are overdue: these are the price of running late. */
  @Test
  void whatExpiresBehindThemExpiresWhenTheyHaveRun() {
    var backlog = new ArrayList<ScheduleId>();
    for (int i = 0; i < 10; i++) {
      backlog.add(queue.insert(runAll(9 + i)));
    }
    var last = queue.insert(pay(200, 1));
    cutTicks(4);
    assertThat(queue.outcome(last)).isEmpty();

    cutTicks(2);

    assertThat(outcomes(backlog)).containsOnly(Outcome.RUN);
    assertThat(queue.outcome(last).orElseThrow().outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void whoeverIsLateIsToldForWhatRoomItWaits() {
    var last = overdueBacklog().get(BACKLOG - 1);

    assertThat(queue.queue.explain(queue.state, last, queue.wall()).sentence())
        .isEqualTo("It is late, and runs when those that are in their time leave room for it.");
  }

  /** Two run in a block, so that of five one is left after its own tick and the next. */
  @Test
  void aTickInWhichNothingOfAnEarlierOneWaitsDoesNotCountAsLate() {
    for (int i = 0; i < 5; i++) {
      queue.insert(pay(inMs(TICK), 1 + i));
    }

    cutTicks(1);
    assertThat(queue.last.events()).doesNotHaveAnyElementsOfTypes(QueueEvent.FamilyChanged.class);
    cutTicks(1);
    assertThat(queue.last.events()).hasAtLeastOneElementOfType(QueueEvent.FamilyChanged.class);
  }

  @Test
  void whoeverIsNotDueYetIsToldTheBeginOfItsTick() {
    var id = queue.insert(pay(inMs(250), 1));

    assertThat(queue.queue.explain(queue.state, id, queue.wall()).sentence())
        .isEqualTo("It is not due yet: it is due at 1970-01-01T00:17:40.200Z.");
  }

  @Test
  void allThatAreNotRunYetWait() {
    overdueBacklog();
    queue.insert(pay(inMs(TICK), 1));

    assertThat(queue.queue.waiting(queue.state, GAS_PRIORITY, queue.wall(), 1))
        .isEqualTo(queue.state.entries().due().waiting(GAS_PRIORITY))
        .isPositive();
  }

  /** All of one tick, offering more than others will, and not yet run. */
  private List<ScheduleId> overdueBacklog() {
    var backlog = new ArrayList<ScheduleId>();
    for (int i = 0; i < BACKLOG; i++) {
      backlog.add(queue.insert(runAll(100 - i)));
    }
    cutTicks(4);
    return backlog;
  }

  private void cutTicks(int number) {
    for (int i = 0; i < number; i++) {
      now += TICK;
      queue.blockAt(now);
    }
  }

  private List<ScheduleId> ready() {
    return queue
        .queue
        .ask(queue.state, new GasPriorityQuery.GetReadyTransactions(now), queue.wall())
        .transactions()
        .stream()
        .map(each -> each.schedule().id())
        .toList();
  }

  private long inMs(long fromNow) {
    return now + fromNow - START_MS;
  }

  private static Proposal runAll(long price) {
    var plain = pay(200, price);
    return new Proposal(
        ALICE, plain.terms(), plain.target(), new LatePolicy.RunAll(), RetryPolicy.NEVER);
  }

  private List<Outcome> outcomes(List<ScheduleId> ids) {
    return ids.stream().map(id -> queue.outcome(id).orElseThrow().outcome()).toList();
  }
}
