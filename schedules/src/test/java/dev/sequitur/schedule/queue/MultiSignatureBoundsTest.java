package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The last that is taken, the moment at which a time is over, and whose keys are asked for. */
class MultiSignatureBoundsTest {
  private static final int MOST_BYTES = 6_144;
  private static final Identity FROM = Identity.parse("alice@node1");
  private static final ResponseCode EXPIRES_TOO_SOON =
      ResponseCode.SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME;

  private final SignaturesUnderTest mvp =
      new SignaturesUnderTest(shortened(MultiSignatureSettings.MVP));
  private final SignaturesUnderTest current =
      new SignaturesUnderTest(shortened(MultiSignatureSettings.CURRENT));

  /** Ten seconds to sign, a hundred ahead, one overdue schedule in a step. */
  private static MultiSignatureSettings shortened(MultiSignatureSettings plain) {
    return plain.withExpiry(new MultiSignatureSettings.Expiry(10, 100, 5, 1));
  }

  @Test
  void aBodyHasSoManyBytes() {
    var largest = Bytes.of(new byte[MOST_BYTES]);

    assertThat(
            create(
                mvp,
                new ScheduledTransaction(
                    largest, Hash.sha256(largest.toByteArray()), 0, 1, "", mvp.gift(1).action())))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void aTransferHasTenRows() {
    var rows = new ArrayList<AccountAmount>();
    rows.add(row(mvp.alice, -9));
    for (int number = 0; number < 9; number++) {
      rows.add(row(mvp.open(key(50 + number)), 1));
    }

    assertThat(create(mvp, body(1, new Action.CryptoTransfer(rows))))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void aTimeIsSoFarAheadAndNoFurther() {
    long now = current.queue.nowMs / 1_000;

    assertThat(createAt(1, now)).isEqualTo(EXPIRES_TOO_SOON);
    assertThat(createAt(2, now + 1)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(createAt(3, now + 100)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(createAt(4, now + 101))
        .isEqualTo(ResponseCode.SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE);
  }

  private ResponseCode createAt(int nonce, long second) {
    var creation =
        new Creation(
            current.gift(nonce), Optional.empty(), Optional.empty(), "", Optional.of(second), true);
    return current.status(creation(current.byAlice(), creation));
  }

  @Test
  void ofOneBodySoManySchedulesWait() {
    var two =
        new SignaturesUnderTest(
            MultiSignatureSettings.MVP.withLimits(
                MultiSignatureSettings.Limits.DEFAULT.withMaxTwins(2)));
    for (var payer : List.of(two.bob, two.carol)) {
      var twin = Creation.of(two.gift(1), Optional.empty(), Optional.of(payer));
      assertThat(two.status(creation(two.byAlice(), twin))).isEqualTo(ResponseCode.SUCCESS);
    }

    assertThat(create(two, two.gift(1))).isEqualTo(ResponseCode.BUSY);
    assertThat(create(two, two.gift(2))).isEqualTo(ResponseCode.SUCCESS);
  }

  /** A step deals with one overdue schedule: the other has expired, and no step has come to it. */
  @Test
  void whatHasExpiredIsNobodysAndIsCreatedAnew() {
    current.create(current.gift(1));
    var second = current.create(current.gift(2));
    current.later(10);

    assertThat(create(current, current.gift(2))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(current.receipt().schedule()).isPresent().isNotEqualTo(Optional.of(second));
  }

  @Test
  void whatHasEndedIsShownUntilTheSecondOfItsExpiry() {
    var schedule = current.create(current.gift(1));
    sign(schedule);
    assertThat(current.queue.outcome(schedule.schedule())).isPresent();

    current.later(9);
    assertThat(current.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.OK);
    current.later(1);
    assertThat(current.queries().getInfo(schedule).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void aNumberThatNobodyHasYetWasNoSchedule() {
    var schedule = mvp.create(mvp.gift(1));
    assertThat(mvp.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.OK);

    assertThat(mvp.queries().getInfo(schedule.next()).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(mvp.queries().getInfo(mvp.alice).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  /** As long as a transaction of the same id could be valid, and a block then forgets it. */
  @Test
  void aRecordIsKeptForAsLongAsATransactionMayBeValid() {
    var by = mvp.byAlice();
    mvp.status(creation(by, mvp.creationOf(1)));
    mvp.later(10);
    mvp.queue.block();
    mvp.queue.block();

    mvp.later(170);
    mvp.queue.block();
    assertThat(mvp.queue.last.events()).isEmpty();
    assertThat(mvp.queries().records(by.id())).isNotEmpty();
    mvp.later(1);
    mvp.queue.block();
    assertThat(mvp.queries().records(by.id())).isEmpty();
    mvp.queue.block();
    assertThat(mvp.queue.last.events()).isEmpty();
  }

  @Test
  void eachSaysWhatItWaitsFor() {
    long second = current.queue.nowMs / 1_000 + 20;
    var waits =
        new Creation(
            current.gift(1), Optional.empty(), Optional.empty(), "", Optional.of(second), true);
    var schedule = current.create(waits);
    assertThat(sentence(schedule)).startsWith("It waits for signatures: ");

    sign(schedule);
    assertThat(sentence(schedule)).isEqualTo("Enough have signed; it waits for its time.");
    current.later(19);
    assertThat(sentence(schedule)).startsWith("Enough have signed");
    current.later(1);
    assertThat(sentence(schedule))
        .isEqualTo("Its time has just come: no block has been cut since.");
  }

  @Test
  void oneThatNotEnoughHaveSignedSaysThatItHasExpired() {
    var schedule = mvp.create(mvp.gift(1));
    var queue = mvp.queue;

    mvp.later(10);

    assertThat(queue.queue.explain(queue.state, schedule.schedule(), queue.wall()).sentence())
        .isEqualTo("It has expired and is about to go.");
  }

  /** Those that were missing; in this profile the outer transaction's signatures count. */
  private void sign(EntityId schedule) {
    var by = current.by(current.dave, DAVE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(current.status(current.signature(by, schedule))).isEqualTo(ResponseCode.SUCCESS);
  }

  private String sentence(EntityId id) {
    var queue = current.queue;
    return queue.queue.explain(queue.state, id.schedule(), queue.wall()).sentence();
  }

  @Test
  void itIsCreatedAndDeletedByItsOwnOperationsAlone() {
    var schedule = mvp.create(mvp.gift(1));
    var terms = mvp.queries().terms(schedule).orElseThrow();
    var proposal = Proposal.of(mvp.alice.account(), terms, SignaturesUnderTest.call(FROM));

    assertThat(mvp.queue.refused(OPERATOR, new Operation.Propose(proposal)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(mvp.queue.refused(OPERATOR, new Operation.Cancel(schedule.schedule())))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  @Test
  void theKeysThatCountForACreationAreThoseOfPayerBodyAndAdmin() {
    var admin = key(77);
    var creation = Creation.of(mvp.gift(1), Optional.of(admin), Optional.empty());

    var keys =
        mvp.queue.queue.ask(
            mvp.queue.state,
            new MultiSignatureQuery.KeysToCreate(mvp.dave, creation),
            mvp.queue.wall());

    assertThat(keys.inner()).containsExactlyInAnyOrder(ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(keys.outer())
        .containsExactlyInAnyOrder(DAVE_KEY, ALICE_KEY, BOB_KEY, CAROL_KEY, admin);
    assertThat(keys.body()).isEqualTo(mvp.gift(1).bytes());
    assertThat(keys.storedBodies()).isZero();
  }

  @Test
  void theKeysThatCountForAScheduleAreThoseOfPayerBodyAndAdmin() {
    var admin = key(77);
    var schedule = mvp.create(Creation.of(mvp.gift(1), Optional.of(admin), Optional.empty()));

    var keys =
        mvp.queue.queue.ask(
            mvp.queue.state,
            new MultiSignatureQuery.KeysOfSchedule(mvp.dave, schedule),
            mvp.queue.wall());

    assertThat(keys.inner()).containsExactlyInAnyOrder(ALICE_KEY, BOB_KEY, CAROL_KEY);
    assertThat(keys.outer())
        .containsExactlyInAnyOrder(DAVE_KEY, ALICE_KEY, BOB_KEY, CAROL_KEY, admin);
    assertThat(keys.body()).isEqualTo(mvp.gift(1).bytes());

    var unknown =
        mvp.queue.queue.ask(
            mvp.queue.state,
            new MultiSignatureQuery.KeysOfSchedule(mvp.dave, schedule.next()),
            mvp.queue.wall());
    assertThat(unknown.outer()).containsExactly(DAVE_KEY);
    assertThat(unknown.inner()).isEmpty();
    assertThat(unknown.body()).isEqualTo(Bytes.EMPTY);
  }

  @Test
  void theKeysOfAccountsAreTheirPresentOnes() {
    var keys =
        mvp.queue.queue.ask(
            mvp.queue.state,
            new MultiSignatureQuery.KeysOfAccounts(
                List.of(mvp.alice, mvp.bob, new EntityId(999_999))),
            mvp.queue.wall());

    assertThat(keys.outer()).containsExactlyInAnyOrder(ALICE_KEY, BOB_KEY);
    assertThat(keys.inner()).isEmpty();
  }

  @Test
  void ofTheSchedulesThatAKeyCanSignThoseThatItHasNotSignedWaitForIt() {
    var first = mvp.create(mvp.gift(1), ALICE_KEY);
    var second = mvp.create(mvp.gift(2));
    var asked = new MultiSignatureQuery.WaitingFor(List.of(ALICE_KEY), List.of(first, second));

    assertThat(mvp.queue.queue.ask(mvp.queue.state, asked, mvp.queue.wall()).schedules())
        .containsExactly(second);
  }

  private static ResponseCode create(SignaturesUnderTest queue, ScheduledTransaction body) {
    return queue.status(
        creation(queue.byAlice(), Creation.of(body, Optional.empty(), Optional.empty())));
  }
}
