package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ten seconds to sign, two creations a second, three expire in one step. */
class MultiSignatureExpiryTest {
  private static final MultiSignatureSettings SETTINGS =
      new MultiSignatureSettings(
          Profile.MVP,
          new MultiSignatureSettings.Expiry(10, 100, 100, 3),
          new MultiSignatureSettings.Throttles(2, 5, 5, 5),
          new MultiSignatureSettings.Limits(6_144, 10, 64, 64, 180, 60, 3),
          true,
          OperationFees.DEFAULT);

  private final SignaturesUnderTest queue = new SignaturesUnderTest(SETTINGS);

  @Test
  void whatHasExpiredIsPurgedBeforeTheOperationIsHandledWithoutAnyBlock() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY, BOB_KEY);
    queue.later(10);

    assertThat(queue.sign(schedule, CAROL_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);

    assertThat(outcome(schedule)).isEqualTo(Outcome.EXPIRED);
    assertThat(queue.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.SCHEDULE_DELETED);
    assertThat(queue.balance(queue.bob)).isEqualTo(SignaturesUnderTest.MONEY);
  }

  /** Longer than what waits by default, and up to what the node allows. */
  @Test
  void aScheduleWaitsUntilTheTimeThatItNames() {
    long now = queue.queue.nowMs / 1_000;
    assertThat(queue.status(creation(queue.byAlice(), until(1, now + 100))))
        .isEqualTo(ResponseCode.SUCCESS);
    var schedule = queue.result().receipt().schedule().orElseThrow();
    queue.later(99);
    assertThat(queue.sign(schedule, ALICE_KEY)).isEqualTo(ResponseCode.SUCCESS);
    queue.later(1);

    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(outcome(schedule)).isEqualTo(Outcome.EXPIRED);
  }

  @Test
  void aTimeThatHasComeOrIsTooFarAwayIsNone() {
    for (long ahead : new long[] {-1, 0, 101}) {
      long second = queue.queue.nowMs / 1_000 + ahead;
      assertThat(queue.status(creation(queue.byAlice(), until(1, second))))
          .isEqualTo(ResponseCode.INVALID_EXPIRATION_TIME);
      queue.later(1);
    }
  }

  private Creation until(int nonce, long second) {
    return new Creation(
        queue.gift(nonce), Optional.empty(), Optional.empty(), "", Optional.of(second), false);
  }

  @Test
  void aSecondBeforeItCanStillBeSigned() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY, BOB_KEY);
    queue.later(9);

    assertThat(queue.sign(schedule, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(2);
  }

  @Test
  void beyondItsThrottleEachOperationIsBusyWithAReceiptAndStoresNothing() {
    var first = queue.create(queue.gift(1));
    var second = queue.create(queue.gift(2));

    assertThat(queue.status(creation(queue.byAlice(), plain(3)))).isEqualTo(ResponseCode.BUSY);
    assertThat(queue.queue.last.events()).isEmpty();
    assertThat(queue.result().responseCode()).isEqualTo(12);
    for (var key : List.of(ALICE_KEY, BOB_KEY, CAROL_KEY)) {
      assertThat(queue.sign(first, key)).isEqualTo(ResponseCode.SUCCESS);
    }
    assertThat(queue.sign(second, ALICE_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.sign(second, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.sign(second, CAROL_KEY)).isEqualTo(ResponseCode.BUSY);
    queue.later(1);
    assertThat(queue.sign(second, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.status(creation(queue.byAlice(), plain(3)))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void whatIsIdenticalToAnExpiredOneIsNew() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);
    queue.later(11);

    assertThat(queue.create(queue.gift(1))).isNotEqualTo(schedule);
  }

  @Test
  void aBacklogIsPurgedInStepsAndNeverSigned() {
    var schedules = new ArrayList<EntityId>();
    for (int i = 0; i < 8; i++) {
      queue.later(1);
      schedules.add(queue.create(queue.gift(i), ALICE_KEY, BOB_KEY));
    }
    // The last one expires just now, and three go in one step.
    queue.later(10);

    assertThat(queue.sign(schedules.get(7), CAROL_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(schedules.subList(0, 3)).allMatch(id -> outcome(id) == Outcome.EXPIRED);
    assertThat(queue.queue.outcome(schedules.get(3).schedule())).isEmpty();

    queue.queue.block();
    queue.queue.block();
    assertThat(schedules).allMatch(id -> outcome(id) == Outcome.EXPIRED);
  }

  @Test
  void pendingSchedulesAreBoundedByCapacityTimesExpiry() {
    int created = 0;
    int busy = 0;
    for (int half = 0; half < 150; half++) {
      queue.queue.nowMs += 100;
      queue.tell(queue.alice, creation(queue.byAlice(), plain(half)));
      if (queue.queue.answer().refusal().isPresent()) {
        assertThat(queue.queue.answer().refusal().get().code()).isEqualTo(Refusal.Code.BUSY);
        busy++;
      } else {
        created++;
      }
      assertThat(queue.state().waiting().number()).isLessThanOrEqualTo(2 * 10);
    }
    assertThat(created).isGreaterThan(20);
    assertThat(busy).isPositive();
  }

  @Test
  void tooManyOperationsAtOnceAreBusyAndStoreNothing() {
    queue.create(queue.gift(1));
    queue.create(queue.gift(2));

    queue.tell(queue.alice, creation(queue.byAlice(), plain(3)));

    assertThat(queue.queue.answer().refusal())
        .get()
        .extracting(Refusal::code)
        .isEqualTo(Refusal.Code.BUSY);
    assertThat(queue.queue.last.events()).isEmpty();
  }

  @Test
  void recordsAreKeptAsLongAsTheirIdCouldBeUsedAgain() {
    var create = creation(queue.byAlice(), plain(1));
    queue.status(create);
    queue.later(179);
    queue.queue.block();
    assertThat(queue.queries().records(create.by().id())).hasSize(1);

    queue.later(3);
    queue.queue.block();

    assertThat(queue.queries().records(create.by().id())).isEmpty();
    assertThat(queue.state().records().size()).isZero();
    assertThat(queue.status(create)).isEqualTo(ResponseCode.TRANSACTION_EXPIRED);
  }

  /** An operation may leave two. */
  @Test
  void whenNoMoreRecordsCanBeKeptItIsBusy() {
    ResponseCode status = ResponseCode.SUCCESS;
    for (int i = 0; i < 100 && status == ResponseCode.SUCCESS; i++) {
      queue.later(1);
      status = queue.status(creation(queue.byAlice(), plain(i)));
    }

    assertThat(status).isEqualTo(ResponseCode.BUSY);
    assertThat(queue.state().records().size()).isEqualTo(59);
  }

  @Test
  void executedBodiesLeaveMemoryOnceTheStoreHasThemAndAreFoundThere() {
    queue.create(queue.gift(1), ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(queue.state().bodies().unarchived())
        .containsExactly(entry(1L, queue.gift(1).hash()));

    queue.queue.tell(new QueueInput.BodiesStored(1));
    // It stays for those who have asked the store a moment before.
    assertThat(queue.state().bodies().archived()).isZero();
    assertThat(lookedUp(new BodyLookup(false, 0))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    queue.later(1);
    queue.create(queue.gift(2), ALICE_KEY, BOB_KEY, CAROL_KEY);
    queue.queue.tell(new QueueInput.BodiesStored(2));
    queue.queue.tell(new QueueInput.BodiesStored(2));
    assertThat(queue.queue.last.events()).isEmpty();

    assertThat(queue.state().bodies().uses()).containsOnlyKeys(queue.gift(2).hash());
    assertThat(queue.state().bodies().archived()).isEqualTo(1);
    assertThat(lookedUp(new BodyLookup(true, 2))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(lookedUp(new BodyLookup(true, 1))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    // Asked before the store was known to have it: the answer is too old to be believed.
    assertThat(lookedUp(new BodyLookup(false, 0))).isEqualTo(ResponseCode.BUSY);
  }

  @Test
  void aTwinIsNotRunAlthoughItsBodyHasLeftMemory() {
    queue.create(queue.gift(1));
    var twin = queue.create(Creation.of(queue.gift(1), Optional.of(BOB_KEY), Optional.empty()));
    queue.later(1);
    assertThat(queue.status(creation(queue.byAlice(), plain(1), ALICE_KEY, BOB_KEY, CAROL_KEY)))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(2);
    queue.queue.tell(new QueueInput.BodiesStored(1));
    queue.later(1);
    queue.create(queue.gift(2), ALICE_KEY, BOB_KEY, CAROL_KEY);
    queue.queue.tell(new QueueInput.BodiesStored(2));
    assertThat(queue.state().bodies().archived()).isEqualTo(1);

    assertThat(queue.sign(twin, ALICE_KEY, BOB_KEY, CAROL_KEY))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.queries().waitingFor(List.of(BOB_KEY), List.of(twin))).isEmpty();
    assertThat(why(twin)).contains("Another schedule of the same body has run");
  }

  @Test
  void whyItHasNotRunNamesTheKeysThatAreStillToSign() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);

    assertThat(why(schedule))
        .startsWith("It waits for signatures: 1 of 3 keys that can sign for it have signed.")
        .contains(BOB_KEY.value().toHex().substring(2))
        .contains(CAROL_KEY.value().toHex().substring(2))
        .doesNotContain(ALICE_KEY.value().toHex().substring(2));
  }

  private String why(EntityId schedule) {
    var rules = queue.queue;
    return rules.queue.explain(rules.state, schedule.schedule(), rules.wall()).sentence();
  }

  @Test
  void aStoreThatDoesNotKeepUpMakesItBusyNotForgetful() {
    for (int i = 0; i < 3; i++) {
      queue.later(1);
      queue.create(queue.gift(i), ALICE_KEY, BOB_KEY, CAROL_KEY);
    }
    queue.later(1);

    assertThat(queue.status(creation(queue.byAlice(), plain(9)))).isEqualTo(ResponseCode.BUSY);
    assertThat(queue.status(creation(queue.byAlice(), plain(0))))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  /** Those stay in memory until others are stored after them: nobody could run any more. */
  @Test
  void aStoreThatHasAllThatRanMakesNothingBusy() {
    for (int i = 0; i < 3; i++) {
      queue.later(1);
      queue.create(queue.gift(i), ALICE_KEY, BOB_KEY, CAROL_KEY);
    }
    queue.queue.tell(new QueueInput.BodiesStored(3));
    queue.later(1);
    assertThat(queue.state().bodies().archived()).isZero();

    queue.create(queue.gift(9), ALICE_KEY, BOB_KEY, CAROL_KEY);

    assertThat(queue.exported()).hasSize(2);
  }

  /** A queue that cut blocks for it would be busy with nothing. */
  @Test
  void oneThatWaitsForSignaturesNeedsNoBlockBeforeItExpires() {
    queue.create(queue.gift(1), ALICE_KEY);
    var rules = queue.queue;
    long expiry = rules.nowMs + 10_000;
    queue.later(2);
    var lastBlock = ConsensusTime.ofMillis(rules.nowMs);

    assertThat(rules.queue.nextBlock(rules.state, lastBlock))
        .isEqualTo(new NextBlock(false, ConsensusTime.ofMillis(expiry).nanos()));
    queue.queue.blockAt(expiry);
    queue.queue.block();
    assertThat(rules.queue.nextBlock(rules.state, ConsensusTime.ofMillis(expiry)))
        .isEqualTo(new NextBlock(false, Long.MAX_VALUE));
  }

  /** No block has come to it yet, and nobody can sign it any more. */
  @Test
  void whatHasExpiredIsNoneOfThoseThatWait() {
    var first = queue.create(queue.gift(1));
    queue.later(2);
    var second = queue.create(queue.gift(2));
    assertThat(waiting(100)).isEqualTo(2);
    assertThat(hasExpired(first)).isFalse();

    queue.later(8);

    assertThat(hasExpired(first)).isTrue();
    assertThat(hasExpired(second)).isFalse();
    assertThat(waiting(100)).isEqualTo(1);
    assertThat(waiting(0)).as("none is looked at").isEqualTo(2);
  }

  private int waiting(int atMost) {
    var rules = queue.queue;
    return rules.queue.waiting(rules.state, FamilyKind.MULTI_SIGNATURE, rules.wall(), atMost);
  }

  private boolean hasExpired(EntityId id) {
    var rules = queue.queue;
    var schedule = rules.state.entries().schedule(id.schedule()).orElseThrow();
    return rules.queue.hasExpired(rules.state, schedule, rules.wall());
  }

  @Test
  void aShutdownEndsAllThatWaits() {
    var schedule = queue.create(queue.gift(1));
    queue.queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.MULTI_SIGNATURE));

    queue.queue.block();

    assertThat(outcome(schedule)).isEqualTo(Outcome.CANCELLED);
  }

  @Test
  void aReplayGivesTheSameBytes() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);
    queue.sign(schedule, BOB_KEY);
    queue.sign(schedule, CAROL_KEY);
    queue.create(queue.gift(2));
    queue.later(20);

    queue.queue.recover();
  }

  private ResponseCode lookedUp(BodyLookup lookup) {
    var create = creation(queue.byAlice(), plain(1));
    return queue.status(
        new MultiSignatureOperation.ScheduleCreate(
            create.by(), create.creation(), create.sigMap(), lookup));
  }

  private Outcome outcome(EntityId schedule) {
    return queue.queue.outcome(schedule.schedule()).orElseThrow().outcome();
  }

  private Creation plain(int nonce) {
    return Creation.of(queue.gift(nonce), Optional.empty(), Optional.empty());
  }
}
