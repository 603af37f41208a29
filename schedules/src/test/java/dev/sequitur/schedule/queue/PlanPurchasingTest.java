package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.MONEY;
import static dev.sequitur.schedule.queue.PlansUnderTest.PAYEE;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.PlansUnderTest.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanResult;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The modules Admin and Purchasing. Plan 0 costs 15 of the queue's own money, plan 1 of RIF. */
class PlanPurchasingTest {
  private static final Amount NOTHING = Amount.ZERO;
  private static final AccountId ALICES_RIF = ALICE.in(RIF);

  private final PlansUnderTest plans = new PlansUnderTest();

  @BeforeEach
  void addPlans() {
    plans.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.empty()));
    plans.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.of(RIF)));
  }

  /** Who sells plans (PLN-1). */
  @Test
  void onlyTheServiceProviderAddsAndRemovesPlansAndNamesThePayee() {
    var plan = Plan.of(1, 1, 10, Optional.empty());

    assertThat(plans.refused(ALICE, new PlanOperation.AddPlan(plan))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(plans.refused(ALICE, new PlanOperation.RemovePlan(0))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(plans.refused(ALICE, new PlanOperation.SetPayee(ALICE))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(plans.refused(ALICE, new PlanOperation.Pause())).isEqualTo(Code.NOT_ALLOWED);
    assertThat(plans.refused(ALICE, new PlanOperation.Unpause())).isEqualTo(Code.NOT_ALLOWED);
    assertThat(plans.addPlan(plan)).isEqualTo(2);
    assertThat(plans.ask().plans()).hasSize(3).last().isEqualTo(plan);
  }

  @Test
  void aPlanWhoseExecutionsWouldAllFailIsNotSold() {
    var empty = Plan.of(PRICE, WINDOW, 0, Optional.empty());
    var meagre = Plan.of(PRICE, WINDOW, 9, Optional.empty());

    assertThat(plans.refused(OPERATOR, new PlanOperation.AddPlan(empty)))
        .isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(plans.refused(OPERATOR, new PlanOperation.AddPlan(meagre)))
        .isEqualTo(Code.TOO_LITTLE_GAS);
    plans.addPlan(Plan.of(PRICE, WINDOW, 10, Optional.empty()));
  }

  @Test
  void aPlanIsAddedToBeSold() {
    var removed = new Plan(PRICE, WINDOW, GAS, Optional.empty(), false);

    assertThat(plans.refused(OPERATOR, new PlanOperation.AddPlan(removed)))
        .isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aPlanCanBeRemovedOnceAndIsThenNoLongerSold() {
    plans.accepted(OPERATOR, new PlanOperation.RemovePlan(0));

    assertThat(plans.refused(OPERATOR, new PlanOperation.RemovePlan(0))).isEqualTo(Code.BAD_STATE);
    assertThat(plans.refused(OPERATOR, new PlanOperation.RemovePlan(9))).isEqualTo(Code.BAD_STATE);
    assertThat(plans.refused(ALICE, purchase(0, 1, PRICE))).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void soManyPlansFitAndNoMore() {
    for (int i = 2; i < PlansUnderTest.SETTINGS.maxPlans(); i++) {
      plans.addPlan(Plan.of(1, 1, 10, Optional.empty()));
    }
    var more = new PlanOperation.AddPlan(Plan.of(1, 1, 10, Optional.empty()));
    assertThat(plans.refused(OPERATOR, more)).isEqualTo(Code.TOO_LARGE);
  }

  @Test
  void aPurchaseInTheQueuesMoneySendsJustThePriceWhichIsHeld() {
    assertThat(plans.refused(ALICE, purchase(0, 2, 29))).isEqualTo(Code.WRONG_PAYMENT);
    assertThat(plans.refused(ALICE, purchase(0, 2, 31))).isEqualTo(Code.WRONG_PAYMENT);

    plans.accepted(ALICE, purchase(0, 2, 30));

    assertThat(plans.result()).isEqualTo(new PlanResult.Purchased(2));
    assertThat(plans.remaining(0)).isEqualTo(2);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 30);
    assertThat(plans.queue.balance(PAYEE)).isZero();
  }

  @Test
  void aPurchaseInATokenDrawsWhatWasApproved() {
    assertThat(plans.refused(ALICE, purchase(1, 2, 0))).isEqualTo(Code.NOT_APPROVED);
    plans.accepted(ALICE, new PlanOperation.Approve(RIF, new Amount(50)));
    assertThat(plans.refused(ALICE, purchase(1, 2, 30))).isEqualTo(Code.WRONG_PAYMENT);

    plans.accepted(ALICE, purchase(1, 2, 0));

    assertThat(plans.remaining(1)).isEqualTo(2);
    assertThat(plans.queue.balance(ALICES_RIF)).isEqualTo(MONEY - 30);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY);
    assertThat(plans.refused(ALICE, purchase(1, 2, 0))).isEqualTo(Code.NOT_APPROVED);
    plans.accepted(ALICE, purchase(1, 1, 0));
  }

  @Test
  void whatIsApprovedReplacesWhatWasApprovedBefore() {
    plans.accepted(ALICE, new PlanOperation.Approve(RIF, new Amount(50)));
    plans.accepted(ALICE, new PlanOperation.Approve(RIF, NOTHING));

    assertThat(plans.refused(ALICE, purchase(1, 1, 0))).isEqualTo(Code.NOT_APPROVED);
    var other = new PlanOperation.Approve(new TokenId("DOC"), new Amount(1));
    assertThat(plans.refused(ALICE, other)).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void approvedIsNotOwned() {
    plans.queue.fund(BOB.in(RIF), 1);
    plans.accepted(BOB, new PlanOperation.Approve(RIF, new Amount(50)));

    assertThat(plans.refused(BOB, purchase(1, 1, 0))).isEqualTo(Code.INSUFFICIENT_BALANCE);
  }

  /** Its entry stays: whoever is invented for it would fill the queue's memory. */
  @Test
  void whoHasNothingInATokenApprovesNothing() {
    assertThat(plans.refused(BOB, new PlanOperation.Approve(RIF, new Amount(50))))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);

    plans.accepted(BOB, new PlanOperation.Approve(RIF, NOTHING));
  }

  @Test
  void transferAndCallSendsJustThePriceWithPlanAndQuantity() {
    assertThat(plans.refused(ALICE, transferAndCall(29, 1, 2))).isEqualTo(Code.WRONG_PAYMENT);
    assertThat(plans.refused(ALICE, transferAndCall(30, 0, 2))).isEqualTo(Code.WRONG_PAYMENT);
    var cut = new PlanOperation.TransferAndCall(RIF, new Amount(30), Bytes.hex("0x01"));
    assertThat(plans.refused(ALICE, cut)).isEqualTo(Code.WRONG_PAYMENT);
    var more =
        new PlanOperation.TransferAndCall(
            RIF, new Amount(30), new AbiEncoding().uint(1).uint(2).uint(0).finish());
    assertThat(plans.refused(ALICE, more)).isEqualTo(Code.WRONG_PAYMENT);

    plans.accepted(ALICE, transferAndCall(30, 1, 2));

    assertThat(plans.remaining(1)).isEqualTo(2);
    assertThat(plans.queue.balance(ALICES_RIF)).isEqualTo(MONEY - 30);
  }

  @Test
  void aPurchaseOfNothingIsTakenAndChangesNothing() {
    var before = plans.queue.state;

    plans.accepted(ALICE, purchase(0, 0, 0));
    plans.accepted(ALICE, purchase(1, 0, 0));
    plans.accepted(ALICE, transferAndCall(0, 1, 0));

    assertThat(plans.queue.state.families()).isEqualTo(before.families());
    assertThat(plans.queue.state.book()).isEqualTo(before.book());
    assertThat(plans.refused(ALICE, purchase(0, 0, 1))).isEqualTo(Code.WRONG_PAYMENT);
    assertThat(plans.refused(ALICE, purchase(7, 0, 0))).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void lessThanNothingAndTooMuchCannotBeBought() {
    assertThat(plans.refused(ALICE, purchase(0, -1, 0))).isEqualTo(Code.WRONG_PAYMENT);
    assertThat(plans.refused(ALICE, purchase(1, -1, 0))).isEqualTo(Code.BAD_STATE);
    assertThat(plans.refused(ALICE, purchase(2, 1, PRICE))).isEqualTo(Code.BAD_STATE);
    assertThat(plans.refused(ALICE, purchase(7, 1, PRICE))).isEqualTo(Code.BAD_STATE);
    assertThat(plans.refused(ALICE, purchase(0, MONEY, MONEY * PRICE)))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);
    assertThat(plans.refused(ALICE, purchase(1, Long.MAX_VALUE, 0))).isEqualTo(Code.OVERFLOW);
  }

  @Test
  void aPlanMayCostNothingButNotWithoutEnd() {
    long free = plans.addPlan(Plan.of(0, WINDOW, GAS, Optional.empty()));
    plans.accepted(ALICE, purchase(free, Long.MAX_VALUE, 0));

    assertThat(plans.refused(ALICE, purchase(free, 1, 0))).isEqualTo(Code.OVERFLOW);
    var id = plans.schedule(pay(free, 15, 7));
    plans.blockAt(15);
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    plans.assertAllMoneyIsBackOrPaid(0, 7);
  }

  @Test
  void creditsOfAPlanThatWasRemovedAreHonoured() {
    plans.buy(0, 1);
    plans.accepted(OPERATOR, new PlanOperation.RemovePlan(0));

    var id = plans.schedule(15, 5);
    plans.blockAt(15);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    plans.assertAllMoneyIsBackOrPaid(PRICE, 5);
  }

  @Test
  void whatIsPaidInATokenIsPaidOutInIt() {
    plans.accepted(ALICE, transferAndCall(30, 1, 2));
    plans.schedule(pay(1, 15, 5));
    plans.blockAt(15);

    assertThat(plans.queue.balance(PAYEE.in(RIF))).isEqualTo(PRICE);
    assertThat(plans.queue.balance(PAYEE)).isZero();
    assertThat(plans.queue.balance(BOB)).isEqualTo(5);
  }

  @Test
  void thePayeeIsWhoeverItIsAtTheOutcome() {
    plans.buy(0, 1);
    plans.schedule(15, 5);
    assertThat(plans.refused(OPERATOR, new PlanOperation.SetPayee(AccountId.HELD)))
        .isEqualTo(Code.NOT_ALLOWED);
    plans.accepted(OPERATOR, new PlanOperation.SetPayee(OPERATOR));

    plans.blockAt(15);

    assertThat(plans.ask().payee()).isEqualTo(OPERATOR);
    assertThat(plans.queue.balance(OPERATOR)).isEqualTo(PRICE);
    assertThat(plans.queue.balance(PAYEE)).isZero();
  }

  @Test
  void nobodySignsForATokenAccount() {
    assertThat(plans.refused(ALICES_RIF, purchase(0, 1, PRICE))).isEqualTo(Code.NOT_ALLOWED);
  }

  private static PlanOperation purchase(long plan, long quantity, long value) {
    return new PlanOperation.Purchase(plan, quantity, new Amount(value));
  }

  private static PlanOperation transferAndCall(long amount, long plan, long quantity) {
    var data = new AbiEncoding().uint(plan).uint(quantity).finish();
    return new PlanOperation.TransferAndCall(RIF, new Amount(amount), data);
  }
}
