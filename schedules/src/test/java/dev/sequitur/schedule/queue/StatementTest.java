package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What an account's statement says (ACC-10). That all its lines together are what the account has,
 * {@link QueueUnderTest} asserts of each command and block of each test.
 */
class StatementTest {
  private static final int ALL = 1_000;

  private static Statement statement(QueueUnderTest queue, AccountId account) {
    return queue.queue.statement(
        queue.state, account, 0, ALL, happened -> happened.accounts().contains(account));
  }

  private static List<String> lines(QueueUnderTest queue, AccountId account) {
    return statement(queue, account).lines().stream()
        .map(StatementLine::posting)
        .map(StatementTest::words)
        .toList();
  }

  private static String words(Posting posting) {
    return kind(posting)
        + " "
        + posting.amount()
        + posting.with().map(with -> " with " + with).orElse("")
        + (posting.what().isEmpty() ? "" : " for " + posting.what());
  }

  private static String kind(Posting posting) {
    return posting.kind().name().toLowerCase(Locale.ROOT);
  }

  private static void assertIsWhole(QueueUnderTest queue, AccountId account) {
    var stated = statement(queue, account);
    long sum = stated.lines().stream().mapToLong(line -> line.posting().change()).sum();
    assertThat(sum).isEqualTo(stated.available().units() + stated.held().units());
    assertThat(stated.broughtForward()).contains(Amount.ZERO);
  }

  @Test
  void whatIsBookedInAndOutSetAsidePaidAndGivenBackHasItsLineAndTogetherTheyAreWhatThereIs() {
    var queue = AlicesProposals.newQueue();
    var paid = queue.insert(AlicesProposals.pay(200, 7));
    queue.insert(AlicesProposals.pay(200, 3));
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(5)));
    assertThat(statement(queue, ALICE).held().units()).isPositive();
    assertIsWhole(queue, ALICE);

    queue.blockAt(START_MS + 200);

    var moved = queue.outcome(paid).orElseThrow().proposal().target().payment().orElseThrow();
    assertThat(lines(queue, ALICE))
        .startsWith("funded " + statement(queue, ALICE).lines().get(0).posting().amount())
        .contains("withdrawn 5", "paid " + moved.amount() + " with bob", "charged 30");
    assertThat(lines(queue, BOB)).contains("received " + moved.amount() + " with alice");
    assertIsWhole(queue, ALICE);
    assertIsWhole(queue, BOB);
    queue.recover();
    assertIsWhole(queue, ALICE);
  }

  /** Its price leaves the account that has bought it, in the plan's money. */
  @Test
  void aPlanIsBoughtUsedAndRefundedOnTheAccountInItsMoneyAndItsPayeeHasTheOtherSide() {
    var plans = new PlansUnderTest();
    plans.addPlan(
        Plan.of(5, PlansUnderTest.WINDOW, PlansUnderTest.GAS, Optional.of(PlansUnderTest.RIF)));
    plans.accepted(ALICE, new PlanOperation.Approve(PlansUnderTest.RIF, new Amount(15)));
    plans.accepted(ALICE, new PlanOperation.Purchase(0, 3, Amount.ZERO));
    plans.schedule(15, 40);
    plans.blockAt(15);
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(0));

    var purse = ALICE.in(PlansUnderTest.RIF);
    assertThat(lines(plans.queue, purse))
        .endsWith(
            "set_aside 15 for plan 0 of alice", "charged 5", "given_back 10 for plan 0 of alice");
    assertThat(lines(plans.queue, new AccountId("payee").in(PlansUnderTest.RIF)))
        .containsExactly("received 5 with " + purse);
    assertIsWhole(plans.queue, purse);
    assertIsWhole(plans.queue, ALICE);
  }

  /** What an operation costs stands in its record, and is kept there alone. */
  @Test
  void whatIsSignedCostsWhoPaysForItAndWhatItRunsIsToldOnce() {
    var signed = new SignaturesUnderTest(MultiSignatureSettings.MVP);
    var gift = signed.create(signed.gift(1), SignaturesUnderTest.ALICE_KEY, BOB_KEY);
    signed.sign(gift, CAROL_KEY);
    var account = new Action.CryptoCreate(BOB_KEY, new Amount(20), false, "");
    signed.create(body(2, account));
    signed.status(new MultiSignatureOperation.CryptoCreate(signed.byAlice(), account));

    assertThat(changes(signed, signed.alice))
        .containsExactly(
            "funded",
            "charged ScheduleCreate",
            "paid",
            "charged",
            "charged ScheduleCreate",
            "paid",
            "charged",
            "paid CryptoCreate",
            "charged CryptoCreate");
    assertThat(changes(signed, signed.dave))
        .containsExactly("funded", "charged ScheduleSign of " + gift, "received");
    assertThat(lines(signed.queue, signed.receipt().account().orElseThrow().account()))
        .containsExactly("received 20 with " + signed.alice + " for CryptoCreate");
    for (var id : List.of(signed.alice, signed.bob, signed.dave)) {
      assertIsWhole(signed.queue, id.account());
    }
  }

  private static List<String> changes(SignaturesUnderTest signed, EntityId id) {
    return statement(signed.queue, id.account()).lines().stream()
        .map(StatementLine::posting)
        .map(posting -> (kind(posting) + " " + posting.what()).trim())
        .toList();
  }

  @Test
  void whatIsForgottenIsBroughtForward() {
    var queue = AlicesProposals.newQueue();
    long funded = queue.balance(ALICE);
    var id = queue.insert(AlicesProposals.pay(200, 7));
    queue.accepted(ALICE, new Operation.Cancel(id));

    queue.tell(new QueueInput.OutcomesStored(0));

    var stated = statement(queue, ALICE);
    assertThat(stated.page().forgotten()).isTrue();
    assertThat(lines(queue, ALICE)).allMatch(line -> line.startsWith("given_back"));
    assertThat(stated.broughtForward()).contains(new Amount(funded));
  }

  @Test
  void whatMoreFollowsIsNotBroughtForward() {
    var queue = AlicesProposals.newQueue();
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(5)));
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(6)));

    var page =
        queue.queue.statement(
            queue.state, ALICE, 1, 1, happened -> happened.accounts().contains(ALICE));

    assertThat(page.lines()).hasSize(1);
    assertThat(page.broughtForward()).isEmpty();
    assertThat(page.page().next()).isEqualTo(2);
  }

  /** It would be one more row for each schedule: what is held is told as a sum. */
  @Test
  void whatWaitsHasNoLineAndIsHeld() {
    var queue = AlicesProposals.newQueue();
    queue.insert(AlicesProposals.pay(200, 7));

    assertThat(lines(queue, ALICE)).hasSize(1);
    assertThat(statement(queue, ALICE).held())
        .isEqualTo(queue.queue.audit(queue.state).book().sumOfHolds());
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.GAS_PRIORITY));
    queue.block();
    assertThat(statement(queue, ALICE).held()).isEqualTo(Amount.ZERO);
  }
}
