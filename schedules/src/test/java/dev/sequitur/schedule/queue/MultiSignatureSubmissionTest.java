package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.Submission;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One response code after the other; whatever is refused stores nothing and costs nothing. */
class MultiSignatureSubmissionTest {
  private static final EntityId NOBODY = new EntityId(999_999);

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @AfterEach
  void nothingIsStoredOfWhatIsRefused() {
    if (queue.queue.answer().refusal().isPresent()) {
      assertThat(queue.queue.last.events()).isEmpty();
    }
  }

  @Test
  void aRepeatedTransactionIdIsADuplicate() {
    var by = queue.byAlice();
    assertThat(queue.status(creation(by, plain(1)))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.status(creation(by, plain(2)))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  @Test
  void scheduledAndNonceAreNotForATransactionThatIsSubmitted() {
    var id = queue.byAlice().id();
    assertThat(submit(id.triggered(0))).isEqualTo(ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED);
    assertThat(submit(new AccountTransactionId(id.validStart(), id.account(), false, 1)))
        .isEqualTo(ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED);
    assertThat(queue.result().responseCode()).isEqualTo(210);
  }

  @Test
  void itIsValidFromItsStartForItsDuration() {
    long now = queue.queue.nowMs;
    assertThat(submit(at(now + 1))).isEqualTo(ResponseCode.INVALID_TRANSACTION_START);
    assertThat(submit(at(now - 120_000))).isEqualTo(ResponseCode.TRANSACTION_EXPIRED);
    assertThat(submit(at(now - 119_999))).isEqualTo(ResponseCode.SUCCESS);

    queue.later(1);
    assertThat(submit(at(queue.queue.nowMs))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void itsDurationIsAboveZeroAndWithinTheLimit() {
    assertThat(queue.status(creation(valid(0), plain(1))))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_DURATION);
    assertThat(queue.status(creation(valid(181), plain(1))))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_DURATION);
    assertThat(queue.status(creation(valid(180), plain(1)))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.status(creation(valid(1), plain(2)))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void itsPayerExistsAndHasSigned() {
    assertThat(queue.status(creation(queue.by(NOBODY, ALICE_KEY), plain(1))))
        .isEqualTo(ResponseCode.PAYER_ACCOUNT_NOT_FOUND);
    assertThat(queue.status(creation(queue.by(queue.alice, BOB_KEY), plain(1))))
        .isEqualTo(ResponseCode.INVALID_PAYER_SIGNATURE);
    assertThat(queue.status(creation(queue.by(queue.alice), plain(1))))
        .isEqualTo(ResponseCode.INVALID_PAYER_SIGNATURE);
  }

  @Test
  void nobodySubmitsInAnothersName() {
    queue.tell(queue.bob, creation(queue.byAlice(), plain(1)));

    assertThat(queue.receipt().status()).isEqualTo(ResponseCode.INVALID_PAYER_SIGNATURE);
  }

  @Test
  void memosHaveAHundredBytes() {
    var good = queue.byAlice();
    var by =
        new Submission(
            good.id(),
            good.node(),
            120,
            1_000,
            "x".repeat(101),
            Bytes.EMPTY,
            good.content(),
            good.signatures());
    assertThat(queue.status(creation(by, plain(1)))).isEqualTo(ResponseCode.MEMO_TOO_LONG);

    var memo =
        new Creation(
            queue.gift(1),
            Optional.empty(),
            Optional.empty(),
            "é".repeat(51),
            Optional.empty(),
            false);
    assertThat(queue.status(creation(queue.byAlice(), memo))).isEqualTo(ResponseCode.MEMO_TOO_LONG);

    var gift = queue.gift(1);
    var body =
        new ScheduledTransaction(
            gift.bytes(), gift.hash(), 1, gift.maxFee(), "x".repeat(101), gift.action());
    var inner = new Creation(body, Optional.empty(), Optional.empty(), "", Optional.empty(), false);
    assertThat(queue.status(creation(queue.byAlice(), inner)))
        .isEqualTo(ResponseCode.MEMO_TOO_LONG);
  }

  @Test
  void noMemoHasAZeroByte() {
    for (var zero : List.of("a\0b", "\0")) {
      var good = queue.byAlice();
      var by =
          new Submission(
              good.id(),
              good.node(),
              120,
              1_000,
              zero,
              Bytes.EMPTY,
              good.content(),
              good.signatures());
      assertThat(queue.status(creation(by, plain(1))))
          .isEqualTo(ResponseCode.INVALID_ZERO_BYTE_IN_STRING);
    }

    var memo =
        new Creation(
            queue.gift(1), Optional.empty(), Optional.empty(), "a\0b", Optional.empty(), false);
    assertThat(queue.status(creation(queue.byAlice(), memo)))
        .isEqualTo(ResponseCode.INVALID_ZERO_BYTE_IN_STRING);
  }

  @Test
  void theFeeIsAllowedForAndThere() {
    var good = queue.byAlice();
    var stingy =
        new Submission(
            good.id(), good.node(), 120, 9, "", Bytes.EMPTY, good.content(), good.signatures());
    assertThat(queue.status(creation(stingy, plain(1))))
        .isEqualTo(ResponseCode.INSUFFICIENT_TX_FEE);
    var just =
        new Submission(
            good.id(), good.node(), 120, 10, "", Bytes.EMPTY, good.content(), good.signatures());
    assertThat(queue.status(creation(just, plain(1)))).isEqualTo(ResponseCode.SUCCESS);

    var poor = queue.open(key(9));
    assertThat(queue.status(creation(queue.by(poor, key(9)), plain(1))))
        .isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
  }

  @Test
  void theExecutionsFeeIsBoundedByTheBody() {
    var transfer = new Action.CryptoTransfer(List.of(row(queue.bob, -5), row(queue.dave, 5)));
    var plain = body(1, transfer);
    var stingy = new ScheduledTransaction(plain.bytes(), plain.hash(), 1, 0, "", transfer);

    queue.create(stingy, BOB_KEY);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_TX_FEE);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);

    var other = body(2, transfer);
    queue.create(
        new ScheduledTransaction(other.bytes(), other.hash(), 2, 1, "", transfer), BOB_KEY);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);
  }

  @Test
  void aTransferIsBalancedAndNamesEachAccountOnce() {
    assertThat(transfer(row(queue.alice, -5), row(queue.bob, 4)))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(transfer(row(queue.alice, -5), row(queue.bob, 5), row(queue.carol, 0)))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(transfer()).isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(transfer(row(queue.alice, Long.MIN_VALUE), row(queue.bob, Long.MAX_VALUE)))
        .isEqualTo(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
    assertThat(transfer(row(queue.alice, -5), row(queue.bob, 2), row(queue.bob, 3)))
        .isEqualTo(ResponseCode.ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS);
    var many = new AccountAmount[11];
    Arrays.setAll(many, i -> row(new EntityId(2_000 + i), i == 0 ? -10 : 1));
    assertThat(transfer(many)).isEqualTo(ResponseCode.TRANSFER_LIST_SIZE_LIMIT_EXCEEDED);
  }

  @Test
  void whoMustSignIsKnown() {
    assertThat(transfer(row(NOBODY, -5), row(queue.bob, 5)))
        .isEqualTo(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
    assertThat(transfer(row(queue.bob, -5), row(NOBODY, 5)))
        .isEqualTo(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
    var payer = Creation.of(queue.gift(1), Optional.empty(), Optional.of(NOBODY));
    assertThat(queue.status(creation(queue.byAlice(), payer)))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_PAYER_ID);
  }

  @Test
  void onlyWhatCanBeScheduledIs() {
    assertThat(status(body(1, new Action.Unschedulable("scheduleCreate"))))
        .isEqualTo(ResponseCode.UNSCHEDULABLE_TRANSACTION);
    var big = Bytes.of(new byte[6_145]);
    assertThat(
            status(
                new ScheduledTransaction(
                    big, Hash.sha256(big.toByteArray()), 0, 1, "", queue.gift(1).action())))
        .isEqualTo(ResponseCode.TRANSACTION_OVERSIZE);
  }

  @Test
  void nothingRunsAtATimeInTheFirstPhase() {
    var timed =
        new Creation(
            queue.gift(1), Optional.empty(), Optional.empty(), "", Optional.of(2_000L), true);

    assertThat(queue.status(creation(queue.byAlice(), timed)))
        .isEqualTo(ResponseCode.NOT_SUPPORTED);
  }

  @Test
  void whatIsNotThereCannotBeSignedOrDeleted() {
    assertThat(queue.sign(NOBODY, ALICE_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.delete(queue.alice, DAVE_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void anAccountsKeyIsChangedByTheOldAndTheNewOne() {
    assertThat(update(queue.bob, key(9), DAVE_KEY, key(9)))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(update(queue.bob, key(9), DAVE_KEY, BOB_KEY))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(update(NOBODY, key(9), DAVE_KEY, key(9))).isEqualTo(ResponseCode.INVALID_ACCOUNT_ID);
    assertThat(update(queue.bob, key(9), DAVE_KEY, BOB_KEY, key(9)))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void anAccountIsMadeAtOnceToo() {
    var careful = new Action.CryptoCreate(key(9), new Amount(7), true, "");
    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(queue.byAlice(), careful)))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    var rich = new Action.CryptoCreate(key(9), new Amount(MONEY), false, "");
    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(queue.byAlice(), rich)))
        .isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);

    var by = queue.by(queue.alice, ALICE_KEY, key(9));
    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(by, careful)))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.receipt().account().orElseThrow())).isEqualTo(7);
  }

  @Test
  void accountsAndKeysAreTheAdministrators() {
    var open = new MultiSignatureOperation.OpenAccount(new Account(key(9), false, ""));

    assertThat(queue.queue.refused(queue.alice.account(), new Operation.Perform(open)).name())
        .isEqualTo("NOT_ALLOWED");
  }

  @Test
  void whileTheFamilyIsPausedItIsBusy() {
    queue.queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.MULTI_SIGNATURE));

    assertThat(queue.status(creation(queue.byAlice(), plain(1)))).isEqualTo(ResponseCode.BUSY);
    var refusal = queue.queue.answer().refusal().orElseThrow();
    assertThat(refusal.code()).isEqualTo(Refusal.Code.SERVICE_NOT_ACTIVE);
    assertThat(refusal.sentence()).contains("are paused");
  }

  private ResponseCode submit(AccountTransactionId id) {
    return queue.status(creation(SignaturesUnderTest.by(id, ALICE_KEY), plain(1)));
  }

  private AccountTransactionId at(long ms) {
    return AccountTransactionId.submitted(ConsensusTime.ofMillis(ms), queue.alice);
  }

  private Submission valid(long seconds) {
    var good = queue.byAlice();
    return new Submission(
        good.id(), good.node(), seconds, 1_000, "", Bytes.EMPTY, good.content(), good.signatures());
  }

  private ResponseCode transfer(AccountAmount... rows) {
    return status(body(1, new Action.CryptoTransfer(List.of(rows))));
  }

  private ResponseCode status(ScheduledTransaction body) {
    return queue.status(
        creation(queue.byAlice(), Creation.of(body, Optional.empty(), Optional.empty())));
  }

  private ResponseCode update(EntityId account, PublicKey to, PublicKey... signers) {
    return queue.status(
        new MultiSignatureOperation.CryptoUpdate(queue.by(queue.dave, signers), account, to));
  }

  private Creation plain(int nonce) {
    return Creation.of(queue.gift(nonce), Optional.empty(), Optional.empty());
  }
}
