package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a payment pays can be set aside with its deposit, so that it is there at its time. */
class SetAsideTest {
  private static final long DEPOSIT = GAS;

  private final QueueUnderTest queue = AlicesProposals.newQueue();

  private static Proposal payment(long inMs, long units, boolean setAside) {
    return proposal(inMs, new Target.Transfer(BOB, new Amount(units)), setAside);
  }

  private static Proposal proposal(long inMs, Target target, boolean setAside) {
    var terms = new GasPriorityTerms(START_MS + inMs, GAS, 1).settingAside(setAside);
    return Proposal.of(ALICE, terms, target);
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }

  private long held() {
    return queue.queue.audit(queue.state).book().sumOfHolds().units();
  }

  /** Before, whoever paid first took what another payment had been accepted for. */
  @Test
  void itIsThereThoughOtherPaymentsHaveTakenTheRest() {
    var rent = queue.insert(payment(300, MONEY / 2, true));
    var rest = MONEY / 2 - 2 * DEPOSIT;
    var other = queue.insert(payment(200, rest + 1, false));
    queue.recover();

    queue.blockAt(START_MS + 300);

    assertThat(outcome(other)).as("it would have taken the rent").isEqualTo(Outcome.FAILED);
    assertThat(outcome(rent)).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(MONEY / 2);
    assertThat(held()).isZero();
  }

  @Test
  void whatItPaysIsHeldWithTheDepositAndCannotBeSpentMeanwhile() {
    var id = queue.insert(payment(200, 70, true));

    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - DEPOSIT - 70);
    assertThat(held()).isEqualTo(DEPOSIT + 70);
    assertThat(queue.refused(OPERATOR, new Operation.Withdraw(ALICE, new Amount(MONEY - 100))))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);

    queue.blockAt(START_MS + 200);
    var cost = queue.outcome(id).orElseThrow().cost();
    assertThat(cost.charged()).isEqualTo(new Amount(10));
    assertThat(cost.refunded()).as("of the deposit").isEqualTo(new Amount(DEPOSIT - 10));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 10 - 70);
  }

  @Test
  void whoHasNotSoMuchIsRefusedAtOnceAndToldWhatToDo() {
    var all = payment(200, MONEY, true);
    assertThat(queue.refused(ALICE, new Operation.Propose(all)))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);
    assertThat(queue.answer().refusal().orElseThrow().sentence())
        .isEqualTo(
            "The deposit and what it pays are 1000100, and alice can spend 1000000: fund the"
                + " account, or have what it pays taken at its time, and not set aside.");
    var more = payment(200, Long.MAX_VALUE, true);
    assertThat(queue.refused(ALICE, new Operation.Propose(more))).isEqualTo(Code.OVERFLOW);
    queue.insert(payment(200, MONEY, false));
  }

  @Test
  void allOfItGoesBackWhenItIsCancelledShutDownOrTooLate() {
    var cancelled = queue.insert(payment(5_000, 70, true));
    queue.accepted(ALICE, new Operation.Cancel(cancelled));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);
    assertThat(queue.outcome(cancelled).orElseThrow().cost().refunded())
        .isEqualTo(new Amount(DEPOSIT + 70));

    var late =
        queue.insert(
            payment(200, 71, true).withLate(new LatePolicy.RunWithin(Duration.ofMillis(50))));
    queue.blockAt(START_MS + 1_000);
    assertThat(outcome(late)).isEqualTo(Outcome.MISSED);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);

    var shut = queue.insert(payment(queue.nowMs - START_MS + 60_000, 72, true));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.block();
    assertThat(outcome(shut)).isEqualTo(Outcome.CANCELLED);
    assertThat(held()).isZero();
  }

  @Test
  void aChangeHoldsWhatItPaysThen() {
    var id = queue.insert(payment(5_000, 70, true));
    change(id, Optional.empty(), Optional.of(new Target.Transfer(BOB, new Amount(90))));
    assertThat(held()).isEqualTo(DEPOSIT + 90);
    change(id, Optional.of(false), Optional.empty());
    assertThat(held()).isEqualTo(DEPOSIT);
    change(id, Optional.of(true), Optional.empty());
    assertThat(held()).isEqualTo(DEPOSIT + 90);
    change(id, Optional.empty(), Optional.of(new Target.Notify(Bytes.utf8("paid already"))));
    assertThat(held()).as("it pays nothing").isEqualTo(DEPOSIT);
    queue.blockAt(START_MS + 5_000);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 10);
  }

  private void change(ScheduleId id, Optional<Boolean> setAside, Optional<Target> target) {
    queue.accepted(
        ALICE,
        new Operation.Change(
            id, settingAside(setAside), target, Optional.empty(), Optional.empty(), ""));
  }

  private static Optional<Revision> settingAside(Optional<Boolean> setAside) {
    return Optional.of(
        new GasPriorityRevision(Optional.empty(), Optional.empty(), Optional.empty(), setAside));
  }

  /** It would fail for what its next run pays. */
  @Test
  void aRepetitionPaysWhenItRuns() {
    var repeat = new Target.Repeat(new Target.Transfer(BOB, new Amount(7)), 100, 3);
    assertThat(queue.refused(ALICE, new Operation.Propose(proposal(200, repeat, true))))
        .isEqualTo(Code.BAD_STATE);
    queue.insert(proposal(200, repeat, false));
    var once = queue.insert(payment(5_000, 70, true));
    var change =
        new Operation.Change(
            once, Optional.empty(), Optional.of(repeat), Optional.empty(), Optional.empty(), "");
    assertThat(queue.refused(ALICE, change)).isEqualTo(Code.BAD_STATE);
  }

  /** A repetition that is to pay once stays a repetition, and would be over at its next run. */
  @Test
  void noChangeOfARepetitionSetsAsideWhatItPays() {
    var action = new Target.Transfer(BOB, new Amount(7));
    var rent = queue.insert(proposal(200, new Target.Repeat(action, 100, 3), false));
    Optional<Target> dearer = Optional.of(new Target.Transfer(BOB, new Amount(8)));
    var change =
        new Operation.Change(
            rent, settingAside(Optional.of(true)), dearer, Optional.empty(), Optional.empty(), "");
    assertThat(queue.refused(ALICE, change)).isEqualTo(Code.BAD_STATE);

    change(rent, Optional.empty(), dearer);
    queue.blockAt(START_MS + 200);
    queue.blockAt(START_MS + 300);

    assertThat(queue.balance(BOB)).as("it goes on").isEqualTo(16);
  }

  /** Two that differ in it are two, and no key makes one the other. */
  @Test
  void itIsPartOfWhatMakesTheId() {
    var plain = queue.insert(payment(200, 7, false));
    var aside = queue.insert(payment(200, 7, true));
    var terms = new GasPriorityTerms(START_MS + 200, GAS, 1, Optional.of("set-aside"));
    var keyed = queue.insert(Proposal.of(ALICE, terms, new Target.Transfer(BOB, new Amount(7))));
    assertThat(aside).isNotEqualTo(plain).isNotEqualTo(keyed);
    assertThat(keyed).isNotEqualTo(plain);
  }

  @Test
  void aTrialTellsAllThatIsSetAside() {
    var command =
        new QueueInput.Command("try", ALICE, new Operation.Propose(payment(200, 70, true)));
    assertThat(queue.queue.tryOut(queue.state, command, queue.wall()).setAside())
        .isEqualTo(new Amount(DEPOSIT + 70));
  }

  @Test
  void nobodyButItsReceiverIsPaid() {
    queue.insert(payment(200, 70, true));
    queue.blockAt(START_MS + 200);
    assertThat(queue.balance(BOB)).isEqualTo(70);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(10);
  }
}
