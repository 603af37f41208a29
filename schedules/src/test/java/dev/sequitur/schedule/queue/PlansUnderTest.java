package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQueries;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.Optional;

/**
 * A queue that serves plan executions only. The operator is the service provider; executions are
 * scheduled 15 seconds ahead at least, four run in a block, and it begins at second 1,000.
 */
final class PlansUnderTest {
  static final AccountId PAYEE = new AccountId("payee");
  static final TokenId RIF = new TokenId("RIF");
  static final long START = QueueUnderTest.START_MS / 1_000;
  static final long WINDOW = 100;
  static final long GAS = 1_000;
  static final long PRICE = 15;
  static final long MONEY = 100_000;
  static final PlanSettings SETTINGS =
      new PlanSettings(PAYEE, Duration.ofSeconds(15), 4, 4, 64, 10, 20);

  final QueueUnderTest queue;

  PlansUnderTest() {
    this(SETTINGS);
  }

  PlansUnderTest(PlanSettings settings) {
    queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new PlanExecutions(settings)));
    queue.fund(ALICE, MONEY);
    queue.fund(ALICE.in(RIF), MONEY);
  }

  /** Number 0, in the queue's own money, with so many executions of it bought by Alice. */
  static PlansUnderTest withBought(long quantity) {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.empty()));
    plans.buy(0, quantity);
    return plans;
  }

  long addPlan(Plan plan) {
    accepted(OPERATOR, new PlanOperation.AddPlan(plan));
    return ((PlanResult.Added) result()).plan();
  }

  void buy(long plan, long quantity) {
    accepted(ALICE, new PlanOperation.Purchase(plan, quantity, new Amount(quantity * PRICE)));
  }

  ScheduleId schedule(long inSeconds, long value) {
    return schedule(pay(0, inSeconds, value));
  }

  ScheduleId schedule(PlanOperation.Schedule execution) {
    accepted(ALICE, execution);
    return ((PlanResult.Scheduled) result()).executions().get(0);
  }

  static PlanOperation.Schedule pay(long plan, long inSeconds, long value) {
    var amount = new Amount(value);
    return new PlanOperation.Schedule(
        new PlanTerms(plan, START + inSeconds, amount), new Target.Transfer(BOB, amount));
  }

  static PlanOperation.Schedule call(long plan, long inSeconds, long value) {
    var target =
        new Target.PrivateCall(
            new ContractAddress("0x" + "0a".repeat(20)),
            "token",
            "transfer",
            new Identity("alice", new NodeName("node1")),
            Bytes.utf8("{}"));
    return new PlanOperation.Schedule(
        new PlanTerms(plan, START + inSeconds, new Amount(value)), target);
  }

  /** The account that a private call's value goes to. */
  static final AccountId CONTRACT = new AccountId("0x" + "0a".repeat(20));

  void accepted(AccountId signer, FamilyOperation operation) {
    queue.accepted(signer, new Operation.Perform(operation));
  }

  Refusal.Code refused(AccountId signer, FamilyOperation operation) {
    return queue.refused(signer, new Operation.Perform(operation));
  }

  FamilyResult result() {
    return queue.answer().result().orElseThrow();
  }

  void at(long inSeconds) {
    queue.nowMs = (START + inSeconds) * 1_000;
  }

  void blockAt(long inSeconds) {
    at(inSeconds);
    queue.block();
  }

  PlanQueries ask() {
    return new PlanQueries(queue.queue.view(queue.state, FamilyKind.PLAN_EXECUTION, queue.wall()));
  }

  PlanExecutionState stateOf(ScheduleId id) {
    return ask().getState(id);
  }

  long remaining(long plan) {
    return ask().remainingExecutions(ALICE, plan);
  }

  void assertAllMoneyIsBackOrPaid(long paidToPayee, long paidToBob) {
    assertThat(queue.balance(PAYEE)).isEqualTo(paidToPayee);
    assertThat(queue.balance(BOB)).isEqualTo(paidToBob);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - paidToPayee - paidToBob);
    assertThat(queue.state.book().holds()).isEmpty();
  }
}
