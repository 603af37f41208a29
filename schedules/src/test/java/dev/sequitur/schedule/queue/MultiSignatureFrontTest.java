package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Hedera's own clients need beside schedules: MSIG-18 to MSIG-20. */
class MultiSignatureFrontTest {
  private static final EntityId OPERATOR = new EntityId(2);
  private static final Account ACCOUNT = new Account(key(7), false, "");

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.CURRENT);

  private MultiSignatureOperation.CryptoTransfer transfer(Submission by, AccountAmount... rows) {
    return new MultiSignatureOperation.CryptoTransfer(by, new Action.CryptoTransfer(List.of(rows)));
  }

  private void open(EntityId id) {
    queue.tell(
        EntityId.FIRST, new MultiSignatureOperation.OpenReserved(id, ACCOUNT, new Amount(50)));
  }

  @Test
  void moneyMovesAtOnceAndTheRecordSaysSo() {
    var by = queue.by(queue.alice, ALICE_KEY);

    assertThat(queue.status(transfer(by, row(queue.alice, -7), row(queue.bob, 7))))
        .isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 7 - 1);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY + 7);
    var record = queue.queries().records(by.id()).getFirst();
    assertThat(record.transfers()).containsExactly(row(queue.alice, -7), row(queue.bob, 7));
    assertThat(record.fee()).isEqualTo(1);
  }

  @Test
  void whoGivesSigns() {
    assertThat(queue.status(transfer(queue.byAlice(), row(queue.bob, -7), row(queue.alice, 7))))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    var both = queue.by(queue.alice, ALICE_KEY, BOB_KEY);
    assertThat(queue.status(transfer(both, row(queue.bob, -7), row(queue.alice, 7))))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void whoWantsToBeAskedSignsWhatItReceives() {
    var careful = queue.open(CAROL_KEY, true);
    assertThat(queue.status(transfer(queue.byAlice(), row(queue.alice, -7), row(careful, 7))))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    var both = queue.by(queue.alice, ALICE_KEY, CAROL_KEY);
    assertThat(queue.status(transfer(both, row(queue.alice, -7), row(careful, 7))))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void nobodyGivesWhatItHasNotNorToNobody() {
    var payer = queue.byAlice();
    assertThat(queue.status(transfer(payer, row(queue.alice, -MONEY), row(queue.bob, MONEY))))
        .isEqualTo(ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
    assertThat(queue.status(transfer(payer, row(queue.alice, -7), row(queue.bob, 8))))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(queue.status(transfer(payer, row(queue.alice, -7), row(new EntityId(9), 7))))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_ID);
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY);
  }

  /** A refusal with a receipt (MSIG-19). */
  @Test
  void aRefusalHasAReceiptAndUsesUpItsId() {
    var by = queue.byAlice();
    var receipt = TransactionReceipt.of(ResponseCode.INVALID_SCHEDULE_ID);

    assertThat(queue.status(new MultiSignatureOperation.RecordRefusal(by, receipt, "ScheduleSign")))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);

    assertThat(queue.queries().records(by.id())).hasSize(1);
    assertThat(queue.queries().records(by.id()).getFirst().receipt()).isEqualTo(receipt);
    assertThat(queue.queries().records(by.id()).getFirst().asked())
        .contains(
            new TransactionRecord.Asked(
                "ScheduleSign", Optional.empty(), 1_000, 120, new NodeAccount(0, 3)));
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 1);
    assertThat(queue.status(transfer(by, row(queue.alice, -7), row(queue.bob, 7))))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  /** A refusal with a receipt (MSIG-19). */
  @Test
  void nobodyIsChargedForARefusalThatItsKeyHasNotSigned() {
    var by = queue.by(queue.alice, BOB_KEY);

    assertThat(
            queue.status(
                new MultiSignatureOperation.RecordRefusal(
                    by, TransactionReceipt.of(ResponseCode.INVALID_SCHEDULE_ID), "ScheduleSign")))
        .isEqualTo(ResponseCode.INVALID_PAYER_SIGNATURE);

    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY);
    assertThat(queue.queries().records(by.id())).isEmpty();
  }

  @Test
  void theAdministratorOpensANumberThatQueuesGiveNobody() {
    var next = queue.queue.state.keys().next();
    queue.administer(new MultiSignatureOperation.OpenReserved(OPERATOR, ACCOUNT, new Amount(50)));

    assertThat(queue.queries().account(OPERATOR).map(each -> each.openedAt(ConsensusTime.ZERO)))
        .contains(ACCOUNT);
    assertThat(queue.balance(OPERATOR)).isEqualTo(50);
    assertThat(queue.queue.state.keys().next()).isEqualTo(next);
  }

  @Test
  void itOpensNoneTwiceAndNoneThatAQueueGives() {
    queue.administer(new MultiSignatureOperation.OpenReserved(OPERATOR, ACCOUNT, new Amount(50)));
    for (var id : List.of(OPERATOR, EntityId.FIRST, new EntityId(0))) {
      queue.queue.tell(
          new QueueInput.Command(
              "again " + id,
              QueueUnderTest.OPERATOR,
              new QueueInput.Operation.Perform(
                  new MultiSignatureOperation.OpenReserved(id, ACCOUNT, new Amount(50)))));
      assertThat(queue.queue.answer().refusal()).isPresent();
    }
    assertThat(queue.balance(OPERATOR)).isEqualTo(50);
  }

  @Test
  void nobodyElseOpensOne() {
    open(OPERATOR);

    assertThat(queue.queue.answer().refusal().map(Refusal::code))
        .contains(Refusal.Code.NOT_ALLOWED);
    assertThat(queue.queries().account(OPERATOR)).isEmpty();
  }

  private ResponseCode change(Submission by, EntityId account) {
    AccountKey next = CAROL_KEY;
    return queue.status(
        new MultiSignatureOperation.CryptoUpdate(by, account, AccountChange.ofKey(next)));
  }

  /** As that network does: all others change by their key, whoever pays. */
  @Test
  void theTreasuryIsChangedByItselfAlone() {
    var node = new EntityId(3);
    for (var id : List.of(EntityId.TREASURY, node)) {
      queue.administer(new MultiSignatureOperation.OpenReserved(id, ACCOUNT, new Amount(50)));
    }
    var keys = new PublicKey[] {ALICE_KEY, key(7), CAROL_KEY};

    assertThat(change(queue.by(queue.alice, keys), EntityId.TREASURY))
        .isEqualTo(ResponseCode.AUTHORIZATION_FAILED);
    assertThat(change(queue.by(queue.alice, keys), node)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(change(queue.by(queue.alice, ALICE_KEY), node))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(change(queue.by(EntityId.TREASURY, keys), EntityId.TREASURY))
        .isEqualTo(ResponseCode.SUCCESS);
  }
}
