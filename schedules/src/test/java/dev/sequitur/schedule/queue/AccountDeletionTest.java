package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An account goes, and what it has goes to another one: MSIG-24. */
class AccountDeletionTest {
  private static final EntityId NOBODY = new EntityId(9_999);

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.CURRENT);

  private ResponseCode delete(Submission by, EntityId account, EntityId to) {
    return queue.status(new MultiSignatureOperation.CryptoDelete(by, account, to));
  }

  private Submission byBoth() {
    return queue.by(queue.alice, ALICE_KEY, BOB_KEY);
  }

  private void deleteBob() {
    assertThat(delete(byBoth(), queue.bob, queue.carol)).isEqualTo(ResponseCode.SUCCESS);
  }

  private ResponseCode give(EntityId from, EntityId to) {
    var rows = new Action.CryptoTransfer(List.of(row(from, -7), row(to, 7)));
    return queue.status(new MultiSignatureOperation.CryptoTransfer(byBoth(), rows));
  }

  @Test
  void allItsMoneyGoesToTheOtherOneAndTheRecordSaysSo() {
    var by = byBoth();

    assertThat(delete(by, queue.bob, queue.carol)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(queue.bob)).isZero();
    assertThat(queue.balance(queue.carol)).isEqualTo(2 * MONEY);
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - 1);
    var record = queue.queries().records(by.id()).getFirst();
    assertThat(record.transfers()).containsExactly(row(queue.bob, -MONEY), row(queue.carol, MONEY));
    assertThat(record.asked().orElseThrow().about()).contains(queue.bob);
  }

  @Test
  void oneThatPaysForItsOwnGivesWhatIsLeft() {
    assertThat(delete(queue.byAlice(), queue.alice, queue.bob)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(queue.alice)).isZero();
    assertThat(queue.balance(queue.bob)).isEqualTo(2 * MONEY - 1);
  }

  @Test
  void oneThatHasNothingGoesAsWell() {
    var poor = queue.open(BOB_KEY);

    assertThat(delete(byBoth(), poor, queue.carol)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(queue.carol)).isEqualTo(MONEY);
    assertThat(delete(byBoth(), poor, queue.carol)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
  }

  @Test
  void itSignsAndSoDoesWhoeverWantsToBeAskedWhatItReceives() {
    var careful = queue.open(CAROL_KEY, true);

    assertThat(delete(queue.byAlice(), queue.bob, queue.carol))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(delete(byBoth(), queue.bob, careful)).isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
    var all = queue.by(queue.alice, ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(delete(all, queue.bob, careful)).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void bothAreThereAndTheyAreTwo() {
    assertThat(delete(byBoth(), NOBODY, queue.carol)).isEqualTo(ResponseCode.INVALID_ACCOUNT_ID);
    assertThat(delete(byBoth(), queue.bob, NOBODY))
        .isEqualTo(ResponseCode.INVALID_TRANSFER_ACCOUNT_ID);
    assertThat(delete(byBoth(), queue.bob, queue.bob))
        .isEqualTo(ResponseCode.TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT);
    deleteBob();
    assertThat(delete(queue.byAlice(), queue.alice, queue.bob))
        .isEqualTo(ResponseCode.ACCOUNT_DELETED);
  }

  @Test
  void whatIsAskedOfOneThatIsGoneIsToldSo() {
    deleteBob();

    assertThat(give(queue.alice, queue.bob)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    assertThat(give(queue.bob, queue.alice)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    AccountKey next = CAROL_KEY;
    var update =
        new MultiSignatureOperation.CryptoUpdate(byBoth(), queue.bob, AccountChange.ofKey(next));
    assertThat(queue.status(update)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    var paying =
        new MultiSignatureOperation.CryptoCreate(
            queue.by(queue.bob, BOB_KEY), new Action.CryptoCreate(next, Amount.ZERO, false, ""));
    assertThat(queue.status(paying)).isEqualTo(ResponseCode.PAYER_ACCOUNT_DELETED);
    assertThat(queue.queries().account(queue.bob)).isEmpty();
  }

  private ResponseCode outcome(Creation creation) {
    var by = queue.by(queue.alice, ALICE_KEY);
    var create = SignaturesUnderTest.creation(by, creation);
    assertThat(queue.status(create)).isEqualTo(ResponseCode.SUCCESS);
    var sign =
        new MultiSignatureOperation.ScheduleSign(
            queue.by(queue.alice, ALICE_KEY, BOB_KEY, CAROL_KEY),
            queue.receipt().schedule().orElseThrow(),
            create.sigMap());
    assertThat(queue.status(sign)).isEqualTo(ResponseCode.SUCCESS);
    return queue.queries().records(by.id().triggered(0)).getLast().receipt().status();
  }

  /** Its key still counts; what is run then fails, and moves nothing. */
  @Test
  void aScheduleThatNeedsItFails() {
    deleteBob();

    var gift =
        Creation.of(
            queue.transfer(0, queue.carol, queue.bob, 5), Optional.empty(), Optional.empty());
    assertThat(outcome(gift)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    var paid =
        Creation.of(
            queue.transfer(0, queue.carol, queue.dave, 5),
            Optional.empty(),
            Optional.of(queue.bob));
    assertThat(outcome(paid)).isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);

    assertThat(queue.balance(queue.dave)).isEqualTo(MONEY);
    assertThat(queue.balance(queue.carol)).isEqualTo(2 * MONEY);
  }

  /** Where nothing costs anything, having nothing would not stop it. */
  @Test
  void itPaysForNothingThatCostsNothing() {
    var none = Amount.ZERO;
    var fees = new OperationFees(none, none, none, none, none, none, none, none, none);
    var free = new SignaturesUnderTest(MultiSignatureSettings.CURRENT.withFees(fees));
    var delete =
        new MultiSignatureOperation.CryptoDelete(
            free.by(free.alice, ALICE_KEY, BOB_KEY), free.bob, free.dave);
    assertThat(free.status(delete)).isEqualTo(ResponseCode.SUCCESS);
    var body = free.transfer(0, free.carol, free.dave, 5);
    var by = free.by(free.alice, ALICE_KEY, BOB_KEY, CAROL_KEY);
    var paid = Creation.of(body, Optional.empty(), Optional.of(free.bob));

    assertThat(free.status(SignaturesUnderTest.creation(by, paid))).isEqualTo(ResponseCode.SUCCESS);

    var ran = free.queries().records(by.id().triggered(0)).getLast();
    assertThat(ran.receipt().status()).isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
  }

  @Test
  void itsNumberIsNeverGivenAgain() {
    deleteBob();

    var next = queue.open(BOB_KEY);

    assertThat(next).isGreaterThan(queue.dave);
    assertThat(queue.queries().account(queue.bob)).isEmpty();
  }

  /** Neither moves money of the account, and another one pays. */
  @Test
  void itsChangeAndItsDeletionAreAmongItsTransactions() {
    var poor = queue.open(BOB_KEY);
    var change = byBoth();
    var deletion = byBoth();
    AccountKey next = BOB_KEY;
    var update = new MultiSignatureOperation.CryptoUpdate(change, poor, AccountChange.ofKey(next));
    assertThat(queue.status(update)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(delete(deletion, poor, queue.carol)).isEqualTo(ResponseCode.SUCCESS);

    var all = new TimeRange(ConsensusTime.ZERO, new ConsensusTime(Long.MAX_VALUE), false, 100);
    var query = new MultiSignatureQuery.RecordsIn(all, Optional.of(poor));

    assertThat(queue.queue.queue.ask(queue.queue.state, query, queue.queue.wall()).records())
        .extracting(each -> each.record().transactionId())
        .containsExactly(change.id(), deletion.id());
  }

  /** The front's operator is one of these: without it no call would be paid for any more. */
  @Test
  void oneWithAReservedNumberStays() {
    var reserved = new EntityId(2);
    var account = new Account(BOB_KEY, false, "");
    queue.administer(new MultiSignatureOperation.OpenReserved(reserved, account, new Amount(5)));

    assertThat(delete(byBoth(), reserved, queue.alice))
        .isEqualTo(ResponseCode.ENTITY_NOT_ALLOWED_TO_DELETE);

    assertThat(queue.balance(reserved)).isEqualTo(5);
    assertThat(queue.queries().account(reserved)).isPresent();
  }
}
