package dev.sequitur.protocol.schedule.queue;

import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.protocol.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureSettings;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.Creation;
import dev.sequitur.protocol.schedule.signing.Key;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.protocol.schedule.signing.SignatureCheck;
import dev.sequitur.protocol.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The specification, in its own order: profile {@code mvp}. */
class MultiSignatureTest {
  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @Test
  void theExampleOfTheTextWithItsTwoRecords() {
    // 1. Alice creates a scheduled transfer that needs three signatures, with her own.
    var create = creation(queue.byAlice(), creationOf(7), ALICE_KEY);
    assertThat(queue.status(create)).isEqualTo(ResponseCode.SUCCESS);
    var schedule = queue.receipt().schedule().orElseThrow();
    assertThat(queue.exported())
        .singleElement()
        .satisfies(
            created -> {
              assertThat(created.transactionId()).isEqualTo(create.by().id());
              assertThat(created.receipt().schedule()).contains(schedule);
              assertThat(created.scheduleRef()).isEmpty();
            });

    // 2. Bob signs.
    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported())
        .singleElement()
        .satisfies(signed -> assertThat(signed.receipt().schedule()).isEmpty());
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);

    // 3. Carol signs last: the schedule runs in the same step.
    assertThat(queue.sign(schedule, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);
    var records = queue.exported();
    assertThat(records).hasSize(2);
    var signed = records.get(0);
    var triggered = records.get(1);
    assertThat(triggered.consensusTimestamp().nanos())
        .isEqualTo(signed.consensusTimestamp().nanos() + 1);
    assertThat(signed.scheduleRef()).isEmpty();
    assertThat(triggered.scheduleRef()).contains(schedule);
    assertThat(triggered.receipt().status()).isEqualTo(ResponseCode.SUCCESS);
    assertThat(triggered.transactionId()).isEqualTo(create.by().id().triggered(7));
    assertThat(triggered.transactionId().validStart()).isEqualTo(create.by().id().validStart());
    assertThat(triggered.transactionId().account()).isEqualTo(queue.alice);
    assertThat(triggered.transactionId()).hasToString(create.by().id() + "?scheduled/7");
    assertThat(triggered.transfers())
        .containsExactly(
            row(queue.alice, -10), row(queue.bob, -10), row(queue.carol, -10), row(queue.dave, 30));
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
    assertThat(queue.balance(queue.carol)).isEqualTo(MONEY - 10);
    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.RUN);
  }

  @Test
  void itRunsAtOnceIfAllHaveSignedAtItsCreation() {
    queue.create(queue.gift(1), ALICE_KEY, BOB_KEY, CAROL_KEY);

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void anIdenticalCreationMergesItsSignaturesAndMayRunIt() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);

    var bobs = creation(queue.by(queue.bob, BOB_KEY), creationOf(1), BOB_KEY);
    assertThat(queue.status(bobs)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.receipt().schedule()).contains(schedule);
    assertThat(queue.queue.state.entries().schedules()).hasSize(1);

    var carols = creation(queue.by(queue.carol, CAROL_KEY), creationOf(1), CAROL_KEY);
    assertThat(queue.status(carols)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(2);
    assertThat(queue.exported().get(1).transactionId().account()).isEqualTo(queue.alice);
  }

  @Test
  void anotherPayerAdminKeyOrMemoMakesAnotherSchedule() {
    var first = queue.create(queue.gift(1));
    var body = queue.gift(1);

    assertThat(queue.create(Creation.of(body, Optional.of(ALICE_KEY), Optional.empty())))
        .isNotEqualTo(first);
    assertThat(queue.create(Creation.of(body, Optional.empty(), Optional.of(queue.bob))))
        .isNotEqualTo(first);
    assertThat(
            queue.create(
                new Creation(
                    body, Optional.empty(), Optional.empty(), "x", Optional.empty(), false)))
        .isNotEqualTo(first);
    assertThat(queue.create(body)).isEqualTo(first);
  }

  @Test
  void anotherNonceMakesAnotherSchedule() {
    assertThat(queue.create(queue.gift(1))).isNotEqualTo(queue.create(queue.gift(2)));
  }

  @Test
  void aSignatureThatIsWrongRejectsTheOperationAndRecordsNothing() {
    var schedule = queue.create(queue.gift(1));
    var body = queue.queries().terms(schedule).orElseThrow().creation().transaction().hash();
    var checks =
        List.of(SignatureCheck.by(ALICE_KEY), new SignatureCheck(BOB_KEY.value(), List.of()));

    assertThat(
            queue.status(
                new MultiSignatureOperation.ScheduleSign(
                    queue.byAlice(), schedule, new VerifiedSignatures(body, checks))))
        .isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
    assertThat(queue.queue.last.events()).isEmpty();
    assertThat(queue.result().responseCode()).isEqualTo(209);
  }

  @Test
  void aSignatureOfAKeyThatNeedNotSignRejectsTheOperation() {
    var schedule = queue.create(queue.gift(1));

    assertThat(queue.sign(schedule, ALICE_KEY, DAVE_KEY))
        .isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
    assertThat(queue.queries().keysMissing(schedule)).contains(ALICE_KEY);
  }

  @Test
  void aSignatureOverAnotherBodyIsWrong() {
    var schedule = queue.create(queue.gift(1));
    var other = SignaturesUnderTest.signatures(queue.gift(2).hash(), ALICE_KEY);

    assertThat(
            queue.status(
                new MultiSignatureOperation.ScheduleSign(queue.byAlice(), schedule, other)))
        .isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
  }

  @Test
  void whoHasSignedAlreadyAddsNothing() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);

    assertThat(queue.sign(schedule, ALICE_KEY)).isEqualTo(ResponseCode.NO_NEW_VALID_SIGNATURES);
    assertThat(queue.queue.last.events()).isEmpty();
    assertThat(queue.sign(schedule, ALICE_KEY, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void withoutSignaturesItsReadinessIsTestedAgain() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY, BOB_KEY);
    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.NO_NEW_VALID_SIGNATURES);

    // Carol's account gets a key that has signed.
    queue.status(
        new MultiSignatureOperation.CryptoUpdate(
            queue.by(queue.carol, CAROL_KEY, BOB_KEY), queue.carol, BOB_KEY));

    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
  }

  @Test
  void thePresentKeysOfAccountsCount() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);
    queue.status(
        new MultiSignatureOperation.CryptoUpdate(
            queue.by(queue.alice, ALICE_KEY, key(9)), queue.alice, key(9)));

    assertThat(queue.sign(schedule, BOB_KEY, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(1);
    assertThat(queue.sign(schedule, key(9))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(2);
  }

  @Test
  void twoOfThreeKeysAreEnoughForAThresholdKeyWithAListInIt() {
    var list = new Key.KeyList(List.of(key(21), key(22)));
    var treasury = queue.open(new Key.ThresholdKey(2, List.of(list, key(23), key(24))));
    queue.queue.fund(treasury.account(), 100);
    var schedule = queue.create(queue.transfer(1, treasury, queue.bob, 60), key(21), key(24));
    assertThat(queue.exported()).hasSize(1);

    assertThat(queue.sign(schedule, key(22))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.balance(treasury)).isEqualTo(40);
  }

  @Test
  void whoReceivesSignsOnlyIfTheAccountWantsIt() {
    var careful = queue.open(key(31), true);
    var schedule = queue.create(queue.transfer(1, queue.alice, careful, 5), ALICE_KEY);
    assertThat(queue.exported()).hasSize(1);

    queue.sign(schedule, key(31));

    assertThat(queue.balance(careful)).isEqualTo(5);
  }

  @Test
  void aPayerOtherThanTheCreatorMustSignToo() {
    var creation =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5),
            Optional.empty(),
            Optional.of(queue.carol));
    var schedule = queue.create(creation, BOB_KEY);
    assertThat(queue.exported()).hasSize(1);

    assertThat(queue.sign(schedule, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);

    long fee = MultiSignatureSettings.MVP.fees().cryptoTransfer().units();
    assertThat(queue.balance(queue.carol)).isEqualTo(MONEY - fee);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);
  }

  @Test
  void theCreatorPaysByDefaultAndNeedNotSign() {
    queue.create(queue.transfer(1, queue.bob, queue.dave, 5), BOB_KEY);

    var fees = MultiSignatureSettings.MVP.fees();
    long paid = fees.create().plus(fees.perSignature()).plus(fees.cryptoTransfer()).units();
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - paid);
    assertThat(queue.queue.balance(AccountId.FEES)).isEqualTo(paid);
    assertThat(queue.exported().get(0).fee()).isEqualTo(paid - fees.cryptoTransfer().units());
    assertThat(queue.exported().get(1).fee()).isEqualTo(fees.cryptoTransfer().units());
  }

  @Test
  void aFailedExecutionDoesNotFailWhatTriggeredIt() {
    var schedule = queue.create(queue.transfer(1, queue.bob, queue.dave, MONEY + 1));

    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.FAILED);
  }

  @Test
  void aPayerWhoGivesTooNeedsTheFeeBesides() {
    var spent = MONEY - queue.balance(queue.alice);
    long creating = MultiSignatureSettings.MVP.fees().create().units() + 1;

    queue.create(queue.transfer(1, queue.alice, queue.dave, MONEY - spent - creating), ALICE_KEY);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
  }

  @Test
  void aPayerThatCannotPayMovesNothingAndItCountsAsExecuted() {
    var poor = queue.open(key(41));
    var creation =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5), Optional.empty(), Optional.of(poor));
    var schedule = queue.create(creation, BOB_KEY);

    assertThat(queue.sign(schedule, key(41))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    assertThat(queue.exported().get(1).fee()).isZero();
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
    queue.queue.fund(poor.account(), 100);
    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void aBodyRunsAtMostOnceInAQueueWhateverPayerAdminKeyOrMemo() {
    queue.create(queue.transfer(1, queue.bob, queue.dave, 5), BOB_KEY);

    // Bob's signature is public now: Dave schedules the same with himself as admin.
    var again =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5), Optional.of(DAVE_KEY), Optional.empty());
    assertThat(queue.status(creation(queue.by(queue.dave, DAVE_KEY), again, BOB_KEY)))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);

    queue.create(queue.transfer(2, queue.bob, queue.dave, 5), BOB_KEY);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void ofTwoSchedulesOfOneBodyOnlyOneRuns() {
    var body = queue.transfer(1, queue.bob, queue.dave, 5);
    var first = queue.create(body);
    var twin = queue.create(Creation.of(body, Optional.of(DAVE_KEY), Optional.empty()));

    assertThat(queue.sign(first, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.sign(twin, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);
  }

  @Test
  void theTextsWayCanBeSwitchedOn() {
    var plain = MultiSignatureSettings.MVP;
    var text =
        new SignaturesUnderTest(
            new MultiSignatureSettings(
                plain.profile(),
                plain.expiry(),
                plain.throttles(),
                plain.limits(),
                false,
                plain.fees()));
    text.create(text.transfer(1, text.bob, text.dave, 5), BOB_KEY);
    text.create(text.transfer(1, text.bob, text.dave, 5), BOB_KEY);

    assertThat(text.balance(text.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void aNewAccountIsMadeWithItsBalanceFromThePayer() {
    var create = new Action.CryptoCreate(key(51), new Amount(40), true, "");
    var schedule = queue.create(body(1, create));
    assertThat(queue.exported()).hasSize(1);

    queue.sign(schedule, key(51));

    var made = queue.exported().get(1).receipt().account().orElseThrow();
    assertThat(queue.balance(made)).isEqualTo(40);
    assertThat(queue.queries().account(made).orElseThrow().key()).isEqualTo(key(51));
  }

  @Test
  void aPrivateTransactionRunsWithTheKeyOfItsFromAndItsOutcomeIsAThirdRecord() {
    var from = new Identity("alice", new NodeName("node1"));
    queue.administer(new MultiSignatureOperation.BindKey(from, key(61)));
    var schedule = queue.create(body(1, Action.PrivateTransaction.once(call(from))));

    assertThat(queue.sign(schedule, key(61))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.OK);
    var handed = queue.queue.handedOver();
    assertThat(handed).hasSize(1);
    assertThat(handed.get(0).request()).isEqualTo(call(from));
    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);

    queue.queue.tell(
        new QueueInput.Answered(handed.get(0).key(), new Conclusion.Failed(0, "no", false)));
    var outcome = queue.exported().get(0);
    assertThat(outcome.scheduleRef()).contains(schedule);
    assertThat(outcome.receipt().status()).isEqualTo(ResponseCode.CONTRACT_REVERT_EXECUTED);
    assertThat(queue.queries().records(outcome.transactionId())).hasSize(2);
  }

  @Test
  void withoutAKeyBoundToItsFromAPrivateTransactionIsNotScheduled() {
    var from = new Identity("nobody", new NodeName("node1"));
    var creation =
        Creation.of(
            body(1, Action.PrivateTransaction.once(call(from))),
            Optional.empty(),
            Optional.empty());

    assertThat(queue.status(creation(queue.byAlice(), creation)))
        .isEqualTo(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
  }

  @Test
  void theAdminKeyDeletesIt() {
    var creation = Creation.of(queue.gift(1), Optional.of(key(71)), Optional.empty());
    var schedule = queue.create(creation, ALICE_KEY);

    assertThat(queue.delete(schedule, DAVE_KEY)).isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(queue.delete(schedule, DAVE_KEY, key(71))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.CANCELLED);
    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.delete(schedule, DAVE_KEY, key(71)))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.create(creation)).isNotEqualTo(schedule);
  }

  @Test
  void withoutAnAdminKeyNobodyDeletesIt() {
    var schedule = queue.create(queue.gift(1));

    assertThat(queue.delete(schedule, DAVE_KEY)).isEqualTo(ResponseCode.SCHEDULE_IS_IMMUTABLE);
    var cancel = new QueueInput.Operation.Cancel(schedule.schedule());
    assertThat(queue.queue.refused(queue.alice.account(), cancel).name()).isEqualTo("NOT_ALLOWED");
  }

  @Test
  void getInfoAnswersWithAllFieldsUntilItRuns() {
    var creation = Creation.of(queue.gift(1), Optional.of(key(71)), Optional.of(queue.carol));
    var schedule = queue.create(creation, BOB_KEY, ALICE_KEY);

    var info = queue.queries().getInfo(schedule).info().orElseThrow();
    assertThat(info.terms().creator()).isEqualTo(queue.alice);
    assertThat(info.terms().payer()).isEqualTo(queue.carol);
    assertThat(info.terms().creation()).isEqualTo(creation);
    assertThat(info.signers()).containsExactly(ALICE_KEY, BOB_KEY);
    assertThat(info.terms().expirySecond()).isEqualTo(queue.queue.nowMs / 1000 + 1_800);

    queue.sign(schedule, CAROL_KEY);
    assertThat(queue.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.SCHEDULE_DELETED);
    assertThat(queue.queries().getInfo(queue.alice).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  static Target.PrivateCall call(Identity from) {
    return new Target.PrivateCall(
        new ContractAddress("0x" + "0a".repeat(20)), "token", "transfer", from, Bytes.utf8("{}"));
  }

  private Creation creationOf(int nonce) {
    return Creation.of(queue.gift(nonce), Optional.empty(), Optional.empty());
  }
}
