package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import org.junit.jupiter.api.Test;

/** Who begins a queue has something to try it with (ACC-9). */
class NewQueueTest {
  private static final long OPENING = 5_000;
  private static final long DEPOSIT = 700;

  private final QueueUnderTest queue = opening(OPENING);

  private static QueueUnderTest opening(long units) {
    return new QueueUnderTest(
        QueueSetup.of(OPERATOR, new GasPriority(SETTINGS)).opening(new Amount(units)));
  }

  private static Operation ofBob() {
    var terms = new GasPriorityTerms(START_MS + 200, 100, 7);
    return new Operation.Propose(
        Proposal.of(BOB, terms, new Target.Transfer(ALICE, new Amount(1))));
  }

  @Test
  void whoBeginsItHasMoneyOnceAndNobodyElseHas() {
    queue.accepted(ALICE, new Operation.Propose(pay(200, 7)));
    queue.accepted(ALICE, new Operation.Propose(pay(300, 7)));

    assertThat(queue.balance(ALICE)).isEqualTo(OPENING - 2 * DEPOSIT);
    assertThat(queue.refused(BOB, ofBob())).isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
  }

  /** It would be given to whoever asks for what cannot be. */
  @Test
  void whatIsRefusedLeavesTheQueueAsNewAsItWas() {
    assertThat(queue.refused(ALICE, new Operation.Propose(pay(200, OPENING))))
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
    assertThat(queue.balance(ALICE)).isZero();

    queue.accepted(BOB, ofBob());
    assertThat(queue.balance(BOB)).isEqualTo(OPENING - DEPOSIT);
  }

  @Test
  void aQueueThatHadMoneyIsNotNew() {
    queue.fund(BOB, 1);
    queue.accepted(OPERATOR, new Operation.Withdraw(BOB, new Amount(1)));

    assertThat(queue.refused(ALICE, new Operation.Propose(pay(200, 7))))
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void aPartitionGivesNothing() {
    queue.accepted(OPERATOR, new Operation.Divide(new Partition(Partition.home(ALICE, 2), 2)));

    assertThat(queue.refused(ALICE, new Operation.Propose(pay(200, 7))))
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void withoutTheSettingItIsTheAdministratorWhoFunds() {
    assertThat(opening(0).refused(ALICE, new Operation.Propose(pay(200, 7))))
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
  }
}
