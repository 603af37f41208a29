package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.Intervention.Kind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringRevision;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One schedule is changed and keeps its id (SCH-27). A slot of an hour takes two and a time costs
 * 3; a tick has 100 ms.
 */
class ChangesTest {
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, false);
  private static final GasPrioritySettings TICKS = new GasPrioritySettings(100, 3, 2, 2, 1, 64);
  private static final long HOUR = SLOTS.slot().toMillis();
  private static final long FEE = SLOTS.feePerTime();
  private static final long MONEY = 1_000;
  private static final AccountId CAROL = new AccountId("carol");
  private static final Target.Transfer PAY = new Target.Transfer(BOB, new Amount(1));
  private static final Target.Transfer PAY_MORE = new Target.Transfer(CAROL, new Amount(20));
  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{}"));

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SLOTS), new GasPriority(TICKS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  @Test
  void aPaymentIsChangedInTimeOfferAndTargetAndHoldsWhatItOffers() {
    var id = queue.insert(pay(1_000, 10, 4));
    change(id, offer(2_000, 20, 5), PAY_MORE);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 100);
    change(
        id,
        new GasPriorityRevision(
            Optional.empty(), Optional.empty(), Optional.of(2L), Optional.empty()));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 40);
    queue.recover();

    queue.blockAt(START_MS + 1_000);
    assertThat(queue.startedInLastBlock()).isEmpty();
    queue.blockAt(START_MS + 2_000);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
    assertThat(queue.balance(CAROL)).isEqualTo(20);
    assertThat(queue.outcome(id).orElseThrow().asked())
        .contains(ConsensusTime.ofMillis(START_MS + 2_000));
  }

  @Test
  void whatIsRefusedOfACreationIsRefusedOfAChange() {
    var id = queue.insert(pay(1_000, 10, 4));
    assertThat(refused(id, offer(0, 10, 4))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    assertThat(refused(id, offer(2_000, 10, 0))).isEqualTo(Code.PRICE_TOO_LOW);
    assertThat(refused(id, offer(2_000, 9, 4))).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(refused(id, offer(2_000, 1_000, 4))).isEqualTo(Code.INSUFFICIENT_BALANCE);
    assertThat(refused(id, offer(2_000, Long.MAX_VALUE, 4))).isEqualTo(Code.OVERFLOW);
    assertThat(refused(id, times(2))).as("another family's").isEqualTo(Code.BAD_STATE);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 40);
  }

  @Test
  void whatIsAboutToRunIsPausedFirst() {
    var id = queue.insert(pay(1_000, 10, 4));
    queue.nowMs = START_MS + 1_000;
    assertThat(refused(id, offer(2_000, 10, 4))).isEqualTo(Code.BAD_STATE);
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.PAUSE, ""));
    change(id, offer(2_000, 10, 4));
    assertThat(schedule(id).isPaused()).isTrue();
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.RESUME, ""));
    queue.blockAt(START_MS + 2_000);
    assertThat(queue.balance(BOB)).isEqualTo(1);
  }

  @Test
  void aRepetitionIsRepeatedOnWithWhatItRunsThen() {
    var target = new Target.Repeat(PAY, 1_000, 2);
    var id = queue.insert(Proposal.of(ALICE, new GasPriorityTerms(START_MS + 200, 200, 1), target));
    queue.blockAt(START_MS + 200);
    change(id, PAY_MORE);
    assertThat(
            queue.refused(
                ALICE,
                new Operation.Change(
                    id,
                    Optional.empty(),
                    Optional.of(CALL),
                    Optional.empty(),
                    Optional.empty(),
                    "")))
        .isEqualTo(Code.BAD_STATE);
    queue.blockAt(START_MS + 1_200);
    queue.blockAt(START_MS + 2_200);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(queue.balance(CAROL)).isEqualTo(40);
  }

  @Test
  void aTaskHasOtherTimesFromNowOnAndPaysForTheirNumber() {
    var id = queue.insert(task("bills", 1, 3));
    queue.blockAt(HOUR);
    change(id, times(2, 4, 5));
    queue.recover();
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 1 - FEE - 3 * FEE);
    assertThat(taken(3)).isZero();
    change(id, times(4));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 1 - FEE - FEE);
    queue.blockAt(2 * HOUR);
    queue.blockAt(4 * HOUR);
    assertThat(queue.balance(BOB)).isEqualTo(2);
    queue.block();
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void aTaskIsGivenNoFullSlotButKeepsItsOwn() {
    var id = queue.insert(task("bills", 3));
    queue.insert(task("others", 3, 4));
    queue.insert(task("more", 4));
    assertThat(refused(id, times(3, 4))).isEqualTo(Code.SLOT_FULL);
    change(id, times(3, 5));
    assertThat(taken(3)).isEqualTo(2);
    assertThat(refused(id, every(5, 1))).isEqualTo(Code.BAD_STATE);
    assertThat(refused(id, times(0))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
  }

  @Test
  void aSeriesHasAnotherCadenceAndItsRunsAreCountedOn() {
    var id = queue.insert(series("rent", 1, 1, Optional.of(3L)));
    queue.blockAt(HOUR);
    change(id, every(5, 2));
    assertThat(taken(2)).isZero();
    assertThat(taken(5)).isEqualTo(1);
    assertThat(refused(id, runs(1))).isEqualTo(Code.BAD_STATE);
    change(id, runs(2));
    queue.blockAt(2 * HOUR);
    queue.blockAt(5 * HOUR);
    queue.blockAt(7 * HOUR);
    assertThat(queue.balance(BOB)).isEqualTo(2);
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 2 - 2 * FEE);
  }

  @Test
  void aSeriesIsGivenNoFullSlotAndIsNoTask() {
    var id = queue.insert(series("rent", 1, 1, Optional.empty()));
    queue.insert(task("others", 3));
    queue.insert(task("more", 3));
    assertThat(refused(id, every(3, 1))).isEqualTo(Code.SLOT_FULL);
    assertThat(refused(id, times(4))).isEqualTo(Code.BAD_STATE);
    assertThat(
            refused(
                id,
                new RecurringRevision(
                    Optional.empty(),
                    Optional.of(new Cadence.Every(4 * HOUR, HOUR / 2)),
                    Optional.empty())))
        .isEqualTo(Code.BAD_TIME);
  }

  @Test
  void aPausedSeriesIsChangedAndGoesOnByItsNewCadence() {
    var id = queue.insert(series("rent", 1, 1, Optional.empty()));
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.PAUSE, ""));
    change(id, every(6, 2));
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.RESUME, ""));
    assertThat(schedule(id).due().time()).isEqualTo(6);
    assertThat(schedule(id).interventions().newest())
        .extracting(done -> done.kind())
        .containsExactly(Kind.PAUSE, Kind.CHANGE, Kind.RESUME);
  }

  @Test
  void whatRunsIsNotChanged() {
    var cadence = new Cadence.Every(HOUR, HOUR);
    var terms = new SeriesTerms(Bytes.utf8("job"), cadence, Optional.empty());
    var id = queue.insert(Proposal.of(ALICE, terms, CALL));
    queue.blockAt(HOUR);
    assertThat(refused(id, every(6, 2))).isEqualTo(Code.ALREADY_STARTED);
  }

  @Test
  void onlyItsOwnerChangesItAndItsPoliciesToo() {
    var id = queue.insert(task("bills", 2, 6));
    var late =
        new Operation.Change(
            id,
            Optional.empty(),
            Optional.empty(),
            Optional.of(new LatePolicy.RunAll()),
            Optional.empty(),
            "");
    assertThat(queue.refused(BOB, late)).isEqualTo(Code.NOT_ALLOWED);
    queue.accepted(ALICE, late);
    queue.blockAt(4 * HOUR);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    var refunding =
        new Operation.Change(
            id,
            Optional.empty(),
            Optional.empty(),
            Optional.of(new LatePolicy.ExpireAndRefund()),
            Optional.empty(),
            "");
    assertThat(queue.refused(ALICE, refunding)).isEqualTo(Code.BAD_STATE);
    assertThat(
            queue.refused(
                ALICE, change(id, Optional.empty(), Optional.of(new Target.Notify(Bytes.EMPTY)))))
        .isEqualTo(Code.BAD_STATE);
  }

  private void change(ScheduleId id, Revision revision) {
    queue.accepted(ALICE, change(id, Optional.of(revision), Optional.empty()));
  }

  private void change(ScheduleId id, Target target) {
    queue.accepted(ALICE, change(id, Optional.empty(), Optional.of(target)));
  }

  private void change(ScheduleId id, Revision revision, Target target) {
    queue.accepted(ALICE, change(id, Optional.of(revision), Optional.of(target)));
  }

  private Code refused(ScheduleId id, Revision revision) {
    return queue.refused(ALICE, change(id, Optional.of(revision), Optional.empty()));
  }

  private static Operation.Change change(
      ScheduleId id, Optional<Revision> revision, Optional<Target> target) {
    return new Operation.Change(id, revision, target, Optional.empty(), Optional.empty(), "why");
  }

  private Schedule schedule(ScheduleId id) {
    return queue.state.entries().schedules().get(id);
  }

  private int taken(long slot) {
    var at = ConsensusTime.ofMillis(slot * HOUR);
    return queue
        .queue
        .forecast(queue.state, FamilyKind.RECURRING, at, queue.wall())
        .orElseThrow()
        .taken();
  }

  private static Proposal pay(long inMs, long gas, long price) {
    return Proposal.of(ALICE, new GasPriorityTerms(START_MS + inMs, gas, price), PAY);
  }

  private static Proposal task(String name, long... slots) {
    return Proposal.of(ALICE, new RecurringTerms(Bytes.utf8(name), at(slots)), PAY);
  }

  private static Proposal series(String name, long first, long every, Optional<Long> runs) {
    var cadence = new Cadence.Every(first * HOUR, every * HOUR);
    return Proposal.of(ALICE, new SeriesTerms(Bytes.utf8(name), cadence, runs), PAY);
  }

  private static Revision offer(long inMs, long gas, long price) {
    return new GasPriorityRevision(
        Optional.of(START_MS + inMs), Optional.of(gas), Optional.of(price), Optional.empty());
  }

  private static Revision times(long... slots) {
    return new RecurringRevision(Optional.of(at(slots)), Optional.empty(), Optional.empty());
  }

  private static Revision every(long first, long every) {
    var cadence = new Cadence.Every(first * HOUR, every * HOUR);
    return new RecurringRevision(Optional.empty(), Optional.of(cadence), Optional.empty());
  }

  private static Revision runs(long runs) {
    return new RecurringRevision(Optional.empty(), Optional.empty(), Optional.of(runs));
  }

  private static List<Long> at(long... slots) {
    return LongStream.of(slots).mapToObj(slot -> slot * HOUR).toList();
  }
}
