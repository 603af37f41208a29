package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.newQueue;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the administrator alone may do, and what nobody can; a refused command stores nothing. */
class CommandsTest {
  private final QueueUnderTest queue = newQueue();

  @Test
  void moneyComesInAndGoesOutThroughTheAdministratorAlone() {
    queue.accepted(OPERATOR, new Operation.Fund(BOB, new Amount(7)));
    queue.accepted(OPERATOR, new Operation.Withdraw(BOB, new Amount(3)));
    assertThat(queue.balance(BOB)).isEqualTo(4);

    for (var operation :
        List.<Operation>of(
            new Operation.Fund(BOB, new Amount(7)), new Operation.Withdraw(BOB, new Amount(3)))) {
      assertThat(queue.refused(BOB, operation)).isEqualTo(Refusal.Code.NOT_ALLOWED);
    }
  }

  @Test
  void noMoreComesInThanTheQueueCanCount() {
    assertThat(queue.refused(OPERATOR, new Operation.Fund(BOB, new Amount(Long.MAX_VALUE))))
        .isEqualTo(Refusal.Code.OVERFLOW);
    queue.accepted(OPERATOR, new Operation.Fund(BOB, new Amount(Long.MAX_VALUE - MONEY)));
  }

  @Test
  void noMoreGoesOutThanTheAccountHas() {
    assertThat(queue.refused(OPERATOR, new Operation.Withdraw(ALICE, new Amount(MONEY + 1))))
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(MONEY)));
    assertThat(queue.balance(ALICE)).isZero();
  }

  @Test
  void whatComesInInATokenStaysInIt() {
    var purse = BOB.in(new TokenId("RIF"));

    queue.accepted(OPERATOR, new Operation.Fund(purse, new Amount(9)));
    assertThat(queue.balance(BOB)).isZero();
    queue.accepted(OPERATOR, new Operation.Withdraw(purse, new Amount(4)));
    assertThat(queue.balance(purse)).isEqualTo(5);
  }

  /** Only its own family can say what runs by it. */
  @Test
  void aProposalNamesWhatIsToBeRun() {
    var unnamed = proposal(200, 100, 7, new Target.ByFamily());

    assertThat(queue.refused(ALICE, new Operation.Propose(unnamed)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  @Test
  void familiesAreStoppedAndStartedByTheAdministratorAlone() {
    for (var operation :
        List.<Operation>of(
            new Operation.Pause(GAS_PRIORITY),
            new Operation.Resume(GAS_PRIORITY),
            new Operation.Shutdown(GAS_PRIORITY))) {
      assertThat(queue.refused(ALICE, operation)).isEqualTo(Refusal.Code.NOT_ALLOWED);
    }
    assertThat(queue.refused(OPERATOR, new Operation.Resume(GAS_PRIORITY)))
        .isEqualTo(Refusal.Code.BAD_STATE);
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
  }
}
