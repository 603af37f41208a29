package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringOperation.BackFill;
import dev.sequitur.schedule.recurring.RecurringOperation.SetDaysOff;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A queue that is one partition of several (SCH-28). */
class PartitioningTest {
  private static final Partition PLACE = new Partition(1, 4);
  private static final AccountId HERE = at(1);
  private static final AccountId THERE = at(2);

  /** A slot of an hour takes two, a time costs 3 and a block runs four; START is in slot 0. */
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 4, 3, 64, false);

  private static final long HOUR = SLOTS.slot().toMillis();

  private final QueueUnderTest queue =
      new QueueUnderTest(
          QueueSetup.of(
              OPERATOR,
              new Recurring(SLOTS),
              new GasPriority(new GasPrioritySettings(100, 2, 3, 2, 1, 64)),
              new PlanExecutions(PlanSettings.DEFAULT)));

  private static AccountId at(int partition) {
    return IntStream.range(0, 100)
        .mapToObj(number -> new AccountId("account-" + number))
        .filter(account -> Partition.home(account, 4) == partition)
        .findFirst()
        .orElseThrow();
  }

  private void divide() {
    queue.accepted(OPERATOR, new Operation.Divide(PLACE));
  }

  private Operation propose(AccountId owner, Target target) {
    var terms = new GasPriorityTerms(START_MS + 200, 100, 1);
    return new Operation.Propose(Proposal.of(owner, terms, target));
  }

  @Test
  void itStoresWhatItIsBeforeAnythingElseAndOnce() {
    divide();
    assertThat(queue.state.crossings().place()).contains(PLACE);

    queue.accepted(OPERATOR, new Operation.Divide(PLACE));
    assertThat(queue.last.events()).isEmpty();
    assertThat(queue.refused(OPERATOR, new Operation.Divide(new Partition(1, 5))))
        .isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aQueueThatIsUsedBecomesNoPartition() {
    queue.fund(HERE, 10);
    assertThat(queue.refused(OPERATOR, new Operation.Divide(PLACE))).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void settingsThatWouldMakeItAnotherAreRefusedInWords() {
    assertThat(place(Optional.of(PLACE))).isEmpty();
    assertThat(place(Optional.empty())).isEmpty();
    divide();
    assertThat(place(Optional.of(PLACE))).isEmpty();
    assertThat(place(Optional.of(new Partition(1, 8))))
        .contains(
            "The queue orders was made with 4 partitions, and keeps that number: set"
                + " scheduler.partitions.\"orders\" = 4 again.");
    assertThat(place(Optional.empty())).isPresent();
  }

  @Test
  void aQueueOfOneStaysSo() {
    queue.fund(HERE, 10);
    assertThat(place(Optional.empty())).isEmpty();
    assertThat(place(Optional.of(PLACE)).orElseThrow())
        .startsWith("The queue orders was made without partitions, and stays so");
  }

  private Optional<String> place(Optional<Partition> settings) {
    return queue.queue.refusesPlace(queue.state, "orders", settings);
  }

  @Test
  void whatIsAnotherPartitionsIsRefusedWhoeverSendsIt() {
    divide();
    queue.fund(HERE, 1_000);
    var notify = new Target.Notify(Bytes.utf8("x"));
    assertThat(queue.refused(THERE, propose(THERE, notify))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.answer().refusal().orElseThrow().sentence())
        .isEqualTo(
            "The account "
                + THERE
                + " is in partition 2 of the queue, and not in 1: name the queue without a"
                + " partition.");
    assertThat(queue.refused(OPERATOR, new Operation.Fund(THERE, new Amount(1))))
        .isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(OPERATOR, new Operation.Withdraw(THERE, new Amount(1))))
        .isEqualTo(Code.NOT_ALLOWED);
    queue.accepted(HERE, propose(HERE, notify));
  }

  @Test
  void aFamilyThatNeedsMoreThanItsOwnersIsRefused() {
    divide();
    assertThat(queue.refused(OPERATOR, new Operation.Pause(FamilyKind.PLAN_EXECUTION)))
        .isEqualTo(Code.NOT_ALLOWED);
    var pause = new PlanOperation.Pause();
    assertThat(queue.refused(OPERATOR, new Operation.Perform(pause))).isEqualTo(Code.NOT_ALLOWED);
    queue.tell(new Command("batch", OPERATOR, new Operation.Batch(List.of(pause), false)));
    var answer = (QueueEffect.BatchAnswer) queue.last.effects().getFirst();
    assertThat(answer.kept()).isFalse();
    assertThat(answer.each().getFirst().refusal().orElseThrow().sentence())
        .isEqualTo(
            "A queue of several partitions serves no plan-execution schedules: use a queue that has"
                + " none.");
    assertThat(queue.last.events()).isEmpty();
  }

  @Test
  void aRepetitionPaysWithinItsPartition() {
    divide();
    queue.fund(HERE, 10_000);
    var there = new Target.Repeat(new Target.Transfer(THERE, new Amount(1)), 1_000, 2);
    assertThat(queue.refused(HERE, propose(HERE, there))).isEqualTo(Code.NOT_ALLOWED);
    var here = new Target.Repeat(new Target.Transfer(HERE, new Amount(1)), 1_000, 2);
    queue.accepted(HERE, propose(HERE, here));
    var id = queue.answer().schedule().orElseThrow();
    var change =
        new Operation.Change(
            id,
            Optional.empty(),
            Optional.of(new Target.Transfer(THERE, new Amount(1))),
            Optional.empty(),
            Optional.empty(),
            "");
    // What is repeated stays so (GAS-13), whatever it runs.
    queue.tell(new Command("change", HERE, change));
    assertThat(queue.answer().refusal().map(refusal -> refusal.code())).contains(Code.NOT_ALLOWED);
  }

  @Test
  void whatEachPartitionDoesForItselfIsInNoBatch() {
    divide();
    var off = new SetDaysOff("feast", new DaysOff("UTC", List.of(30_000L)));
    queue.tell(new Command("batch", OPERATOR, new Operation.Batch(List.of(off), false)));
    var answer = (QueueEffect.BatchAnswer) queue.last.effects().getFirst();
    assertThat(answer.each().getFirst().refusal().orElseThrow().sentence())
        .isEqualTo(
            "Each partition of the queue does SetDaysOff for itself: ask for it outside of a"
                + " batch.");
    assertThat(queue.last.events()).isEmpty();
    queue.accepted(OPERATOR, new Operation.Perform(off));
  }

  @Test
  void aSeriesThatPaysIntoAnotherPartitionIsDueAgainWhenItIsThere() {
    divide();
    queue.fund(HERE, 1_000);
    var id = queue.insert(hourly(3));
    queue.blockAt(HOUR);
    var first = queue.handedOver().getFirst();
    assertThat(first.crossing()).contains(new Crossing(1, 2, 0, 0, THERE, new Amount(10)));

    queue.blockAt(2 * HOUR);
    assertThat(queue.handedOver()).as("one at a time").isEmpty();
    queue.recover();
    assertThat(queue.handedOver()).as("the same, with its number").containsExactly(first);
    assertThat(queue.outcome(id)).isEmpty();

    for (int number = 0; number < 3; number++) {
      var handed = queue.handedOver().getFirst();
      assertThat(handed.crossing())
          .contains(new Crossing(1, 2, number, number, THERE, new Amount(10)));
      var arrived = new Answered(handed.key(), new Conclusion.Succeeded(5));
      queue.tell(arrived);
      queue.tell(arrived);
      assertThat(queue.state.crossings().open()).isEmpty();
      queue.blockAt((number < 1 ? 2 : 3) * HOUR);
    }
    assertThat(queue.state.history().of(id))
        .extracting(History.Recorded::outcome)
        .containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(HERE)).isEqualTo(1_000 - 3 * (10 + SLOTS.feePerTime()));
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void aBackFillPaysIntoAnotherPartitionTheTimesOfThePast() {
    divide();
    queue.fund(HERE, 1_000);
    var id = queue.insert(hourly(99));
    queue.blockAt(HOUR);
    queue.nowMs = 2 * HOUR;
    var first = queue.handedOver();
    assertThat(queue.refused(HERE, filled(id, 1, 1))).isEqualTo(Code.ALREADY_STARTED);
    arrive(first);
    queue.block();
    arrive(queue.handedOver());
    queue.nowMs = 3 * HOUR;
    long before = queue.balance(HERE);

    queue.accepted(HERE, filled(id, 1, 2));
    var runs = ((RecurringResult.Filling) queue.answer().result().orElseThrow()).runs();
    queue.block();
    var handed = queue.handedOver();
    arrive(handed);
    assertThat(runs)
        .hasSize(2)
        .allMatch(run -> queue.outcome(run.task()).orElseThrow().outcome() == Outcome.RUN);
    assertThat(handed)
        .as("these two, and its own at 3")
        .extracting(each -> each.crossing().orElseThrow().number())
        .containsExactly(2L, 3L, 4L);
    assertThat(queue.balance(HERE)).isEqualTo(before - 3 * (10 + SLOTS.feePerTime()));
    assertThat(queue.state.crossings().open()).isEmpty();
  }

  private static Operation filled(ScheduleId series, long first, long last) {
    return new Operation.Perform(new BackFill(series, first * HOUR, last * HOUR, ""));
  }

  private void arrive(List<QueueEffect.HandOver> handed) {
    handed.forEach(each -> queue.tell(new Answered(each.key(), new Conclusion.Succeeded(5))));
  }

  /** From slot 1 on. */
  private static Proposal hourly(int last) {
    var policy =
        new SeriesPolicy(HOUR, last * HOUR, SeriesPolicy.NO_LIST, Overlap.WAIT, Duration.ZERO, 0);
    var terms =
        new SeriesTerms(Bytes.utf8("s"), new Cadence.Every(HOUR, HOUR), Optional.empty(), policy);
    return Proposal.of(HERE, terms, new Target.Transfer(THERE, new Amount(10)));
  }

  @Test
  void whatCrossesIsHeldUntilItIsThereAndSettledThen() {
    divide();
    queue.fund(HERE, 1_000);
    var id =
        queue.insert(
            Proposal.of(
                HERE,
                new GasPriorityTerms(START_MS + 200, 100, 1),
                new Target.Transfer(THERE, new Amount(300))));
    queue.blockAt(START_MS + 200);

    var handed = queue.handedOver().getFirst();
    assertThat(handed.crossing()).contains(new Crossing(1, 2, 0, 0, THERE, new Amount(300)));
    assertThat(queue.balance(HERE)).isEqualTo(1_000 - 100 - 300);
    assertThat(queue.outcome(id)).isEmpty();

    queue.tell(new Answered(handed.key(), new Conclusion.Succeeded(100)));
    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(queue.outcome(id).orElseThrow().cost().gasUsed()).isEqualTo(10);
    assertThat(queue.balance(HERE)).isEqualTo(1_000 - 10 - 300);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  /** What was set aside for it from the start is, until it is there, and no more than that. */
  @Test
  void whatWasSetAsideCrossesThoughNothingElseIsLeft() {
    divide();
    queue.fund(HERE, 400);
    var terms = new GasPriorityTerms(START_MS + 200, 100, 1).settingAside(true);
    var id = queue.insert(Proposal.of(HERE, terms, new Target.Transfer(THERE, new Amount(300))));
    assertThat(queue.balance(HERE)).isZero();
    queue.blockAt(START_MS + 200);
    var handed = queue.handedOver().getFirst();
    assertThat(handed.crossing()).contains(new Crossing(1, 2, 0, 0, THERE, new Amount(300)));
    queue.recover();
    assertThat(queue.handedOver()).containsExactly(handed);

    arrive(queue.handedOver());
    arrive(List.of(handed));
    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(HERE)).isEqualTo(400 - 300 - 10);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void nothingIsTakenTwiceNorByAnotherPartition() {
    divide();
    var crossing = new Crossing(0, 1, 7, 5, HERE, new Amount(20));
    queue.accepted(OPERATOR, new Operation.Take(crossing));
    queue.accepted(OPERATOR, new Operation.Take(crossing));
    assertThat(queue.last.events()).isEmpty();
    assertThat(queue.balance(HERE)).isEqualTo(20);

    // Below what has an outcome at the payer's partition nothing counts any more.
    queue.accepted(OPERATOR, new Operation.Take(new Crossing(0, 1, 4, 0, HERE, new Amount(9))));
    assertThat(queue.balance(HERE)).isEqualTo(20);
    var other = new Crossing(0, 2, 8, 5, THERE, new Amount(20));
    assertThat(queue.refused(OPERATOR, new Operation.Take(other))).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void whatThereIsNoRoomForIsAskedForAgain() {
    divide();
    queue.fund(HERE, Long.MAX_VALUE);
    var crossing = new Crossing(0, 1, 0, 0, HERE, new Amount(1));
    assertThat(queue.refused(OPERATOR, new Operation.Take(crossing))).isEqualTo(Code.BUSY);
    queue.accepted(OPERATOR, new Operation.Withdraw(HERE, new Amount(1)));
    queue.accepted(OPERATOR, new Operation.Take(crossing));
    assertThat(queue.balance(HERE)).isEqualTo(Long.MAX_VALUE);
  }
}
