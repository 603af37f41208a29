package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** By their numbers, whoever was away misses no outcome that is remembered. */
class OutcomesTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private static final Proposal ALICES = task("a", PAY, 1);

  private final QueueUnderTest queue = queue();

  /** Number 0 is alice's money, which a statement tells of. */
  private static QueueUnderTest queue() {
    var queue =
        new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(RecurringSettings.DEFAULT)));
    queue.fund(ALICE, 1_000);
    return queue;
  }

  @Test
  void outcomesOfAllSchedulesAreNumberedInTheOrderInWhichTheyCameAbout() {
    var first = queue.insert(task("first", PAY, 1, 3));
    var second = queue.insert(task("second", PAY, 2, 9));
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);
    queue.blockAt(3 * HOUR);
    queue.accepted(ALICE, new Operation.Cancel(second));

    var all = outcomes(0, 100);

    assertThat(schedules(all)).containsExactly(first, second, first, second);
    assertThat(all.outcomes().stream().map(Outcomes.Numbered::number))
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(all.outcomes().get(3).recorded().outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(all.outcomes()).allMatch(each -> each.recorded().about().equals(Subject.of(ALICES)));
    assertThat(all.next()).isEqualTo(5);
    assertThat(all.forgotten()).isFalse();
  }

  /** All of it is gone from the queue with the schedule's end. */
  @Test
  void anOutcomeKeepsWhatItWasAboutWhenItWasWantedAndHowItWasTried() {
    var rent = task("rent", PAY, 1, 3);
    var id = queue.insert(rent);
    queue.blockAt(HOUR + 5);
    queue.accepted(ALICE, new Operation.Cancel(id));

    var ran = queue.state.history().of(id).get(0);
    assertThat(ran.proposal()).isEqualTo(rent);
    assertThat(ran.asked()).contains(ConsensusTime.ofMillis(HOUR));
    assertThat(ran.attempts()).containsExactly(new Attempted(ConsensusTime.ofMillis(HOUR + 5), ""));
    var cancelled = queue.state.history().of(id).get(1);
    assertThat(cancelled.asked()).contains(ConsensusTime.ofMillis(3 * HOUR));
    assertThat(cancelled.attempts()).isEmpty();
  }

  @Test
  void whoeverGoesOnFromTheNextNumberHearsOfEachOnceAlsoAcrossARestart() {
    queue.insert(task("a", PAY, 1, 2, 3, 4, 5));
    var heard = new ArrayList<Outcomes.Numbered>();
    long next = 0;
    for (int slot = 1; slot <= 5; slot++) {
      queue.blockAt(slot * HOUR);
      if (slot % 2 == 0) {
        queue.recover();
      } else {
        var page = outcomes(next, 1);
        heard.addAll(page.outcomes());
        next = page.next();
      }
    }
    heard.addAll(outcomes(next, 100).outcomes());

    assertThat(heard.stream().map(Outcomes.Numbered::number)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(outcomes(6, 100).outcomes()).isEmpty();
    assertThat(outcomes(6, 100).next()).isEqualTo(6);
  }

  @Test
  void whatIsForgottenIsToldAsThat() {
    var id = queue.insert(task("a", PAY, 1));
    var history = History.EMPTY;
    assertThat(history.from(0, 9, any -> true)).isEqualTo(new Outcomes(List.of(), false, 0));
    for (int i = 0; i < 5; i++) {
      var key = queue.state.entries().schedules().get(id).firstAttempt();
      var at = new ConsensusTime(i);
      var recorded =
          new History.Recorded(
              key,
              1,
              Outcome.RUN,
              at,
              "",
              Cost.NONE,
              Optional.empty(),
              Optional.empty(),
              ALICES,
              Optional.empty(),
              List.of(),
              Amount.ZERO);
      history = history.plus(recorded, 3);
    }

    assertThat(history.from(1, 9, any -> true).forgotten()).isTrue();
    assertThat(history.from(1, 9, any -> true).outcomes().get(0).number()).isEqualTo(2);
    assertThat(history.from(2, 9, any -> true).forgotten()).isFalse();
    assertThat(history.from(2, 2, any -> true).next()).isEqualTo(4);
    assertThat(history.from(77, 2, any -> true)).isEqualTo(new Outcomes(List.of(), false, 5));
  }

  @Test
  void theNewestOutcomeOfEachScheduleIsFoundAmongThoseOfOthers() {
    var tasks = new ArrayList<ScheduleId>();
    for (int i = 0; i < 100; i++) {
      tasks.add(queue.insert(task("t" + i, PAY, 1, 2, 3)));
    }
    assertThat(queue.state.history().lastOf(tasks.get(0))).isEmpty();
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);
    var never = queue.insert(task("never", PAY, 9));

    assertThat(tasks)
        .allSatisfy(id -> assertThat(queue.state.history().lastOf(id)).isEqualTo(queue.outcome(id)))
        .allSatisfy(id -> assertThat(queue.outcome(id).orElseThrow().key().occurrence()).isOne());
    assertThat(queue.state.history().lastOf(never)).isEmpty();
  }

  /** Its numbers go on, and whoever asks for what is gone is told so, and asks the store. */
  @Test
  void whatItsStoreHasLeavesMemoryAndNothingElse() {
    var id = queue.insert(task("a", PAY, 1, 2, 3, 4, 5));
    for (int slot = 1; slot <= 3; slot++) {
      queue.blockAt(slot * HOUR);
    }
    var third = outcomes(3, 1).outcomes();

    queue.tell(new QueueInput.OutcomesStored(2));

    assertThat(outcomes(0, 9).forgotten()).isTrue();
    assertThat(outcomes(0, 9).outcomes()).isEqualTo(third);
    assertThat(outcomes(3, 9)).isEqualTo(new Outcomes(third, false, 4));
    assertThat(queue.state.history().of(id)).hasSize(1);
    queue.tell(new QueueInput.OutcomesStored(2));
    assertThat(queue.last.events()).as("it knows that").isEmpty();
    queue.recover();
    queue.tell(new QueueInput.OutcomesStored(3));
    assertThat(queue.state.history().records()).isEmpty();
    assertThat(outcomes(3, 9)).isEqualTo(new Outcomes(List.of(), true, 4));
    assertThat(outcomes(4, 9)).isEqualTo(new Outcomes(List.of(), false, 4));
    queue.blockAt(4 * HOUR);
    queue.recover();
    assertThat(outcomes(4, 9).outcomes()).extracting(Outcomes.Numbered::number).containsExactly(4L);
    assertThat(queue.state.history().of(id)).hasSize(1);
  }

  @Test
  void onlyThoseAreToldThatAreWantedAndTheNextPageGoesOnBehindThem() {
    queue.insert(task("a", PAY, 1, 2, 3));
    var other = queue.insert(task("b", PAY, 1, 2, 3));
    for (int slot = 1; slot <= 3; slot++) {
      queue.blockAt(slot * HOUR);
    }

    var page = queue.queue.outcomes(queue.state, 0, 2, each -> each.key().schedule().equals(other));

    assertThat(schedules(page)).containsExactly(other, other);
    assertThat(page.next()).isEqualTo(page.outcomes().getLast().number() + 1);
  }

  @Test
  void aLimitThatWasLoweredSinceStillKeepsThemFromGrowing() {
    var history = History.EMPTY;
    for (int number = 0; number < 3; number++) {
      history = history.plus(outcome(number), 3);
    }

    for (int number = 3; number < 20; number++) {
      history = history.plus(outcome(number), 2);
    }

    assertThat(history.records()).hasSize(3);
    assertThat(history.from(0, 100, any -> true).outcomes().stream().map(Outcomes.Numbered::number))
        .containsExactly(17L, 18L, 19L);
  }

  @Test
  void twoHistoriesAreEqualIfTheirRecordsAreHoweverTheyWereIndexed() {
    var history = History.EMPTY;
    for (int number = 0; number < 5; number++) {
      history = history.plus(outcome(number), 3);
    }

    assertThat(history.reindexed()).isEqualTo(history).hasSameHashCodeAs(history);
    assertThat(history.plus(outcome(4), 3)).isNotEqualTo(history);
    assertThat(History.EMPTY.plus(outcome(1), 3)).isNotEqualTo(History.EMPTY.plus(outcome(2), 3));
  }

  /** A series of years has more than any answer is to have. */
  @Test
  void ofOneScheduleTheNewestThousandAreToldOldestFirst() {
    var id = outcome(7).key().schedule();
    var history = History.EMPTY;
    for (int occurrence = 1; occurrence <= 2_500; occurrence++) {
      history = history.plus(outcome(7, occurrence), 10_000).plus(outcome(8, 1), 10_000);
    }

    assertThat(history.of(id).stream().map(each -> each.key().occurrence()).toList())
        .isEqualTo(LongStream.rangeClosed(1_501, 2_500).boxed().toList());
    assertThat(history.lastOf(id).orElseThrow().key().occurrence()).isEqualTo(2_500);
  }

  /** Parked for want of money: no outcome says so, and whoever was away has to learn it. */
  @Test
  void whatAQueueTellsBesideOutcomesHasANumberBetweenThemAndKeepsItAcrossARestart() {
    queue.fund(BOB, 1);
    var terms =
        new SeriesTerms(Bytes.utf8("poor"), new Cadence.Every(HOUR, HOUR), Optional.empty());
    var poor = Proposal.of(BOB, terms, new Target.Notify(Bytes.utf8("rent")));
    queue.accepted(BOB, new Operation.Propose(poor));
    var rich = queue.insert(task("rich", PAY, 2, 3));
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);
    queue.recover();

    var all = queue.queue.happenings(queue.state, 0, 100);

    assertThat(all.happenings()).extracting(Happenings.Numbered::number).isSorted();
    assertThat(all.happenings())
        .filteredOn(each -> each.happened() instanceof History.Told)
        .singleElement()
        .satisfies(
            each -> {
              var told = (History.Told) each.happened();
              assertThat(told.notice()).isInstanceOf(QueueEffect.Notice.Parked.class);
              assertThat(told.whose()).contains(Subject.of(poor));
            });
    assertThat(schedules(outcomes(0, 100))).contains(rich);
    assertThat(all.next()).isEqualTo(outcomes(0, 100).next());
    var rest = queue.queue.happenings(queue.state, 1, 1);
    assertThat(rest.happenings()).isEqualTo(all.happenings().subList(1, 2));
    assertThat(rest.next()).isEqualTo(2);
  }

  @Test
  void whatIsToldTakesTheRoomOfTheOldestAndLeavesMemoryWithTheOutcomesAroundIt() {
    var told =
        new History.Told(
            ConsensusTime.ZERO,
            new QueueEffect.Notice.ShutdownComplete(FamilyKind.RECURRING),
            Optional.empty());
    var history = History.EMPTY.plus(outcome(0), 3).plus(told, 3).plus(outcome(2), 3);

    assertThat(history.happenings(0, 9).happenings())
        .extracting(Happenings.Numbered::happened)
        .containsExactly(outcome(0), told, outcome(2));
    assertThat(history.plus(told, 3).newest()).isEqualTo(outcome(2));
    assertThat(history.plus(told, 3).happenings(0, 9).forgotten()).isTrue();
    assertThat(history.plus(told, 3).oldest()).isOne();
    var fuller = history.plus(told, 3).plus(told, 3);
    assertThat(fuller.records()).hasSize(1);
    assertThat(fuller.told()).hasSize(2);
    assertThat(history.without(1).happenings(2, 9).happenings())
        .extracting(Happenings.Numbered::number)
        .containsExactly(2L);
    assertThat(history).isNotEqualTo(History.EMPTY.plus(outcome(0), 3).plus(outcome(2), 3));
  }

  @Test
  void whatIsForgottenIsNotFoundThoughItsIndexStillHasIt() {
    var history = History.EMPTY;
    for (int number = 0; number < 5; number++) {
      history = history.plus(outcome(number), 3);
    }

    for (int number = 0; number < 5; number++) {
      assertThat(history.lastOf(outcome(number).key().schedule()).isPresent())
          .as("%d", number)
          .isEqualTo(number >= 2);
    }
  }

  @Test
  void anotherScheduleWithTheSameFingerprintIsAnotherOne() {
    var one = outcome(new Hash(0, 0, 0, 1), 1);
    var other = outcome(new Hash(0, 0, 1, 0), 2);
    var history = History.EMPTY.plus(one, 9).plus(other, 9);

    assertThat(history.of(one.key().schedule())).containsExactly(one);
    assertThat(history.of(other.key().schedule())).containsExactly(other);
  }

  private static History.Recorded outcome(int number) {
    return outcome(number, 1);
  }

  private static History.Recorded outcome(int number, long occurrence) {
    return outcome(new Hash(0, 0, 0, number), occurrence);
  }

  private static History.Recorded outcome(Hash hash, long occurrence) {
    var id = new ScheduleId(FamilyKind.RECURRING, hash);
    return new History.Recorded(
        new OccurrenceKey(id, 1, occurrence, 1),
        1,
        Outcome.RUN,
        ConsensusTime.ZERO,
        "",
        Cost.NONE,
        Optional.empty(),
        Optional.empty(),
        ALICES,
        Optional.empty(),
        List.of(),
        Amount.ZERO);
  }

  private Outcomes outcomes(long from, int atMost) {
    return queue.queue.outcomes(queue.state, from, atMost, any -> true);
  }

  private static List<ScheduleId> schedules(Outcomes outcomes) {
    return outcomes.outcomes().stream().map(each -> each.recorded().key().schedule()).toList();
  }
}
