package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.OpenAccount;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is named as payee can be paid: blocks pay it, and cannot refuse any more. */
class PlanPayeeTest {
  private static final AccountId NUMBERED = EntityId.FIRST.account();
  private static final AccountId LONG = new AccountId("p".repeat(199));

  private final QueueUnderTest queue = queue(AccountId.FEES);

  private static QueueUnderTest queue(AccountId payee) {
    return new QueueUnderTest(
        QueueSetup.of(
            OPERATOR,
            new MultiSignature(MultiSignatureSettings.MVP),
            new PlanExecutions(PlanSettings.DEFAULT.withPayee(payee))));
  }

  @Test
  void aNumberThatNobodyHasYetIsNoPayee() {
    assertThat(refused(queue, new PlanOperation.SetPayee(NUMBERED)))
        .isEqualTo(Code.UNKNOWN_ACCOUNT);

    open(queue, false);

    accepted(queue, new PlanOperation.SetPayee(NUMBERED));
  }

  @Test
  void anAccountThatSignsForWhatItGetsIsNoPayee() {
    open(queue, true);

    assertThat(refused(queue, new PlanOperation.SetPayee(NUMBERED))).isEqualTo(Code.NOT_ALLOWED);
  }

  @Test
  void theZeroAddressIsNoPayee() {
    var zero = new AccountId("0x" + "0".repeat(40));

    assertThat(refused(queue, new PlanOperation.SetPayee(zero))).isEqualTo(Code.NOT_ALLOWED);
    accepted(queue, new PlanOperation.SetPayee(new AccountId("0x" + "0".repeat(39) + "1")));
  }

  @Test
  void aPayeeWhoseNameHasNoRoomForATokenThatIsSoldForIsRefused() {
    accepted(queue, plan(Optional.of(RIF)));
    accepted(queue, new PlanOperation.RemovePlan(0));

    assertThat(refused(queue, new PlanOperation.SetPayee(LONG))).isEqualTo(Code.TOO_LARGE);
    accepted(queue, new PlanOperation.SetPayee(new AccountId("p".repeat(196))));
  }

  @Test
  void aPlanInATokenThatThePayeesNameHasNoRoomForIsRefused() {
    accepted(queue, new PlanOperation.SetPayee(LONG));

    assertThat(refused(queue, plan(Optional.of(new TokenId("t"))))).isEqualTo(Code.TOO_LARGE);
    accepted(queue, plan(Optional.empty()));
  }

  @Test
  void whileTheConfiguredPayeeIsANumberThatNobodyHasNothingIsSold() {
    var configured = queue(NUMBERED);
    assertThat(refused(configured, plan(Optional.empty()))).isEqualTo(Code.UNKNOWN_ACCOUNT);

    open(configured, false);

    accepted(configured, plan(Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@held", "@outside", "alice#RIF", "0x0000000000000000000000000000000000000000"})
  void noAccountOfTheBookItselfAndNotTheZeroAddressIsConfiguredAsPayee(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue(new AccountId(name)))
        .withMessageContaining("payee");
  }

  /** Told so, and not as a failure of the node. */
  @Test
  void aBuyerWhoseNameHasNoRoomForTheTokenIsRefused() {
    accepted(queue, plan(Optional.of(RIF)));

    assertThat(
            queue.refused(
                LONG, new Operation.Perform(new PlanOperation.Approve(RIF, new Amount(PRICE)))))
        .isEqualTo(Code.TOO_LARGE);
    assertThat(
            queue.refused(
                LONG, new Operation.Perform(new PlanOperation.Purchase(0, 1, Amount.ZERO))))
        .isEqualTo(Code.TOO_LARGE);
  }

  private static PlanOperation plan(Optional<TokenId> token) {
    return new PlanOperation.AddPlan(Plan.of(PRICE, WINDOW, GAS, token));
  }

  private static void open(QueueUnderTest queue, boolean receiverSigRequired) {
    accepted(queue, new OpenAccount(new Account(ALICE_KEY, receiverSigRequired, "")));
  }

  private static void accepted(QueueUnderTest queue, FamilyOperation operation) {
    queue.accepted(OPERATOR, new Operation.Perform(operation));
  }

  private static Code refused(QueueUnderTest queue, FamilyOperation operation) {
    return queue.refused(OPERATOR, new Operation.Perform(operation));
  }
}
