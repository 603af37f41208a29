package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Each reason for which a recurring task is not taken, or not cancelled. A time costs 3. */
class RecurringRefusalTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private final QueueUnderTest queue = queue(3);

  private static QueueUnderTest queue(long fee) {
    var settings =
        new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, fee, 64, false);
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    queue.fund(ALICE, 1_000);
    return queue;
  }

  @Test
  void whileStoppedTasksAreScheduledAndCancelledAndNothingRuns() {
    var before = queue.insert(task("before", PAY, 1, 2));
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.RECURRING));
    var kept = queue.insert(task("kept", PAY, 2));
    queue.accepted(ALICE, new Operation.Cancel(queue.insert(task("gone", PAY, 3))));
    queue.accepted(ALICE, new Operation.Cancel(before));

    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);
    assertThat(queue.balance(BOB)).isZero();
    assertThat(queue.outcome(kept)).isEmpty();
    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    queue.blockAt(2 * HOUR + 1);

    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(queue.outcome(kept).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
  }

  @Test
  void onceShutDownNoTaskIsTaken() {
    queue.insert(task("a", call(), 1));
    queue.blockAt(HOUR);
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));
    assertThat(queue.state.service(FamilyKind.RECURRING)).isEqualTo(Service.SHUTTING_DOWN);
    assertThat(refusal(task("b", PAY, 2))).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    var idle = queue(3);
    idle.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));
    idle.block();
    assertThat(idle.state.service(FamilyKind.RECURRING)).isEqualTo(Service.SHUT_DOWN);
    assertThat(idle.refused(ALICE, new Operation.Propose(task("b", PAY, 2))))
        .isEqualTo(Code.SERVICE_NOT_ACTIVE);
  }

  /** A block of the present slot has not been cut yet, since the clock jumped there. */
  @Test
  void whatHasJustBecomeDueIsNotSaidToBeBehindOthers() {
    var id = queue.insert(task("a", PAY, 1));
    queue.nowMs = HOUR + 1;
    assertThat(why(id)).isEqualTo("Its time has just come: no block has been cut since.");
    queue.nowMs = HOUR / 2;
    queue.fund(ALICE, 1);
    queue.nowMs = HOUR / 4;
    assertThat(why(id))
        .startsWith("It is not due yet: ")
        .endsWith(
            " The node's clock was set back: the queue's stands still at 1970-01-01T00:30:00Z for"
                + " another 900 s, until the node's has come to it.");
    queue.nowMs = HOUR / 2 - 1_000;
    assertThat(why(id)).doesNotContain("set back");
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  @Test
  void aTaskHasAnIdAndDoesSomething() {
    var toOneself = new Target.Transfer(ALICE, new Amount(1));
    var silent = new Target.Notify(Bytes.EMPTY);

    assertThat(refusal(task("", PAY, 1))).isEqualTo(Code.BAD_STATE);
    assertThat(refusal(task("a", toOneself, 1))).isEqualTo(Code.BAD_STATE);
    assertThat(refusal(task("a", silent, 1))).isEqualTo(Code.BAD_STATE);
    for (var action : List.<Target.InQueue>of(toOneself, silent)) {
      assertThat(refusal(task("a", new Target.Repeat(action, HOUR, 1), 1)))
          .isEqualTo(Code.BAD_STATE);
    }
    for (var target : List.of(toOneself, silent)) {
      assertThat(refusal(series("a", target))).isEqualTo(Code.BAD_STATE);
    }
    assertThat(refusal(series("", PAY))).isEqualTo(Code.BAD_STATE);
    queue.insert(task("a", new Target.Notify(Bytes.utf8("x")), 1));
    queue.insert(series("b", PAY));
  }

  private static Proposal series(String id, Target target) {
    var every = new Cadence.Every(HOUR, HOUR);
    return Proposal.of(ALICE, new SeriesTerms(Bytes.utf8(id), every, Optional.empty()), target);
  }

  @Test
  void nobodySchedulesATaskForAnother() {
    var propose = new Operation.Propose(task("a", PAY, 1));
    assertThat(queue.refused(BOB, propose)).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(OPERATOR, propose)).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(AccountId.FEES, propose)).isEqualTo(Code.NOT_ALLOWED);
  }

  @Test
  void theFeeOfATimeIsNotRefundedSoNoTaskExpiresWithARefund() {
    var proposal = withLate(task("a", PAY, 1), new LatePolicy.ExpireAndRefund());
    assertThat(refusal(proposal)).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void contentAndIdTogetherAreLimited() {
    var message = new Target.Notify(Bytes.of(new byte[60]));
    assertThat(refusal(task("12345", message, 1))).isEqualTo(Code.TOO_LARGE);
    assertThat(refusal(task("i".repeat(65), PAY, 1))).isEqualTo(Code.TOO_LARGE);
    queue.insert(task("1234", message, 1));
  }

  @Test
  void theFeesOfAllTimesMustBeThereAtOnce() {
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(992)));
    assertThat(refusal(task("a", PAY, 1, 2, 3))).isEqualTo(Code.INSUFFICIENT_BALANCE);
    queue.insert(task("a", PAY, 1, 2));
  }

  @Test
  void feesBeyondAnyAccountAreAnOverflow() {
    var dear = queue(Long.MAX_VALUE);
    assertThat(dear.refused(ALICE, new Operation.Propose(task("a", PAY, 1, 2))))
        .isEqualTo(Code.OVERFLOW);
    assertThat(dear.refused(ALICE, new Operation.Propose(task("a", PAY, 1))))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void duplicatesDoNotCountAmongTheTwentyFourTimes() {
    var times = LongStream.range(0, 48).map(n -> (n / 2 + 1) * HOUR).toArray();
    assertThat(times).hasSize(48);
    queue.insert(proposal("a", PAY, times));
    assertThat(queue.balance(ALICE)).isEqualTo(1_000 - 24 * 3);
  }

  @Test
  void aTimeBefore1970OrAtTheEndOfAllTimeIsRefused() {
    assertThat(refusal(proposal("a", PAY, -HOUR))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    assertThat(refusal(proposal("a", PAY, Long.MAX_VALUE / HOUR * HOUR))).isEqualTo(Code.BAD_TIME);
    assertThat(refusal(proposal("a", PAY, Long.MAX_VALUE))).isEqualTo(Code.BAD_TIME);
  }

  @Test
  void theRefusalOfATimeNamesOneThatWouldDo() {
    assertThat(sentence(HOUR + 1))
        .isEqualTo("A time must begin a slot of PT1H, such as 1970-01-01T02:00:00Z.");
    assertThat(sentence(0)).endsWith("the next begins at 1970-01-01T01:00:00Z.");
    assertThat(sentence(200 * 24 * HOUR))
        .isEqualTo("A time must not be after 1970-06-30T00:16:40Z.");
  }

  private String sentence(long time) {
    refusal(proposal("a", PAY, time));
    return queue.answer().refusal().orElseThrow().sentence();
  }

  @Test
  void onlyItsOwnerAndTheAdministratorCancelATaskThatWaits() {
    var id = queue.insert(task("a", PAY, 1));
    assertThat(queue.refused(BOB, new Operation.Cancel(id))).isEqualTo(Code.NOT_ALLOWED);
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(queue.refused(ALICE, new Operation.Cancel(id))).isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  @Test
  void aTaskWhosePrivateTransactionIsOutCannotBeCancelledUntilItHasItsOutcome() {
    var id = queue.insert(task("a", call(), 1, 5));
    queue.blockAt(HOUR);
    assertThat(cancel(id)).isEqualTo(Code.ALREADY_STARTED);
  }

  private Code cancel(ScheduleId id) {
    return queue.refused(ALICE, new Operation.Cancel(id));
  }

  private Code refusal(Proposal proposal) {
    return queue.refused(ALICE, new Operation.Propose(proposal));
  }

  static Target call() {
    return new Target.PrivateCall(
        new ContractAddress("0x" + "0a".repeat(20)),
        "token",
        "transfer",
        Identity.parse("alice@node1"),
        Bytes.utf8("{}"));
  }

  static Proposal withLate(Proposal proposal, LatePolicy late) {
    return new Proposal(
        proposal.owner(), proposal.terms(), proposal.target(), late, RetryPolicy.NEVER);
  }

  static Proposal task(String id, Target target, long... slots) {
    return proposal(id, target, LongStream.of(slots).map(slot -> slot * HOUR).toArray());
  }

  private static Proposal proposal(String id, Target target, long... timesMs) {
    var times = LongStream.of(timesMs).boxed().toList();
    return Proposal.of(ALICE, new RecurringTerms(Bytes.utf8(id), List.copyOf(times)), target);
  }
}
