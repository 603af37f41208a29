package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody has a place, a priority or memory of the queue for nothing. */
class GasPriorityBoundsTest {
  private final QueueUnderTest queue = AlicesProposals.newQueue();

  /** The deposit of no gas is nothing, whatever is offered for it: the text's spam. */
  @Test
  void theHighestPriorityIsNotHadForNothing() {
    var mallory = new AccountId("mallory");
    var terms = new GasPriorityTerms(START_MS + 200, 0, Long.MAX_VALUE);
    var free = Proposal.of(mallory, terms, new Target.Notify(Bytes.utf8("x")));

    assertThat(queue.refused(mallory, new Operation.Propose(free))).isEqualTo(Code.TOO_LITTLE_GAS);

    queue.insert(pay(200, 5));
    queue.blockAt(START_MS + 200);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(10 * SETTINGS.minGasUnitPrice());
  }

  @Test
  void whatNeedsMoreGasThanItMayUseIsNotTaken() {
    var payment = new Target.Transfer(BOB, new Amount(1));
    var repeated = new Target.Repeat(payment, 1_000, 2);
    assertThat(refusal(9, payment)).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(refusal(9, repeated)).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(refusal(99, call(200).target())).isEqualTo(Code.TOO_LITTLE_GAS);

    queue.insert(proposal(200, 10, 7, payment));
    queue.insert(proposal(200, 10, 7, repeated));
    queue.insert(proposal(200, 100, 7, call(200).target()));
  }

  /** It names what it may use on the base ledger, so it asks for that much. */
  @Test
  void aCallThatMayUseMoreGasThanItOffersIsNotTaken() {
    assertThat(refusal(399_999, publicCall(400_000))).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(refusal(99, publicCall(0))).isEqualTo(Code.TOO_LITTLE_GAS);

    queue.fund(ALICE, 500_000);
    queue.insert(proposal(200, 400_000, 1, publicCall(400_000)));
    queue.insert(proposal(200, 100, 1, publicCall(0)));
  }

  @Test
  void aPlanIsNotUsedForACallThatMayUseMoreGasThanItGives() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 300_000, Optional.empty()));
    plans.buy(0, 2);

    assertThat(plans.refused(ALICE, execution(publicCall(300_001)))).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(plans.queue.answer().refusal().orElseThrow().sentence())
        .isEqualTo(
            "It needs 300001 gas, and plan 0 gives 300000: purchase a plan that gives enough.");
    assertThat(plans.remaining(0)).isEqualTo(2);

    plans.schedule(execution(publicCall(300_000)));
    plans.blockAt(15);
    assertThat(plans.queue.handedOver()).hasSize(1);
  }

  /** As at the deployed contract; what the ledger estimates might be more than was bought. */
  @Test
  void aCallThatNamesNoGasGetsWhatItsPlanGivesAlsoIfItIsHandedOverAgain() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 300_000, Optional.empty()));
    plans.buy(0, 1);
    plans.schedule(execution(publicCall(0)));

    plans.blockAt(15);
    assertThat(requests(plans)).containsExactly(publicCall(300_000));
    plans.queue.recover();
    assertThat(requests(plans)).containsExactly(publicCall(300_000));
  }

  private static List<Target> requests(PlansUnderTest plans) {
    return plans.queue.handedOver().stream().map(HandOver::request).toList();
  }

  /** No chain takes it. */
  @Test
  void aPlanThatGivesLessThanEachBaseLedgerTransactionUsesIsNotUsedForACall() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 20_999, Optional.empty()));
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 21_000, Optional.empty()));
    plans.buy(0, 1);
    plans.buy(1, 1);

    assertThat(plans.refused(ALICE, execution(publicCall(0)))).isEqualTo(Code.TOO_LITTLE_GAS);
    plans.schedule(execution(1, publicCall(0)));
  }

  private static PlanOperation.Schedule execution(Target target) {
    return execution(0, target);
  }

  private static PlanOperation.Schedule execution(long plan, Target target) {
    return new PlanOperation.Schedule(
        new PlanTerms(plan, PlansUnderTest.START + 15, new Amount(0)), target);
  }

  private static Target.PublicCall publicCall(long gas) {
    return new Target.PublicCall(
        new Identity("alice", new NodeName("node1")),
        Optional.of(new ContractAddress("0x" + "0a".repeat(20))),
        Bytes.EMPTY,
        BigInteger.ZERO,
        gas,
        PublicTransaction.Source.NONE);
  }

  @Test
  void anActionThatUsesNothingIsNotHadForNothingEither() {
    var free = new QueueUnderTest(using(new GasUse(0, 0), new GasPriority(SETTINGS)));
    free.fund(ALICE, MONEY);
    var none = proposal(200, 0, 7, new Target.Notify(Bytes.utf8("x")));

    assertThat(free.refused(ALICE, new Operation.Propose(none))).isEqualTo(Code.TOO_LITTLE_GAS);
    free.insert(proposal(200, 1, 7, none.target()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNeedsMoreByTheTimeItRunsFailsAndIsChargedAllThatItOffered(boolean elsewhere) {
    var target = elsewhere ? call(200).target() : new Target.Transfer(BOB, new Amount(1));
    var id = queue.insert(proposal(200, 100, 7, target));
    var dearer = after(queue, new GasUse(101, 101), new GasPriority(SETTINGS));

    dearer.blockAt(START_MS + 200);

    assertThat(dearer.handedOver()).isEmpty();
    assertThat(dearer.balance(BOB)).isZero();
    assertThat(dearer.outcome(id).orElseThrow().note()).isEqualTo("It ran out of gas.");
    assertThat(dearer.balance(AccountId.FEES)).isEqualTo(100);
  }

  @Test
  void aPlanGivesAPrivateTransactionAllItsGasOrIsNotUsedForIt() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 99, Optional.empty()));
    plans.buy(0, 1);
    assertThat(plans.refused(ALICE, PlansUnderTest.call(0, 15, 40))).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(plans.remaining(0)).isOne();

    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 100, Optional.empty()));
    plans.buy(1, 1);
    plans.schedule(PlansUnderTest.call(1, 15, 40));
    plans.blockAt(15);
    assertThat(plans.queue.handedOver()).hasSize(1);
  }

  /** As 0025 has it: it fails, the provider is paid, and the value goes back. */
  @Test
  void aPrivateTransactionOfAPlanThatNeedsMoreByTheTimeItRunsFails() {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PRICE, PlansUnderTest.WINDOW, 100, Optional.empty()));
    plans.buy(0, 1);
    var id = plans.schedule(PlansUnderTest.call(0, 15, 40));
    var family = new PlanExecutions(PlansUnderTest.SETTINGS);
    var dearer = after(plans.queue, new GasUse(10, 101), family);

    dearer.blockAt(START_MS + 15_000);

    assertThat(dearer.handedOver()).isEmpty();
    assertThat(dearer.outcome(id).orElseThrow().note()).isEqualTo("It ran out of gas.");
    assertThat(dearer.balance(PlansUnderTest.PAYEE)).isEqualTo(PRICE);
    assertThat(dearer.balance(ALICE)).isEqualTo(PlansUnderTest.MONEY - PRICE);
  }

  /** The same queue after a restart with other settings. */
  private static QueueUnderTest after(QueueUnderTest before, GasUse gas, Family family) {
    var after = new QueueUnderTest(using(gas, family));
    after.journal.addAll(before.journal);
    after.state = after.replay();
    return after;
  }

  private static QueueSetup using(GasUse gas, Family family) {
    var plain = QueueSetup.of(OPERATOR, family);
    return new QueueSetup(
        OPERATOR,
        plain.maxAhead(),
        gas,
        plain.shutdownBatch(),
        plain.historyLimit(),
        plain.throttles(),
        plain.opening(),
        plain.families());
  }

  private Code refusal(long gas, Target target) {
    return queue.refused(ALICE, new Operation.Propose(proposal(200, gas, 7, target)));
  }
}
