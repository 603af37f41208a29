package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.BlockClock;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.SchedulerSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When blocks are cut, as {@link QueueActor} has them cut, by clocks that a test sets. */
class BlockClockTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration THREE_DAYS = Duration.ofDays(3);
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");

  private final SetClock clock = new SetClock(NOON);
  private final NodeClocks clocks = new NodeClocks(clock, clock::nanos);
  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT)));
  private final QueueServices services =
      new QueueServices(
          rules,
          SchedulerSettings.DEFAULT,
          clocks,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          new QueueFigures(new PrometheusRegistry(), rules, () -> WallTime.of(Instant.EPOCH)),
          null);
  private final BlockClock blocks =
      new BlockClock(rules, SchedulerSettings.DEFAULT.blockInterval(), services::now, this::wakeIn);
  private QueueState state = QueueState.initial();
  private long wakeAt = Long.MAX_VALUE;
  private boolean othersTell;
  private int cut;

  private void wakeIn(Duration delay) {
    wakeAt = clock.nanos() + delay.toNanos();
  }

  private List<QueueEffect> decide(QueueInput input) {
    var decision = rules.decide(state, input, services.wall());
    state = decision.state();
    blocks.plan(state);
    return decision.effects();
  }

  private void cutWhatIsDue() {
    int before = cut;
    while (blocks.take()) {
      cut++;
      assertThat(cut - before).as("blocks without a pause").isLessThan(10);
      decide(new QueueInput.CutBlock());
    }
  }

  /** So much time goes on, and the others' clocks with it. */
  private void pass(Duration time) {
    long end = clock.nanos() + time.toNanos();
    cutWhatIsDue();
    while (wakeAt <= end) {
      passUntil(wakeAt);
      wakeAt = Long.MAX_VALUE;
      blocks.due();
      cutWhatIsDue();
    }
    passUntil(end);
  }

  private void passUntil(long nanos) {
    clock.pass(Duration.ofNanos(nanos - clock.nanos()));
    if (othersTell) {
      othersTellTheRightTime();
    }
  }

  private void othersTellTheRightTime() {
    othersTell = true;
    clocks.hear(new ClockReading("b", NOON.plusNanos(clock.nanos() - SetClock.BEGIN)));
  }

  private ScheduleId scheduledFor(Instant time) {
    return scheduledFor(time, 1);
  }

  private ScheduleId scheduledFor(Instant time, long price) {
    decide(new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(100 * price))));
    var terms = new GasPriorityTerms(time.toEpochMilli(), 100, price);
    var proposal = Proposal.of(ALICE, terms, new Target.Notify(Bytes.utf8("now")));
    var effects = decide(new Command("propose", ALICE, new Operation.Propose(proposal)));
    return effects.stream()
        .filter(QueueEffect.Answer.class::isInstance)
        .map(effect -> ((QueueEffect.Answer) effect).schedule().orElseThrow())
        .findFirst()
        .orElseThrow();
  }

  private boolean hasRun(ScheduleId schedule) {
    return !rules.explain(state, schedule, services.wall()).history().isEmpty();
  }

  @Test
  void aClockThatHasRunAwayCutsNoEmptyBlocksInARow() {
    othersTellTheRightTime();
    var schedule = scheduledFor(NOON.plus(Duration.ofHours(1)));
    clock.set(NOON.plus(THREE_DAYS));

    pass(Duration.ofMinutes(10));

    assertThat(hasRun(schedule)).isFalse();
    assertThat(cut).as("one a minute, and one at the beginning").isLessThan(15);
  }

  @Test
  void whatIsScheduledWhileTheClockHasRunAwayRunsByTheOthersTime() {
    othersTellTheRightTime();
    pass(Duration.ZERO);
    clock.set(NOON.plus(THREE_DAYS));
    var schedule = scheduledFor(NOON.plusSeconds(300));

    pass(Duration.ofSeconds(289));
    assertThat(hasRun(schedule)).isFalse();

    pass(Duration.ofSeconds(2));
    assertThat(hasRun(schedule)).as("by their time and max-clock-ahead").isTrue();
  }

  /** Blocks that found nothing to do were cut by a time that is yet to come. */
  @Test
  void whatBecomesDueAfterTheClockWasFoundOutRunsInTime() {
    clock.set(NOON.plus(THREE_DAYS));
    pass(Duration.ofSeconds(1));
    othersTellTheRightTime();
    var schedule = scheduledFor(NOON.plusSeconds(30));

    pass(Duration.ofSeconds(29));

    assertThat(hasRun(schedule)).isTrue();
  }

  @Test
  void aloneAClockThatIsSetAheadIsFollowed() {
    var schedule = scheduledFor(NOON.plus(Duration.ofHours(1)));
    clock.set(NOON.plus(THREE_DAYS));

    pass(Duration.ofMinutes(1));

    assertThat(hasRun(schedule)).isTrue();
  }

  /** Slots, windows and limits of lateness may be over in a minute. */
  @Test
  void whatIsDueAfterAJumpOfTheClockRunsWithinASecondOfIt() {
    var schedule = scheduledFor(NOON.plus(Duration.ofHours(1)));
    pass(Duration.ofSeconds(10));
    cut = 0;
    clock.set(NOON.plus(Duration.ofHours(1)).plusSeconds(5));

    pass(Duration.ofSeconds(1));

    assertThat(hasRun(schedule)).isTrue();
    assertThat(cut).as("without empty blocks").isEqualTo(1);
  }

  @Test
  void whileNothingIsDueNoBlocksAreCut() {
    scheduledFor(NOON.plus(Duration.ofHours(1)));
    pass(Duration.ofSeconds(1));
    cut = 0;

    pass(Duration.ofMinutes(50));

    assertThat(cut).isZero();
  }

  /** A queue's own time never goes back: it stands still until the wall's has come to it. */
  @Test
  void aClockThatWasSetBackIsWaitedForWithoutEmptyBlocks() {
    pass(Duration.ofSeconds(1));
    var schedule = scheduledFor(NOON.plusMillis(1_200));
    clock.set(NOON.minus(Duration.ofHours(1)));
    cut = 0;

    pass(Duration.ofMinutes(10));

    assertThat(hasRun(schedule)).isFalse();
    assertThat(cut).as("one a minute").isLessThan(15);
    pass(Duration.ofMinutes(50).plusMillis(1_300));
    assertThat(hasRun(schedule)).as("when the clock shows its time again").isTrue();
  }

  @Test
  void whatABlockLeavesKeepsItsPaceWhileTheClockIsBehindTheQueues() {
    int perBlock = GasPrioritySettings.DEFAULT.getReadyTransactionsLimit();
    ScheduleId last = null;
    for (int price = 20 * perBlock; price > 0; price--) {
      last = scheduledFor(NOON.plusMillis(200), price);
    }
    clock.pass(Duration.ofSeconds(1));
    decide(new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(1))));
    clock.set(NOON.minus(Duration.ofHours(1)));
    cut = 0;

    pass(SchedulerSettings.DEFAULT.blockInterval().multipliedBy(10));
    assertThat(hasRun(last)).isFalse();
    assertThat(cut).as("one in each interval").isBetween(10, 12);

    pass(SchedulerSettings.DEFAULT.blockInterval().multipliedBy(12));
    assertThat(hasRun(last)).isTrue();
  }
}
