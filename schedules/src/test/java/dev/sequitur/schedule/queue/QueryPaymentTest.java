package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is paid for a question: MSIG-22. */
class QueryPaymentTest {
  private static final EntityId NODE = new EntityId(3);
  private static final long PRICE = 5;

  private final SignaturesUnderTest queue =
      new SignaturesUnderTest(MultiSignatureSettings.CURRENT.withFees(fees()));

  private static OperationFees fees() {
    var usual = OperationFees.DEFAULT;
    return new OperationFees(
        usual.create(),
        usual.sign(),
        usual.delete(),
        usual.perSignature(),
        usual.cryptoTransfer(),
        usual.cryptoCreate(),
        usual.cryptoUpdate(),
        usual.privateTransaction(),
        new Amount(PRICE));
  }

  private ResponseCode pay(Submission by, AccountAmount... rows) {
    return queue.status(
        new MultiSignatureOperation.QueryPayment(
            by, new Action.CryptoTransfer(List.of(rows)), NODE));
  }

  private long fees(SignaturesUnderTest at) {
    return at.queue.state.book().available(AccountId.FEES).units();
  }

  @Test
  void whatTheNodeIsPaidItHas() {
    var account = new Account(BOB_KEY, true, "");
    queue.administer(new MultiSignatureOperation.OpenReserved(NODE, account, Amount.ZERO));
    long before = fees(queue);
    var by = queue.byAlice();

    assertThat(pay(by, row(queue.alice, -7), row(NODE, 7))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(NODE)).isEqualTo(7);
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 7 - 1);
    assertThat(fees(queue)).isEqualTo(before + 1);
    assertThat(queue.queries().records(by.id()).getFirst().transfers())
        .containsExactly(row(queue.alice, -7), row(NODE, 7));
  }

  @Test
  void whatANodeThatIsNoAccountIsPaidGoesWhereFeesGoAndTheRecordNamesTheNode() {
    long before = fees(queue);
    var by = queue.byAlice();

    assertThat(pay(by, row(queue.alice, -7), row(NODE, 7))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 7 - 1);
    assertThat(fees(queue)).isEqualTo(before + 7 + 1);
    assertThat(queue.balance(NODE)).isZero();
    var record = queue.queries().records(by.id()).getFirst();
    assertThat(record.transfers()).containsExactly(row(queue.alice, -7), row(NODE, 7));
    assertThat(record.fee()).isEqualTo(1);
    assertThat(record.content()).isEqualTo(by.content());
  }

  @Test
  void itIsTakenOnce() {
    var by = queue.byAlice();
    assertThat(pay(by, row(queue.alice, -5), row(NODE, 5))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(pay(by, row(queue.alice, -5), row(NODE, 5)))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 5 - 1);
  }

  @Test
  void whatIsTooLittleOrGoesElsewhereIsNotTaken() {
    assertThat(pay(queue.byAlice(), row(queue.alice, -4), row(NODE, 4)))
        .isEqualTo(ResponseCode.INSUFFICIENT_TX_FEE);
    assertThat(pay(queue.byAlice(), row(queue.alice, -5), row(queue.bob, 5)))
        .isEqualTo(ResponseCode.INVALID_RECEIVING_NODE_ACCOUNT);
    assertThat(pay(queue.byAlice(), row(NODE, -5), row(queue.alice, 5)))
        .isEqualTo(ResponseCode.INVALID_RECEIVING_NODE_ACCOUNT);
    assertThat(pay(queue.byAlice(), row(queue.alice, -5), row(NODE, 6)))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(
            pay(queue.byAlice(), row(queue.alice, -9), row(NODE, 5), row(new EntityId(999_999), 4)))
        .isEqualTo(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
    assertThat(pay(queue.byAlice(), row(queue.alice, -MONEY), row(NODE, MONEY)))
        .isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY);
  }

  @Test
  void whoeverGivesSigns() {
    assertThat(pay(queue.byAlice(), row(queue.bob, -5), row(NODE, 5)))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(pay(queue.by(queue.alice, ALICE_KEY, BOB_KEY), row(queue.bob, -5), row(NODE, 5)))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);
  }
}
