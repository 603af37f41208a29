package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.BlockClock.BlockPace;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An object that exists is valid: each value takes its least and its most, and nothing beyond. */
class LeastAndMostTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final ScheduleId ID = new ScheduleId(FamilyKind.RECURRING, new Hash(0, 0, 0, 1));
  private static final Target.Notify NOTIFY = new Target.Notify(Bytes.utf8("hello"));
  private static final Duration TEN_YEARS = Duration.ofDays(3_660);

  /** Makes something of a number. */
  private interface Made {
    Object of(long number);
  }

  private static Arguments from(String what, long least, Made made) {
    return Arguments.of(what, least, Optional.empty(), made);
  }

  private static Arguments between(String what, long least, long most, Made made) {
    return Arguments.of(what, least, Optional.of(most), made);
  }

  private static Stream<Arguments> values() {
    return Stream.of(
            ofTheSchedules(), ofTheFamilies(), ofTheSettings(), ofTheMultiSignatureSettings())
        .flatMap(each -> each);
  }

  private static Stream<Arguments> ofTheSchedules() {
    var soon = Duration.ofSeconds(1);
    return Stream.of(
        between("characters of an account", 1, 200, n -> new AccountId("a".repeat((int) n))),
        between("characters of a token", 1, 100, n -> new TokenId("a".repeat((int) n))),
        from("an amount", 0, Amount::new),
        from("a consensus time", 0, ConsensusTime::new),
        from("gas of an action", 0, n -> new GasUse(n, 0)),
        from("gas of a call", 0, n -> new GasUse(0, n)),
        from("gas of a success", 0, Conclusion.Succeeded::new),
        from("gas of a failure", 0, n -> new Conclusion.Failed(n, "no", true)),
        from("an incarnation", 1, n -> new OccurrenceKey(ID, n, 0, 1)),
        from("an occurrence", 0, n -> new OccurrenceKey(ID, 1, n, 1)),
        from("an attempt", 1, n -> new OccurrenceKey(ID, 1, 0, (int) n)),
        between("attempts", 1, 100, n -> new RetryPolicy((int) n, new Backoff(soon, soon))),
        between(
            "the pause between two attempts",
            1,
            TEN_YEARS.toMillis(),
            n -> new RetryPolicy(2, new Backoff(Duration.ofMillis(1), Duration.ofMillis(n)))),
        between(
            "a pause that is given",
            1,
            TEN_YEARS.toMillis(),
            n -> RetryPolicy.after(2, List.of(Duration.ofMillis(n)))),
        between(
            "pauses that are given",
            0,
            99,
            n -> RetryPolicy.after(2, Collections.nCopies((int) n, soon))),
        from("a window of lateness", 1, n -> new LatePolicy.RunWithin(Duration.ofNanos(n))),
        from("a window of the newest", 1, n -> new LatePolicy.RunOnceWithin(Duration.ofNanos(n))),
        between("operations a second", 1, 1_000_000_000, Throttle::empty),
        from("what a throttle holds", 0, n -> new Throttle(1, n, ConsensusTime.ZERO)),
        from("the slot of a pace", 0, n -> new BlockPace(n, 1)),
        from("the interval of a pace", 1, n -> new BlockPace(0, n)),
        from("an interval", 1, n -> new Target.Repeat(NOTIFY, n, 0)),
        from("repetitions", 0, n -> new Target.Repeat(NOTIFY, 1, (int) n)),
        between(
            "operations of a batch",
            0,
            1_000,
            n ->
                new Operation.Batch(Collections.nCopies((int) n, new PlanOperation.Pause()), true)),
        from("the number of an entity", 0, EntityId::new),
        from("a fee", 0, LeastAndMostTest::payingAtMost));
  }

  private static Stream<Arguments> ofTheFamilies() {
    var hour = Duration.ofHours(1).toMillis();
    var execution = new PlanOperation.Schedule(new PlanTerms(0, 0, Amount.ZERO), NOTIFY);
    return Stream.of(
        from("a scheduled time", 0, n -> new GasPriorityTerms(n, 0, 0)),
        from("gas at most", 0, n -> new GasPriorityTerms(0, n, 0)),
        from("a price at most", 0, n -> new GasPriorityTerms(0, 0, n)),
        from("the first time of a series", 0, n -> new Cadence.Every(n, hour)),
        from("the frequency of a series", 1, n -> new Cadence.Every(0, n)),
        from(
            "the runs of a series",
            1,
            n -> new SeriesTerms(Bytes.EMPTY, new Cadence.Every(0, hour), Optional.of(n))),
        from("the number of a plan", 0, n -> new PlanTerms(n, 0, Amount.ZERO)),
        from("the timestamp of an execution", 0, n -> new PlanTerms(0, n, Amount.ZERO)),
        from("the price of a plan", 0, n -> Plan.of(n, 0, 0, Optional.empty())),
        from("the window of a plan", 0, n -> Plan.of(0, n, 0, Optional.empty())),
        from("the gas of a plan", 0, n -> Plan.of(0, 0, n, Optional.empty())),
        between(
            "executions of a batch",
            0,
            1_000,
            n ->
                new PlanOperation.BatchSchedule(
                    Collections.nCopies((int) n, execution), Amount.ZERO)));
  }

  private static Stream<Arguments> ofTheSettings() {
    var operator = new AccountId("operator");
    var hour = Duration.ofHours(1);
    var gas = GasUse.DEFAULT;
    var recurring = RecurringSettings.DEFAULT;
    var plans = PlanSettings.DEFAULT;
    return Stream.of(
        from(
            "what a shutdown ends in a block",
            1,
            n -> new QueueSetup(operator, hour, gas, (int) n, 1, Map.of(), Amount.ZERO, List.of())),
        from(
            "remembered outcomes",
            1,
            n -> new QueueSetup(operator, hour, gas, 1, (int) n, Map.of(), Amount.ZERO, List.of())),
        from("a tick", 1, n -> new GasPrioritySettings((int) n, 1, 1, 1, 0, 0)),
        from("ready ones in a block", 1, n -> new GasPrioritySettings(1, (int) n, 1, 1, 0, 0)),
        from("ticks to expiry", 1, n -> new GasPrioritySettings(1, 1, (int) n, 1, 0, 0)),
        from("expired ones in a block", 1, n -> new GasPrioritySettings(1, 1, 1, (int) n, 0, 0)),
        from("the least price", 0, n -> new GasPrioritySettings(1, 1, 1, 1, n, 0)),
        from("bytes of a transaction", 0, n -> new GasPrioritySettings(1, 1, 1, 1, 0, (int) n)),
        from("a slot", 1, n -> recurring.withSlot(Duration.ofMillis(n))),
        from("a horizon", hour.toMillis(), n -> recurring.withHorizon(Duration.ofMillis(n))),
        from("times of a task", 1, n -> recurring.withMaxTimes((int) n)),
        from("tasks of a slot", 1, n -> recurring.withTasksPerSlot((int) n)),
        from("a block's budget", 1, n -> recurring.withBlockBudget((int) n)),
        from("the fee of a time", 0, recurring::withFeePerTime),
        from("bytes of a task", 0, n -> recurring.withMaxSize((int) n)),
        from(
            "the time before an execution",
            0,
            n -> plans.withMinimumTimeBeforeExecution(Duration.ofSeconds(n))),
        from("executions in a block", 1, n -> plans.withReadyLimit((int) n)),
        from("overdue ones in a block", 1, n -> plans.withOverdueLimit((int) n)),
        from("bytes of an execution", 0, n -> plans.withMaxSize((int) n)),
        from("plans", 1, n -> plans.withMaxPlans((int) n)),
        from("remembered executions", 1, n -> plans.withFinishedKept((int) n)));
  }

  private static Stream<Arguments> ofTheMultiSignatureSettings() {
    var limits = MultiSignatureSettings.Limits.DEFAULT;
    return Stream.of(
        from("seconds to expiry", 1, n -> new MultiSignatureSettings.Expiry(n, 1, 1, 1)),
        from("seconds ahead", 1, n -> new MultiSignatureSettings.Expiry(1, n, 1, 1)),
        from("schedules of a second", 1, n -> new MultiSignatureSettings.Expiry(1, 1, (int) n, 1)),
        from("overdue ones of a step", 1, n -> new MultiSignatureSettings.Expiry(1, 1, 1, (int) n)),
        from("bytes of a transaction", 1, n -> limits.withMaxTransactionBytes((int) n)),
        from("rows of a transfer", 2, n -> limits.withMaxTransfers((int) n)),
        from("signatures", 1, n -> limits.withMaxSignatures((int) n)),
        from("twins", 1, n -> limits.withMaxTwins((int) n)),
        from("seconds of validity", 1, limits::withMaxValidSecs),
        from("records", 2, n -> limits.withMaxRecords((int) n)),
        from("bodies that the store has not", 1, n -> limits.withMaxUnarchived((int) n)));
  }

  private static ScheduledTransaction payingAtMost(long fee) {
    var action = new Action.Unschedulable("test");
    return new ScheduledTransaction(Bytes.EMPTY, new Hash(0, 0, 0, 0), 0, fee, "", action);
  }

  /** Where prices and gas end (GAS-16), among others. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("values")
  void itTakesItsLeastAndItsMostAndNothingBeyond(
      String what, long least, Optional<Long> most, Made made) {
    assertThatCode(() -> made.of(least)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> made.of(least - 1));
    most.ifPresent(
        limit -> {
          assertThatCode(() -> made.of(limit)).doesNotThrowAnyException();
          assertThatIllegalArgumentException().isThrownBy(() -> made.of(limit + 1));
        });
  }

  @ParameterizedTest
  @MethodSource("holders")
  void aNameLeavesRoomForTheTokenOrHoldsNothingInIt(int holder, int token, boolean fits) {
    var account = new AccountId("h".repeat(holder));
    var money = new TokenId("t".repeat(token));

    assertThat(account.canHold(money)).isEqualTo(fits);
    if (fits) {
      assertThat(account.in(money).holder()).isEqualTo(account);
      assertThat(account.in(money).token()).contains(money);
      assertThat(ALICE.inMoneyOf(account.in(money))).isEqualTo(ALICE.in(money));
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> account.in(money));
    }
  }

  /** So an account in a token has one reading. */
  @ParameterizedTest
  @ValueSource(strings = {"#", "#t", "t#", "t#t"})
  void aTokensNameHasNoMark(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenId(name));
    assertThatIllegalArgumentException().isThrownBy(() -> new AccountId("alice#" + name));
  }

  @Test
  void tokensStandInTheOrderOfTheirNames() {
    assertThat(new TokenId("RIF")).isLessThan(new TokenId("USD")).isGreaterThan(new TokenId("DOC"));
  }

  private static Stream<Arguments> holders() {
    return Stream.of(
        Arguments.of(99, 100, true), Arguments.of(100, 100, false), Arguments.of(198, 1, true));
  }
}
