package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.task;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each family's outcomes say of the money, also after a restart (SCH-22). */
class CostTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DEPOSIT = GAS * 7;

  @Test
  void aBidPaysItsGasAtThePriceOfItsBlockAndGetsTheRestBack() {
    var queue = AlicesProposals.newQueue();
    var high = queue.insert(pay(200, 7));
    queue.insert(pay(200, 3));

    queue.blockAt(START_MS + 200);

    assertThat(cost(queue, high)).isEqualTo(cost(3, 10, 30, DEPOSIT - 30));
    queue.recover();
    assertThat(cost(queue, high)).isEqualTo(cost(3, 10, 30, DEPOSIT - 30));
  }

  @Test
  void aPrivateTransactionPaysForNoMoreGasThanItOffered() {
    var queue = AlicesProposals.newQueue();
    var id = queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var key = queue.handedOver().get(0).key();

    queue.tell(new Answered(key, new Conclusion.Failed(10 * GAS, "It reverted.", false)));
    queue.recover();

    assertThat(cost(queue, id)).isEqualTo(cost(1, GAS, GAS, DEPOSIT - GAS));
  }

  @Test
  void whatNeverRanOnlyGetsItsDepositBack() {
    var queue = AlicesProposals.newQueue();
    var id = queue.insert(pay(200, 7));

    queue.accepted(ALICE, new Operation.Cancel(id));

    assertThat(cost(queue, id)).isEqualTo(cost(0, 0, 0, DEPOSIT));
  }

  @Test
  void eachTimeOfATaskPaysItsFee() {
    var queue =
        new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(RecurringSettings.DEFAULT)));
    queue.fund(ALICE, 1_000);
    var id = queue.insert(task("rent", new Target.Transfer(BOB, new Amount(1)), 1, 2));

    queue.blockAt(HOUR);
    queue.blockAt(3 * HOUR);
    queue.recover();

    assertThat(queue.state.history().of(id))
        .extracting(History.Recorded::cost)
        .containsExactly(cost(0, 10, 1, 0), cost(0, 0, 1, 0));
  }

  @Test
  void anExecutionPaysItsPlansPriceAndItsValueComesBackUnlessItSucceeds() {
    var plans = PlansUnderTest.withBought(3);
    var paid = plans.schedule(15, 40);
    var failed = plans.schedule(PlansUnderTest.call(0, 15, 40));
    plans.blockAt(15);
    var key = plans.queue.handedOver().get(0).key();
    plans.queue.tell(new Answered(key, new Conclusion.Failed(50, "It reverted.", false)));
    var overdue = plans.schedule(40, 7);
    plans.at(40 + PlansUnderTest.WINDOW + 1);
    plans.accepted(ALICE, new PlanOperation.RequestExecutionRefund(overdue));
    plans.queue.recover();

    var price = new Amount(PlansUnderTest.PRICE);
    var parties = Optional.of(new Cost.Parties(ALICE, new AccountId("payee")));
    assertThat(cost(plans.queue, paid)).isEqualTo(new Cost(0, 10, price, Amount.ZERO, parties));
    assertThat(cost(plans.queue, failed))
        .isEqualTo(new Cost(0, 50, price, new Amount(40), parties));
    assertThat(cost(plans.queue, overdue)).isEqualTo(cost(0, 0, 0, 7));
  }

  @Test
  void whatIsNotExecutedInTimeAndRefundedUnaskedSaysSo() {
    var plans = PlansUnderTest.withBought(1);
    var pay = PlansUnderTest.pay(0, 15, 40);
    var id =
        plans.schedule(
            new PlanOperation.Schedule(
                pay.terms(), pay.target(), new LatePolicy.ExpireAndRefund(), RetryPolicy.NEVER));

    plans.blockAt(15 + PlansUnderTest.WINDOW + 1);

    assertThat(cost(plans.queue, id)).isEqualTo(cost(0, 0, 0, 40));
    assertThat(plans.remaining(0)).isEqualTo(1);
  }

  @Test
  void aPlansPriceIsInItsOwnMoney() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(5, PlansUnderTest.WINDOW, GAS, Optional.of(PlansUnderTest.RIF)));
    plans.accepted(ALICE, new PlanOperation.Approve(PlansUnderTest.RIF, new Amount(5)));
    plans.accepted(ALICE, new PlanOperation.Purchase(0, 1, Amount.ZERO));
    var id = plans.schedule(15, 0);

    plans.blockAt(15);

    var parties =
        new Cost.Parties(
            ALICE.in(PlansUnderTest.RIF), new AccountId("payee").in(PlansUnderTest.RIF));
    assertThat(cost(plans.queue, id))
        .isEqualTo(new Cost(0, 10, new Amount(5), Amount.ZERO, Optional.of(parties)));
  }

  @Test
  void aSignedExecutionCostsItsFee() {
    var signed = new SignaturesUnderTest(MultiSignatureSettings.MVP);
    var gift = signed.create(signed.gift(1), SignaturesUnderTest.ALICE_KEY, BOB_KEY, CAROL_KEY);

    assertThat(cost(signed, gift)).isEqualTo(cost(0, 0, 1, 0));
  }

  @Test
  void whosePayerCannotPayIsChargedNothing() {
    var signed = new SignaturesUnderTest(MultiSignatureSettings.MVP);
    var gift = signed.create(signed.gift(1), BOB_KEY, CAROL_KEY);
    long left = signed.balance(signed.alice);
    signed.queue.accepted(
        OPERATOR, new Operation.Withdraw(signed.alice.account(), new Amount(left)));

    signed.sign(gift, SignaturesUnderTest.ALICE_KEY);

    assertThat(cost(signed, gift)).isEqualTo(Cost.NONE);
  }

  @Test
  void aSignedPrivateTransactionHasPaidWhenItsOutcomeComes() {
    var from = new Identity("alice", new NodeName("node1"));
    var signed = new SignaturesUnderTest(MultiSignatureSettings.MVP);
    signed.administer(new MultiSignatureOperation.BindKey(from, key(61)));
    var action = new Action.PrivateTransaction(SignaturesUnderTest.call(from), RetryPolicy.NEVER);
    var id = signed.create(body(1, action), key(61));
    var key = signed.queue.handedOver().get(0).key();
    signed.queue.recover();

    signed.queue.tell(new Answered(key, new Conclusion.Succeeded(9)));
    signed.queue.recover();

    assertThat(cost(signed, id)).isEqualTo(cost(0, 9, 10, 0));
  }

  private static Cost cost(SignaturesUnderTest signed, EntityId id) {
    return cost(signed.queue, id.schedule());
  }

  private static Cost cost(QueueUnderTest queue, ScheduleId id) {
    return queue.outcome(id).orElseThrow().cost();
  }

  private static Cost cost(long price, long gas, long charged, long refunded) {
    return new Cost(price, gas, new Amount(charged), new Amount(refunded));
  }
}
