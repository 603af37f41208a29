package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.EntityId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What operations of plans and of multi-signature would do is told by doing them on a copy. */
class TrialTest {
  private final PlansUnderTest plans = PlansUnderTest.withBought(2);
  private final SignaturesUnderTest signatures =
      new SignaturesUnderTest(MultiSignatureSettings.MVP);

  private static Trial tried(QueueUnderTest queue, AccountId signer, FamilyOperation operation) {
    var before = queue.state;
    var trial =
        queue.queue.tryOut(
            queue.state,
            new Command("try", signer, new Operation.Perform(operation)),
            queue.wall());
    assertThat(queue.state).isSameAs(before);
    return trial;
  }

  @Test
  void anExecutionThatIsTriedSaysWhatItSendsWhenItRunsAndWhenItWouldBeOverdue() {
    var execution = PlansUnderTest.pay(0, 60, 40);
    var trial = tried(plans.queue, ALICE, execution);
    long before = plans.queue.balance(ALICE);
    var id = plans.schedule(execution);

    assertThat(trial.schedules()).containsExactly(id);
    assertThat(trial.setAside()).isEqualTo(new Amount(40));
    assertThat(before - plans.queue.balance(ALICE)).isEqualTo(40);
    assertThat(trial.available().units()).isEqualTo(plans.queue.balance(ALICE));
    assertThat(trial.fee()).isEqualTo(Amount.ZERO);
    assertThat(trial.times())
        .containsExactly(ConsensusTime.ofSeconds(PlansUnderTest.START + 60))
        .isEqualTo(plans.queue.queue.times(plans.queue.state, id, Trial.TIMES));
    assertThat(trial.expires())
        .contains(ConsensusTime.ofSeconds(PlansUnderTest.START + 60 + PlansUnderTest.WINDOW));
    assertThat(trial.why().orElseThrow()).startsWith("It is not due yet");
    assertThat(trial.place().orElseThrow().taken()).isEqualTo(1);
  }

  @Test
  void severalExecutionsAreToldTogetherAndRefusedTogether() {
    var two =
        new PlanOperation.BatchSchedule(
            List.of(PlansUnderTest.pay(0, 60, 40), PlansUnderTest.pay(0, 90, 2)), new Amount(42));
    var trial = tried(plans.queue, ALICE, two);
    plans.accepted(ALICE, two);
    assertThat(trial.schedules())
        .hasSize(2)
        .isEqualTo(((PlanResult.Scheduled) plans.result()).executions());
    assertThat(trial.setAside()).isEqualTo(new Amount(42));
    assertThat(trial.times()).hasSize(2);

    var refused = tried(plans.queue, ALICE, PlansUnderTest.pay(0, 60, 1));
    assertThat(refused.answer().refusal().map(Refusal::code))
        .contains(Refusal.Code.NO_EXECUTION_LEFT);
    assertThat(refused.schedules()).isEmpty();
    assertThat(refused.times()).isEmpty();
    assertThat(refused.why()).isEmpty();
  }

  @Test
  void aPurchaseSaysItsPriceInTheMoneyOfThePlan() {
    plans.addPlan(Plan.of(PRICE, 10, 1_000, Optional.of(RIF)));
    plans.accepted(ALICE, new PlanOperation.Approve(RIF, new Amount(1_000)));
    var own = tried(plans.queue, ALICE, purchase(0, 3, 3 * PRICE));
    assertThat(own.setAside()).isEqualTo(new Amount(3 * PRICE));
    assertThat(own.available().units()).isEqualTo(plans.queue.balance(ALICE) - 3 * PRICE);
    assertThat(own.answer().result()).contains(new PlanResult.Purchased(5));

    var token = tried(plans.queue, ALICE, purchase(1, 3, 0));
    assertThat(token.setAside()).isEqualTo(new Amount(3 * PRICE));
    assertThat(token.available().units()).isEqualTo(plans.queue.balance(ALICE.in(RIF)) - 3 * PRICE);
    assertThat(tried(plans.queue, ALICE, purchase(0, 3, 1)).answer().refusal().map(Refusal::code))
        .contains(Refusal.Code.WRONG_PAYMENT);
  }

  private static PlanOperation purchase(long plan, long quantity, long value) {
    return new PlanOperation.Purchase(plan, quantity, new Amount(value));
  }

  @Test
  void aCreationSaysWhoIsStillToSignWhatItCostsAndWhenItWouldExpire() {
    var creation =
        SignaturesUnderTest.creation(
            signatures.byAlice(), signatures.creationOf(1), ALICE_KEY, BOB_KEY);
    var payer = signatures.alice.account();
    var trial = tried(signatures.queue, payer, creation);
    long before = signatures.balance(signatures.alice);
    signatures.tell(signatures.alice, creation);
    var id = signatures.receipt().schedule().orElseThrow().schedule();

    assertThat(trial.schedules()).containsExactly(id);
    assertThat(trial.fee().units())
        .isEqualTo(before - signatures.balance(signatures.alice))
        .isPositive();
    assertThat(trial.setAside()).isEqualTo(Amount.ZERO);
    assertThat(trial.times()).isEmpty();
    assertThat(trial.place()).isEmpty();
    assertThat(trial.expires())
        .contains(
            ConsensusTime.ofSeconds(
                signatures.queries().terms(EntityId.of(id)).orElseThrow().expirySecond()));
    assertThat(trial.why().orElseThrow())
        .isEqualTo(
            signatures
                .queue
                .queue
                .explain(signatures.queue.state, id, signatures.queue.wall())
                .sentence())
        .startsWith("It waits for signatures: 2 of 3 keys");
  }

  /** What the transfer moves is no fee. */
  @Test
  void aCreationThatRunsAtOnceSaysSo() {
    var creation =
        SignaturesUnderTest.creation(
            signatures.byAlice(), signatures.creationOf(1), ALICE_KEY, BOB_KEY, CAROL_KEY);
    var trial = tried(signatures.queue, signatures.alice.account(), creation);
    long before = signatures.balance(signatures.alice);
    signatures.tell(signatures.alice, creation);
    assertThat(trial.available().units()).isEqualTo(signatures.balance(signatures.alice));
    assertThat(before - trial.fee().units() - 10).isEqualTo(trial.available().units());
    assertThat(trial.why().orElseThrow()).contains("It has its outcome");
    assertThat(trial.expires()).isEmpty();
  }

  @Test
  void aCreationThatIsThereAlreadyTellsWhichOne() {
    var id = signatures.create(signatures.gift(1), ALICE_KEY);
    var again =
        SignaturesUnderTest.creation(signatures.byAlice(), signatures.creationOf(1), BOB_KEY);
    var trial = tried(signatures.queue, signatures.alice.account(), again);
    assertThat(trial.schedules()).containsExactly(id.schedule());
    assertThat(trial.why().orElseThrow()).contains("2 of 3 keys");

    var unpaid =
        SignaturesUnderTest.creation(signatures.byAlice(), signatures.creationOf(2), CAROL_KEY);
    signatures.queue.accepted(
        QueueUnderTest.OPERATOR,
        new Operation.Withdraw(
            signatures.alice.account(), new Amount(signatures.balance(signatures.alice))));
    assertThat(tried(signatures.queue, signatures.alice.account(), unpaid).answer().refusal())
        .isPresent();
  }
}
