package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Intervention.Kind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.CalendarPage.Planned;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is to run, and what would come of a command, is what happens then. A slot of an hour takes
 * nine and a time costs 3; a tick has 100 ms and its block runs 2.
 */
class ComingTest {
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 9, 9, 3, 64, false);
  private static final GasPrioritySettings TICKS = new GasPrioritySettings(100, 2, 3, 2, 1, 64);
  private static final long HOUR = SLOTS.slot().toMillis();
  private static final long MONEY = 100_000;
  private static final Target.Transfer PAY = new Target.Transfer(BOB, new Amount(1));
  private static final ConsensusTime LATER = ConsensusTime.ofMillis(1_000 * HOUR);

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SLOTS), new GasPriority(TICKS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  @Test
  void aCalendarSaysWhatRunsThen() {
    queue.insert(series("walk", 1, 1, Optional.of(5L)));
    queue.insert(series("rent", 3, 2, Optional.empty()));
    queue.insert(task("bills", 2, 5, 6));
    queue.insert(repeat(2 * HOUR, HOUR, 2));
    queue.insert(pay(4 * HOUR));

    var said = new ArrayList<String>();
    for (var planned : calendar(0, 8 * HOUR, 1_000).planned()) {
      said.add(planned.at().millis() + " " + name(planned.schedule()));
    }
    var ran = new ArrayList<String>();
    for (long hour = 1; hour < 8; hour++) {
      queue.blockAt(hour * HOUR);
      for (var id : queue.startedInLastBlock()) {
        ran.add(hour * HOUR + " " + name(queue.outcome(id).orElseThrow().proposal()));
      }
      queue.block();
    }
    assertThat(said).hasSize(ran.size()).containsExactlyInAnyOrderElementsOf(ran);
  }

  @Test
  void itsPagesFollowEachOtherAndTellEachTimeOnce() {
    queue.insert(series("walk", 1, 1, Optional.empty()));
    queue.insert(task("bills", 2, 5, 6));
    queue.insert(pay(4 * HOUR));
    var all = calendar(0, 20 * HOUR, 1_000);
    assertThat(all.next()).isEmpty();
    assertThat(all.partial()).isFalse();
    assertThat(all.planned()).hasSize(19 + 3 + 1).isSortedAccordingTo(this::byTime);

    var paged = new ArrayList<Planned>();
    var next = Optional.of(ConsensusTime.ZERO);
    while (next.isPresent()) {
      var page =
          queue.queue.calendar(
              queue.state, next.get(), until(20 * HOUR), 4, Optional.empty(), any -> true);
      assertThat(page.planned()).hasSizeLessThanOrEqualTo(4);
      paged.addAll(page.planned());
      next = page.next();
    }
    assertThat(paged).isEqualTo(all.planned());
  }

  @Test
  void oneTimeWithMoreThanAPageTakesIsToldInPartAndPassed() {
    for (int i = 0; i < 5; i++) {
      queue.insert(pay(HOUR, 1 + i));
    }
    queue.insert(pay(2 * HOUR));
    var page = calendar(0, 3 * HOUR, 3);
    assertThat(page.planned()).hasSize(3);
    assertThat(page.partial()).isTrue();
    var rest =
        queue.queue.calendar(
            queue.state, page.next().get(), LATER, 3, Optional.empty(), any -> true);
    assertThat(rest.planned()).singleElement().extracting(Planned::at).isEqualTo(until(2 * HOUR));
  }

  @Test
  void whatIsWantedBehindManyOthersIsFoundPageByPage() {
    queue.insert(pay(10 * HOUR));
    queue.fund(BOB, MONEY);
    for (int i = 0; i < 100; i++) {
      queue.insert(
          Proposal.of(
              BOB,
              new GasPriorityTerms(HOUR + i * 100L, 10, 1),
              new Target.Transfer(ALICE, new Amount(1))));
    }
    var found = new ArrayList<Planned>();
    var next = Optional.of(ConsensusTime.ZERO);
    int pages = 0;
    while (next.isPresent()) {
      var page =
          new Calendar(
                  queue.queue.setup(),
                  queue.state,
                  next.get(),
                  LATER,
                  20,
                  Optional.empty(),
                  this::isAlices)
              .page(10);
      found.addAll(page.planned());
      next = page.next();
      assertThat(++pages).isLessThan(30);
    }
    assertThat(found).hasSize(1);
    assertThat(pages).isGreaterThan(3);
  }

  /** What of one owner is to come is one page, however many of others stand before it. */
  @Test
  void aShortListIsTakenAsAWholeInPlaceOfTheDueOrder() {
    queue.insert(pay(10 * HOUR));
    queue.insert(series("walk", 9, 1, Optional.empty()));
    queue.fund(BOB, MONEY);
    for (int i = 0; i < 100; i++) {
      queue.insert(
          Proposal.of(
              BOB,
              new GasPriorityTerms(HOUR + i * 100L, 10, 1),
              new Target.Transfer(ALICE, new Amount(1))));
    }
    var all = calendar(0, 12 * HOUR, 1_000);
    var page =
        new Calendar(
                queue.queue.setup(),
                queue.state,
                ConsensusTime.ZERO,
                until(12 * HOUR),
                20,
                listOf(ALICE),
                this::isAlices)
            .page(10);
    assertThat(page.partial()).isFalse();
    assertThat(page.next()).isEmpty();
    assertThat(page.planned())
        .hasSize(4)
        .isEqualTo(all.planned().stream().filter(planned -> isAlices(planned.schedule())).toList());

    assertThat(
            new Calendar(
                    queue.queue.setup(),
                    queue.state,
                    ConsensusTime.ZERO,
                    until(12 * HOUR),
                    20,
                    listOf(BOB),
                    each -> !isAlices(each))
                .page(5)
                .planned())
        .as("a list that is too long is not gone through")
        .hasSize(5);
  }

  @Test
  void whatIsPausedOrHasPassedIsNotToCome() {
    var walk = queue.insert(series("walk", 1, 1, Optional.of(3L)));
    assertThat(queue.queue.times(queue.state, walk, 2))
        .containsExactly(until(HOUR), until(2 * HOUR));
    assertThat(queue.queue.times(queue.state, walk, 9)).hasSize(3);
    queue.accepted(ALICE, new Operation.Intervene(walk, Kind.PAUSE, ""));
    assertThat(queue.queue.times(queue.state, walk, 9)).isEmpty();
    assertThat(calendar(0, 9 * HOUR, 9).planned()).isEmpty();
    queue.accepted(ALICE, new Operation.Intervene(walk, Kind.RESUME, ""));
    queue.blockAt(HOUR);
    assertThat(queue.queue.times(queue.state, walk, 9))
        .containsExactly(until(2 * HOUR), until(3 * HOUR));
    var first = queue.insert(repeat(2 * HOUR, HOUR, 2));
    queue.blockAt(2 * HOUR);
    assertThat(queue.queue.times(queue.state, first, 9))
        .as("by the id of its creation")
        .containsExactly(until(3 * HOUR), until(4 * HOUR));
  }

  @Test
  void aDryRunSaysWhatTheCommandDoesAndDoesNothing() {
    for (var proposal :
        List.of(
            pay(HOUR),
            repeat(2 * HOUR, HOUR, 4),
            task("bills", 2, 5),
            series("walk", 1, 1, Optional.of(12L)))) {
      var before = queue.state;
      var trial = tried(proposal);
      assertThat(queue.state).isSameAs(before);
      long balance = queue.balance(ALICE);
      var id = queue.insert(proposal);

      assertThat(trial.answer().schedule()).contains(id);
      assertThat(trial.available().units()).isEqualTo(queue.balance(ALICE));
      assertThat(trial.setAside().units()).isEqualTo(balance - queue.balance(ALICE)).isPositive();
      assertThat(trial.fee()).isEqualTo(Amount.ZERO);
      assertThat(trial.times()).isEqualTo(queue.queue.times(queue.state, id, Trial.TIMES));
      assertThat(trial.place().orElseThrow().taken()).isPositive();
      assertThat(trial.warning()).isEmpty();
    }
  }

  @Test
  void aDryRunIsRefusedAsTheCommandIsAndWarnsOfWhatWouldExpire() {
    assertThat(tried(pay(0)).answer().refusal().map(Refusal::code))
        .contains(Refusal.Code.TIME_NOT_IN_FUTURE);
    assertThat(tried(pay(HOUR, MONEY)).answer().refusal().map(Refusal::code))
        .contains(Refusal.Code.INSUFFICIENT_BALANCE);
    for (int i = 0; i < 20; i++) {
      queue.insert(pay(HOUR, 10 + i));
    }
    var trial = tried(pay(HOUR, 1));
    assertThat(trial.warning().orElseThrow()).contains("it will not be run");
    assertThat(trial.place().orElseThrow().unreached()).isPositive();
  }

  private Trial tried(Proposal proposal) {
    return queue.queue.tryOut(
        queue.state, new Command("try", ALICE, new Operation.Propose(proposal)), queue.wall());
  }

  private CalendarPage calendar(long fromMs, long untilMs, int atMost) {
    return queue.queue.calendar(
        queue.state,
        ConsensusTime.ofMillis(fromMs),
        until(untilMs),
        atMost,
        Optional.empty(),
        any -> true);
  }

  private Optional<Stream<ScheduleId>> listOf(AccountId owner) {
    return queue
        .state
        .entries()
        .lists()
        .list(Optional.of(owner), Optional.empty(), ScheduleId.FIRST);
  }

  private static ConsensusTime until(long ms) {
    return ConsensusTime.ofMillis(ms);
  }

  private int byTime(Planned one, Planned other) {
    return one.at().compareTo(other.at());
  }

  private boolean isAlices(Schedule schedule) {
    return schedule.proposal().owner().equals(ALICE);
  }

  private static String name(Schedule schedule) {
    return name(schedule.proposal());
  }

  private static String name(Proposal proposal) {
    return proposal.target() instanceof Target.Repeat
        ? "repeat"
        : proposal.terms() instanceof GasPriorityTerms ? "pay" : proposal.terms().toString();
  }

  private static Proposal pay(long atMs) {
    return pay(atMs, 1);
  }

  private static Proposal pay(long atMs, long price) {
    return Proposal.of(ALICE, new GasPriorityTerms(atMs, 10, price), PAY);
  }

  private static Proposal repeat(long atMs, long every, int more) {
    return Proposal.of(
        ALICE, new GasPriorityTerms(atMs, 200, 1), new Target.Repeat(PAY, every, more));
  }

  private static Proposal task(String name, long... slots) {
    var times = LongStream.of(slots).map(slot -> slot * HOUR).boxed().toList();
    return Proposal.of(ALICE, new RecurringTerms(Bytes.utf8(name), times), PAY);
  }

  private static Proposal series(String name, long first, long every, Optional<Long> runs) {
    return Proposal.of(
        ALICE,
        new SeriesTerms(Bytes.utf8(name), new Cadence.Every(first * HOUR, every * HOUR), runs),
        PAY);
  }
}
