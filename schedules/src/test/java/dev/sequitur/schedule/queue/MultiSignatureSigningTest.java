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

import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ScheduleSign: whose signatures are needed, and which reject it. */
class MultiSignatureSigningTest {
  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

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
    var list = new AccountKey.KeyList(List.of(key(21), key(22)));
    var treasury = queue.open(new AccountKey.ThresholdKey(2, List.of(list, key(23), key(24))));
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
}
