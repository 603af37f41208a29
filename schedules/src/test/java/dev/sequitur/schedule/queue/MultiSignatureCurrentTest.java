package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What differs in the profile {@code current}, and phase 2: running at a given time. */
class MultiSignatureCurrentTest {
  private SignaturesUnderTest queue = new SignaturesUnderTest(settings(100, false));

  private static MultiSignatureSettings settings(int perStep, boolean bodiesExecuteOnce) {
    return MultiSignatureSettings.CURRENT
        .withExpiry(new MultiSignatureSettings.Expiry(1_800, 5_000, 2, perStep))
        .withBodiesExecuteOnce(bodiesExecuteOnce);
  }

  @Test
  void theSignaturesOfTheOuterTransactionCount() {
    var schedule = createdBy(gift(1, Optional.empty(), false), ALICE_KEY);
    assertThat(queue.queries().keysMissing(schedule)).containsExactly(BOB_KEY, CAROL_KEY);

    assertThat(signedBy(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(signedBy(schedule, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exported()).hasSize(2);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void aStrangersSignatureCountsForNothingAndRejectsNothing() {
    var schedule = createdBy(gift(1, Optional.empty(), false), ALICE_KEY);

    assertThat(signedBy(schedule, key(99))).isEqualTo(ResponseCode.NO_NEW_VALID_SIGNATURES);
    assertThat(signedBy(schedule, key(99), BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.queries().keysMissing(schedule)).containsExactly(CAROL_KEY);
  }

  @Test
  void thePayersSignatureIsRequired() {
    var creation =
        new Creation(
            queue.transfer(1, queue.bob, queue.dave, 5),
            Optional.empty(),
            Optional.of(queue.carol),
            "",
            Optional.empty(),
            false);
    var schedule = createdBy(creation, ALICE_KEY, BOB_KEY);
    assertThat(queue.exported()).hasSize(1);

    signedBy(schedule, CAROL_KEY);
    assertThat(queue.exported()).hasSize(2);
  }

  @Test
  void aCreatorWhoPaysSignsWithItsPresentKey() {
    var schedule = createdBy(bobGives(1), ALICE_KEY);
    queue.status(
        new MultiSignatureOperation.CryptoUpdate(
            queue.by(queue.alice, ALICE_KEY, key(9)), queue.alice, key(9)));

    signedBy(schedule, BOB_KEY);
    assertThat(queue.exported()).hasSize(1);
    signedBy(schedule, key(9));
    assertThat(queue.exported()).hasSize(2);
  }

  private Creation bobGives(int nonce) {
    return Creation.of(
        queue.transfer(nonce, queue.bob, queue.dave, 5), Optional.empty(), Optional.empty());
  }

  @Test
  void anIdenticalCreateNamesWhatThereIs() {
    var schedule = createdBy(gift(1, Optional.empty(), false), ALICE_KEY);
    var first = queue.queries().terms(schedule).orElseThrow().scheduledId();

    var again = creation(queue.by(queue.bob, BOB_KEY), gift(1, Optional.empty(), false));
    assertThat(queue.status(again)).isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);

    assertThat(queue.result().responseCode()).isEqualTo(210);
    assertThat(queue.receipt().schedule()).contains(schedule);
    assertThat(queue.receipt().scheduledTransaction()).contains(first);
    assertThat(queue.queue.answer().refusal().orElseThrow().sentence())
        .startsWith("IDENTICAL_SCHEDULE_ALREADY_CREATED (210): ")
        .endsWith("It is " + schedule + ", and its execution " + first + ".");
    assertThat(queue.queries().keysMissing(schedule)).contains(BOB_KEY);
  }

  /** Whoever lost the answer and asks again must not pay twice. */
  @Test
  void whatHasRunIsNotCreatedAgainAsLongAsItCanBeRead() {
    var executed = createdBy(gift(1, Optional.empty(), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
    var first = queue.result().receipt().scheduledTransaction();
    long balance = queue.balance(queue.dave);

    for (var admin : List.of(queue.alice, queue.bob)) {
      var by = queue.by(admin, ALICE_KEY, BOB_KEY, CAROL_KEY);
      assertThat(queue.status(creation(by, gift(1, Optional.empty(), false))))
          .isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
      assertThat(queue.receipt().schedule()).contains(executed);
      assertThat(queue.receipt().scheduledTransaction()).isEqualTo(first);
    }
    queue.later(1_799);
    queue.queue.block();
    assertThat(status(gift(1, Optional.empty(), false)))
        .isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
    assertThat(queue.balance(queue.dave)).isEqualTo(balance);

    queue.later(1);
    assertThat(createdBy(gift(1, Optional.empty(), false), ALICE_KEY, BOB_KEY, CAROL_KEY))
        .isNotEqualTo(executed);
    assertThat(queue.balance(queue.dave)).isEqualTo(balance + 30);
  }

  /** Another payer is no other schedule there; another memo is. */
  @Test
  void whatHasRunIsTheSameWhoeverPaysAndAnotherOneByItsMemo() {
    var executed = createdBy(gift(1, Optional.empty(), false), ALICE_KEY, BOB_KEY, CAROL_KEY);

    assertThat(status(memo("", Optional.of(queue.carol))))
        .isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
    assertThat(createdBy(memo("again", Optional.empty()), ALICE_KEY)).isNotEqualTo(executed);
  }

  private Creation memo(String memo, Optional<EntityId> payer) {
    return new Creation(queue.gift(1), Optional.empty(), payer, memo, Optional.empty(), false);
  }

  /** Who deleted it does not want it back because somebody else's creation came late. */
  @Test
  void whatWasDeletedIsNotCreatedAgainAsLongAsItCanBeRead() {
    var admin =
        new Creation(
            queue.gift(2), Optional.of(ALICE_KEY), Optional.empty(), "", Optional.empty(), false);
    var deleted = createdBy(admin, ALICE_KEY);
    assertThat(queue.delete(deleted, DAVE_KEY, ALICE_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(status(admin)).isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
    assertThat(queue.receipt().schedule()).contains(deleted);
  }

  @Test
  void whatRunsElsewhereIsNotCreatedAgainBeforeAndAfterItsOutcome() {
    var from = new Identity("alice", new NodeName("node1"));
    queue.administer(new MultiSignatureOperation.BindKey(from, key(61)));
    var action = Action.PrivateTransaction.once(SignaturesUnderTest.call(from));
    var call = Creation.of(body(1, action), Optional.empty(), Optional.empty());
    var running = createdBy(call, ALICE_KEY, key(61));
    var handed = queue.queue.handedOver().get(0).key();

    assertThat(status(call)).isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
    assertThat(queue.receipt().schedule()).contains(running);
    queue.queue.tell(new QueueInput.Answered(handed, new Conclusion.Failed(1, "no", false)));
    queue.queue.block();

    assertThat(outcome(running)).isEqualTo(Outcome.FAILED);
    assertThat(status(call)).isEqualTo(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED);
    assertThat(queue.receipt().schedule()).contains(running);
  }

  @Test
  void anotherTimeOrAnotherWayToWaitMakesAnotherSchedule() {
    long second = now() + 100;
    var first = createdBy(gift(1, Optional.of(second), false), ALICE_KEY);

    assertThat(createdBy(gift(1, Optional.of(second), true), ALICE_KEY)).isNotEqualTo(first);
    assertThat(createdBy(gift(1, Optional.of(second + 1), false), ALICE_KEY)).isNotEqualTo(first);
  }

  @Test
  void deletedAndExecutedSchedulesStayReadableUntilTheyWouldExpire() {
    var executed = createdBy(gift(1, Optional.empty(), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
    var admin =
        new Creation(
            queue.gift(2), Optional.of(ALICE_KEY), Optional.empty(), "", Optional.empty(), false);
    var deleted = createdBy(admin, ALICE_KEY);
    assertThat(queue.delete(deleted, DAVE_KEY, ALICE_KEY)).isEqualTo(ResponseCode.SUCCESS);

    var info = queue.queries().getInfo(executed).info().orElseThrow();
    assertThat(info.executed()).isPresent();
    assertThat(info.signers()).containsExactly(ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(queue.queries().getInfo(deleted).info().orElseThrow().deleted()).isPresent();
    assertThat(signedBy(executed, BOB_KEY)).isEqualTo(ResponseCode.SCHEDULE_ALREADY_EXECUTED);
    assertThat(signedBy(deleted, BOB_KEY)).isEqualTo(ResponseCode.SCHEDULE_ALREADY_DELETED);

    queue.later(1_801);
    queue.queue.block();
    assertThat(queue.queries().getInfo(executed).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.state().closed().schedules()).isEmpty();
  }

  @Test
  void whatHasExpiredIsShownNoLongerThoughNoStepHasComeToIt() {
    var waiting = createdBy(gift(1, Optional.of(now() + 100), false), ALICE_KEY);
    var executed =
        createdBy(gift(2, Optional.of(now() + 100), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
    var unsigned = createdBy(waiting(3, now() + 101), ALICE_KEY);
    queue.later(99);
    for (var id : List.of(waiting, executed, unsigned)) {
      assertThat(queue.queries().getInfo(id).status()).isEqualTo(ResponseCode.OK);
    }

    queue.later(2);

    for (var id : List.of(waiting, executed, unsigned)) {
      assertThat(queue.queries().getInfo(id).status()).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    }
    assertThat(signedBy(executed, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void whatRunsAtItsTimeIsShownUntilItHasRun() {
    var schedule = createdBy(waiting(1, now() + 100), ALICE_KEY, BOB_KEY);
    queue.later(101);
    assertThat(queue.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.OK);

    queue.queue.block();

    assertThat(outcome(schedule)).isEqualTo(Outcome.RUN);
    assertThat(queue.queries().getInfo(schedule).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void itWaitsForItsTimeAndRunsThenInOrder() {
    long second = now() + 100;
    var late = createdBy(waiting(2, second + 1), ALICE_KEY, BOB_KEY);
    var early = createdBy(waiting(1, second), ALICE_KEY, BOB_KEY);
    assertThat(queue.exported()).hasSize(1);
    queue.later(99);
    queue.queue.block();
    assertThat(queue.queue.outcome(early.schedule())).isEmpty();

    queue.later(2);
    queue.queue.block();

    assertThat(queue.exported())
        .extracting(record -> record.scheduleRef().orElseThrow())
        .containsExactly(early, late);
    assertThat(queue.exported().get(0).consensusTimestamp())
        .isLessThan(queue.exported().get(1).consensusTimestamp());
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  /** The other one has expired, and no block has come to it yet. */
  @Test
  void whatIsAboutToRunIsAmongThoseThatWait() {
    createdBy(waiting(1, now() + 100), ALICE_KEY, BOB_KEY);
    createdBy(waiting(2, now() + 100), ALICE_KEY);
    queue.later(101);

    var rules = queue.queue;
    assertThat(rules.queue.waiting(rules.state, FamilyKind.MULTI_SIGNATURE, rules.wall(), 100))
        .isOne();
  }

  @Test
  void whatIsOverdueAfterAnOutageRunsBeforeTheNextOperation() {
    var schedule = createdBy(waiting(1, now() + 100), ALICE_KEY, BOB_KEY);
    queue.later(4_000);
    queue.queue.recover();

    var status = queue.status(creation(queue.byAlice(), gift(9, Optional.empty(), false)));

    assertThat(status).isEqualTo(ResponseCode.SUCCESS);
    assertThat(outcome(schedule)).isEqualTo(Outcome.RUN);
    assertThat(queue.exported()).hasSize(2);
    assertThat(queue.exported().get(0).consensusTimestamp())
        .isLessThan(queue.exported().get(1).consensusTimestamp());
  }

  @Test
  void atItsTimeTheSignaturesAreWeighedAgainByThePresentKeys() {
    var schedule = createdBy(waiting(1, now() + 100), ALICE_KEY, BOB_KEY);
    queue.status(
        new MultiSignatureOperation.CryptoUpdate(
            queue.by(queue.bob, BOB_KEY, key(9)), queue.bob, key(9)));
    queue.later(101);

    queue.queue.block();

    assertThat(outcome(schedule)).isEqualTo(Outcome.EXPIRED);
    assertThat(queue.balance(queue.bob)).isGreaterThan(MONEY - 5);
  }

  @Test
  void oneThatIsOverdueAndAboutToGoIsNotSignedAnyMore() {
    queue = new SignaturesUnderTest(settings(1, false));
    createdBy(gift(1, Optional.of(now() + 100), false), ALICE_KEY);
    var second = createdBy(gift(2, Optional.of(now() + 100), false), ALICE_KEY);
    queue.later(100);

    // A step deals with one of the two.
    assertThat(signedBy(second, BOB_KEY)).isEqualTo(ResponseCode.SCHEDULE_PENDING_EXPIRATION);
    assertThat(queue.result().responseCode()).isEqualTo(314);
    assertThat(signedBy(second, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void whatRunsElsewhereIsSignedAndDeletedNoMore() {
    var from = new Identity("alice", new NodeName("node1"));
    queue.administer(new MultiSignatureOperation.BindKey(from, key(61)));
    var action = Action.PrivateTransaction.once(SignaturesUnderTest.call(from));
    var call = Creation.of(body(1, action), Optional.of(ALICE_KEY), Optional.empty());
    var running = createdBy(call, ALICE_KEY, key(61));
    assertThat(queue.queue.handedOver()).hasSize(1);

    assertThat(signedBy(running, BOB_KEY)).isEqualTo(ResponseCode.SCHEDULE_ALREADY_EXECUTED);
    assertThat(queue.delete(running, DAVE_KEY, ALICE_KEY))
        .isEqualTo(ResponseCode.SCHEDULE_ALREADY_EXECUTED);
  }

  @Test
  void ofTwoThatWaitWithOneBodyOnlyOneRunsIfBodiesExecuteOnce() {
    queue = new SignaturesUnderTest(settings(100, true));
    createdBy(waiting(1, now() + 100), ALICE_KEY, BOB_KEY);
    var twin = createdBy(waiting(1, now() + 101), ALICE_KEY, BOB_KEY);
    queue.later(100);
    queue.queue.block();
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS);

    assertThat(signedBy(twin, CAROL_KEY)).isEqualTo(ResponseCode.SCHEDULE_ALREADY_EXECUTED);
    queue.later(1);
    queue.queue.block();

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SCHEDULE_ALREADY_EXECUTED);
    assertThat(outcome(twin)).isEqualTo(Outcome.FAILED);
    assertThat(queue.balance(queue.dave)).isEqualTo(MONEY + 5);
  }

  @Test
  void aTimeIsInTheFutureButNotTooFar() {
    assertThat(status(gift(1, Optional.of(now()), false)))
        .isEqualTo(ResponseCode.SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME);
    assertThat(status(gift(1, Optional.of(now() + 5_001), false)))
        .isEqualTo(ResponseCode.SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE);
    assertThat(status(gift(1, Optional.empty(), true))).isEqualTo(ResponseCode.MISSING_EXPIRY_TIME);
  }

  /** Seconds that an int64 holds, and no clock of a queue. */
  @Test
  void aTimeThatNoClockHasIsTooFarOrPastAsAnyOther() {
    for (long second : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
      assertThat(status(gift(1, Optional.of(second), false)))
          .isEqualTo(ResponseCode.SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE);
    }
    for (long second : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0}) {
      assertThat(status(gift(1, Optional.of(second), true)))
          .isEqualTo(ResponseCode.SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME);
    }
  }

  @Test
  void aPayerThatIsNotThereIsToldAsHederaTellsItToday() {
    var nobody = Creation.of(queue.gift(1), Optional.empty(), Optional.of(new EntityId(999_999)));

    assertThat(status(nobody)).isEqualTo(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
  }

  @Test
  void aSecondTakesOnlySoMany() {
    createdBy(gift(1, Optional.of(now() + 100), false), ALICE_KEY);
    createdBy(gift(2, Optional.of(now() + 100), false), ALICE_KEY);

    assertThat(status(gift(3, Optional.of(now() + 100), false)))
        .isEqualTo(ResponseCode.SCHEDULE_EXPIRY_IS_BUSY);
  }

  /** Each stays in memory until that second, so that this bounds it. */
  @Test
  void whatHasRunStillCountsInTheSecondUntilWhichItCanBeRead() {
    createdBy(gift(1, Optional.of(now() + 100), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
    createdBy(gift(2, Optional.of(now() + 100), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(queue.state().waiting().number()).isZero();

    assertThat(status(gift(3, Optional.of(now() + 100), false)))
        .isEqualTo(ResponseCode.SCHEDULE_EXPIRY_IS_BUSY);
    assertThat(status(gift(3, Optional.of(now() + 101), false))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void whatHasRunCountsAmongThoseThatTheQueueKeeps() {
    var throttles = new MultiSignatureSettings.Throttles(1, 10_000, 1_000, 10_000);
    var expiry = new MultiSignatureSettings.Expiry(2, 5_000, 2, 100);
    queue =
        new SignaturesUnderTest(
            MultiSignatureSettings.CURRENT.withExpiry(expiry).withThrottles(throttles));
    for (int nonce = 1; nonce <= 2; nonce++) {
      long second = now() + 100 + nonce;
      createdBy(gift(nonce, Optional.of(second), false), ALICE_KEY, BOB_KEY, CAROL_KEY);
      queue.later(2);
    }

    assertThat(status(gift(3, Optional.of(now() + 200), false))).isEqualTo(ResponseCode.BUSY);

    queue.later(100);
    queue.queue.block();
    assertThat(status(gift(3, Optional.of(now() + 200), false))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void whatIsNoTransactionToScheduleIsNotOnTheList() {
    var other =
        Creation.of(
            body(1, new Action.Unschedulable("freeze")), Optional.empty(), Optional.empty());

    assertThat(status(other)).isEqualTo(ResponseCode.SCHEDULED_TRANSACTION_NOT_IN_WHITELIST);
    assertThat(queue.result().responseCode()).isEqualTo(207);
  }

  @Test
  void theAdminKeySignsTheCreationToo() {
    var admin =
        new Creation(
            queue.gift(2), Optional.of(key(9)), Optional.empty(), "", Optional.empty(), false);

    assertThat(status(admin)).isEqualTo(ResponseCode.INVALID_SIGNATURE);
  }

  @Test
  void aMemoHasNoZeroByte() {
    var memo =
        new Creation(
            queue.gift(2), Optional.empty(), Optional.empty(), "a\0b", Optional.empty(), false);

    assertThat(status(memo)).isEqualTo(ResponseCode.INVALID_ZERO_BYTE_IN_STRING);
  }

  private ResponseCode status(Creation creation) {
    return queue.status(creation(queue.byAlice(), creation));
  }

  private EntityId createdBy(Creation creation, PublicKey... signers) {
    var by = queue.by(queue.alice, signers);
    assertThat(queue.status(creation(by, creation))).isEqualTo(ResponseCode.SUCCESS);
    return queue.receipt().schedule().orElseThrow();
  }

  private ResponseCode signedBy(EntityId schedule, PublicKey... signers) {
    var all = Stream.concat(Stream.of(DAVE_KEY), Arrays.stream(signers));
    return queue.status(
        queue.signature(queue.by(queue.dave, all.toArray(PublicKey[]::new)), schedule));
  }

  private Creation gift(int nonce, Optional<Long> second, boolean waits) {
    return new Creation(queue.gift(nonce), Optional.empty(), Optional.empty(), "", second, waits);
  }

  /** Bob gives five to Dave. */
  private Creation waiting(int nonce, long second) {
    return new Creation(
        queue.transfer(nonce, queue.bob, queue.dave, 5),
        Optional.empty(),
        Optional.empty(),
        "",
        Optional.of(second),
        true);
  }

  private Outcome outcome(EntityId schedule) {
    return queue.queue.outcome(schedule.schedule()).orElseThrow().outcome();
  }

  private long now() {
    return queue.queue.nowMs / 1_000;
  }
}
