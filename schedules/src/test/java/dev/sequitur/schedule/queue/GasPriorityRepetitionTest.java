package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityState;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A transaction that schedules itself anew from inside its execution, each time under another id.
 */
class GasPriorityRepetitionTest {
  private static final long SECOND = 1_000;

  private final QueueUnderTest queue = AlicesProposals.newQueue();

  @Test
  void itSchedulesItselfAnewFromInsideItsExecution() {
    var action = new Target.Transfer(BOB, new Amount(1));
    queue.insert(proposal(200, GAS, 7, new Target.Repeat(action, 1_000, 2)));

    for (int tick = 2; tick <= 50; tick++) {
      queue.blockAt(START_MS + tick * 100L);
    }

    assertThat(queue.balance(BOB)).isEqualTo(3);
    assertThat(queue.state.isIdle()).isTrue();
  }

  /** From the first to the last, and from any of them to the one that can be cancelled. */
  @Test
  void eachOutcomeOfARepetitionNamesTheNextUntilNoneFollows() {
    var action = new Target.Transfer(BOB, new Amount(1));
    var first = queue.insert(proposal(200, GAS, 7, new Target.Repeat(action, 1_000, 9)));
    queue.blockAt(START_MS + 200);
    var second = followed(first);
    assertThat(queue.notices()).contains(new Notice.Ended(queue.outcome(first).get()));
    assertThat(queue.notices()).noneMatch(Notice.RescheduleRefused.class::isInstance);
    queue.blockAt(START_MS + 1_200);
    queue.recover();
    var third = followed(second);

    assertThat(followed(first)).isEqualTo(second);
    assertThat(queue.state.entries().schedules()).containsKey(third);
    assertThat(queue.queue.outcomes(queue.state, 0, 9, any -> true).outcomes())
        .extracting(each -> each.recorded().rescheduledAs())
        .containsExactly(Optional.of(second), Optional.of(third));
    queue.block();
    assertThat(why(first)).isEqualTo("It has run, and goes on as " + third + ".");
    assertThat(why(second)).isEqualTo("It has run, and goes on as " + third + ".");
    queue.accepted(ALICE, new Operation.Cancel(second));
    assertThat(queue.outcome(third).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.outcome(third).orElseThrow().rescheduledAs()).isEmpty();
    assertThat(why(third)).isEqualTo("It has its outcome.");
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void aRunThatCannotPayForBeingScheduledAnewHasFailedAndPaysItsGasAlone() {
    var action = new Target.Transfer(BOB, new Amount(MONEY - GAS * 7));
    var id = queue.insert(proposal(200, GAS, 7, new Target.Repeat(action, 1_000, 2)));

    queue.blockAt(START_MS + 200);

    assertThat(queue.notices()).hasAtLeastOneElementOfType(Notice.RescheduleRefused.class);
    queue.recover();
    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(id).orElseThrow().rescheduledAs()).isEmpty();
    assertThat(queue.outcome(id).orElseThrow().note())
        .startsWith("It could not be scheduled anew: The deposit is 700");
    assertThat(queue.balance(BOB)).as("what it did is undone").isZero();
    long gas = queue.queue.setup().gas().action();
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - gas);
    queue.block();
    assertThat(queue.state.isIdle()).as("it is not tried again").isTrue();
  }

  @Test
  void onlyTheRunThatCannotPayFailsAndOthersOfItsBlockRun() {
    var all = new Target.Transfer(BOB, new Amount(MONEY - 2 * GAS * 7));
    var first = queue.insert(proposal(200, GAS, 7, new Target.Repeat(all, 1_000, 2)));
    var second = queue.insert(pay(200, 7));

    queue.blockAt(START_MS + 200);

    assertThat(queue.outcome(first).orElseThrow().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(second).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(1);
  }

  @Test
  void aRetryOfARunThatCouldNotPayRunsOnceItCan() {
    var repeat = new Target.Repeat(new Target.Transfer(BOB, new Amount(MONEY - GAS * 7)), 1_000, 1);
    var retry = new RetryPolicy(3, new Backoff(Duration.ofMillis(200), Duration.ofMillis(200)));
    var id =
        queue.insert(
            new Proposal(
                ALICE,
                new GasPriorityTerms(START_MS + 200, GAS, 7),
                repeat,
                new LatePolicy.AsSpecified(),
                retry));
    queue.blockAt(START_MS + 200);
    assertThat(queue.outcome(id)).isEmpty();
    queue.fund(ALICE, MONEY);

    queue.blockAt(START_MS + 1_000);

    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(queue.outcome(id).orElseThrow().rescheduledAs()).isPresent();
    assertThat(queue.balance(BOB)).isEqualTo(MONEY - GAS * 7);
  }

  /** Its creator has no other: by the time that the present one is read, it may have run. */
  @Test
  void itsFirstIdCancelsARepetitionHoweverOftenItHasRun() {
    var first = queue.insert(everySecond(1_000));
    run(300);
    queue.block();
    queue.recover();
    var present = waiting();

    queue.accepted(ALICE, new Operation.Cancel(first));

    assertThat(queue.outcome(present).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(repetitions()).isEmpty();
  }

  @Test
  void onlyItsOwnerCancelsARepetitionByItsFirstId() {
    var first = queue.insert(everySecond(9));
    run(2);

    assertThat(queue.refused(BOB, new Operation.Cancel(first))).isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  @Test
  void theIdOfWhatHasRunJustNowCancelsTheOneThatWaitsToo() {
    var first = queue.insert(everySecond(9));
    run(1);
    assertThat(queue.state.entries().isEnded(first)).isTrue();

    queue.accepted(ALICE, new Operation.Cancel(first));
    queue.block();

    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void whereAllHaveRunNothingIsLeftToCancel() {
    var first = queue.insert(everySecond(2));
    run(3);

    assertThat(repetitions()).isEmpty();
    assertThat(refusedToCancel(followed(followed(first))))
        .isEqualTo("It was started: it cannot be cancelled any more.");
    assertThat(refusedToCancel(first))
        .isEqualTo("It has run, and what it scheduled anew has ended too: nothing is left.");
  }

  /** In the present tick it would run twice in one block. */
  @ParameterizedTest
  @CsvSource({
    "1100, 1200, 1300",
    "1100, 1299, 1300",
    "1100, 1300, 2400",
    "1050, 1200, 2300",
    "100, 1250, 1300"
  })
  void ofOneThatRunsLateTheNextIsTheFirstOfItsTimesAfterThePresentTick(
      long every, long runsInMs, long nextInMs) {
    var action = new Target.Transfer(BOB, new Amount(1));
    var key = Optional.of("rent");
    var first =
        queue.insert(
            Proposal.of(
                ALICE,
                new GasPriorityTerms(START_MS + 200, GAS, 7, key),
                new Target.Repeat(action, every, 2)));

    queue.blockAt(START_MS + runsInMs);

    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(queue.state.entries().schedules().get(waiting()).proposal().terms())
        .isEqualTo(
            new GasPriorityTerms(START_MS + nextInMs, GAS, 7, key, Optional.of(first), false));
  }

  private static Proposal everySecond(int more) {
    var action = new Target.Transfer(BOB, new Amount(1));
    return proposal(SECOND, GAS, 7, new Target.Repeat(action, SECOND, more));
  }

  /** So many seconds pass, and a repetition runs as often. */
  private void run(int times) {
    for (int run = 0; run < times; run++) {
      queue.blockAt(queue.nowMs + SECOND);
    }
  }

  private ScheduleId waiting() {
    return queue.state.entries().due().first(GAS_PRIORITY).orElseThrow();
  }

  private String refusedToCancel(ScheduleId id) {
    queue.tell(new Command("cancel", ALICE, new Operation.Cancel(id)));
    return queue.answer().refusal().orElseThrow().sentence();
  }

  /** What the family remembers of those that go on. */
  private Map<ScheduleId, ScheduleId> repetitions() {
    var known = (GasPriorityState) queue.queue.family(queue.state, FamilyKind.GAS_PRIORITY);
    return known.repetitions();
  }

  private ScheduleId followed(ScheduleId id) {
    return queue.outcome(id).flatMap(History.Recorded::rescheduledAs).orElseThrow();
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }
}
