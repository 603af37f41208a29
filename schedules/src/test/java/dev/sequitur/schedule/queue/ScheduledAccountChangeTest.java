package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A CryptoUpdate that is scheduled: MSIG-6 and MSIG-21. */
class ScheduledAccountChangeTest {
  private static final PublicKey NEXT = key(9);

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.CURRENT);

  private ResponseCode creating(EntityId account, AccountChange change) {
    var creation =
        Creation.of(
            body(0, new Action.CryptoUpdate(account, change)), Optional.empty(), Optional.empty());
    return queue.status(creation(queue.byAlice(), creation));
  }

  private EntityId create(EntityId account, AccountChange change) {
    assertThat(creating(account, change)).isEqualTo(ResponseCode.SUCCESS);
    return queue.receipt().schedule().orElseThrow();
  }

  private ResponseCode sign(EntityId schedule, PublicKey signer) {
    return queue.status(
        new MultiSignatureOperation.ScheduleSign(
            queue.by(queue.dave, DAVE_KEY, signer),
            schedule,
            SignaturesUnderTest.signatures(
                queue.queries().terms(schedule).orElseThrow().creation().transaction().hash())));
  }

  private Account account(EntityId id) {
    return queue.queries().account(id).orElseThrow();
  }

  private static AccountChange memo(String memo) {
    return AccountChange.NONE.withMemo(Optional.of(memo));
  }

  @Test
  void itWaitsForTheKeyOfTheAccountAndForItsNewOne() {
    var schedule = create(queue.bob, AccountChange.ofKey(NEXT).withMemo(Optional.of("rotated")));
    assertThat(queue.queries().keysMissing(schedule)).containsExactlyInAnyOrder(BOB_KEY, NEXT);

    assertThat(sign(schedule, NEXT)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(account(queue.bob).key()).isEqualTo(BOB_KEY);
    assertThat(sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(account(queue.bob).key()).isEqualTo(NEXT);
    assertThat(account(queue.bob).memo()).isEqualTo("rotated");
    assertThat(queue.exported().get(1).transfers()).isEmpty();
  }

  @Test
  void aChangeOfNoKeyWantsTheKeyOfTheAccountAlone() {
    var schedule = create(queue.bob, memo("rent"));
    assertThat(queue.queries().keysMissing(schedule)).containsExactly(BOB_KEY);

    assertThat(sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(account(queue.bob).memo()).isEqualTo("rent");
  }

  @Test
  void itsPayerPaysWhatAChangeCosts() {
    var fees = MultiSignatureSettings.CURRENT.fees();
    create(queue.alice, memo("mine"));

    long signatures = queue.exported().get(0).fee();
    assertThat(queue.exported().get(1).fee()).isEqualTo(fees.cryptoUpdate().units());
    assertThat(queue.balance(queue.alice))
        .isEqualTo(MONEY - signatures - fees.cryptoUpdate().units());
  }

  @Test
  void whatAnAccountCannotBeIsToldByTheRecordOfTheRun() {
    var schedule = create(queue.bob, memo("m".repeat(101)));
    assertThat(sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.MEMO_TOO_LONG);

    var stakes = new AccountChange.Stake(true, 0);
    var staking = create(queue.bob, AccountChange.NONE.withStake(Optional.of(stakes)));
    sign(staking, BOB_KEY);
    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.STAKING_NOT_ENABLED);
    assertThat(account(queue.bob).memo()).isEmpty();
  }

  @Test
  void anAccountThatWasDeletedMeanwhileIsNotChanged() {
    var schedule = create(queue.bob, memo("late"));
    assertThat(
            queue.status(
                new MultiSignatureOperation.CryptoDelete(
                    queue.by(queue.alice, ALICE_KEY, BOB_KEY), queue.bob, queue.alice)))
        .isEqualTo(ResponseCode.SUCCESS);

    sign(schedule, BOB_KEY);
    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.ACCOUNT_DELETED);
  }

  @Test
  void theTreasuryIsChangedByNobodyElse() {
    queue.administer(
        new MultiSignatureOperation.OpenReserved(
            EntityId.TREASURY, new Account(NEXT, false, ""), new Amount(50)));
    var schedule = create(EntityId.TREASURY, memo("taken"));
    sign(schedule, NEXT);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.AUTHORIZATION_FAILED);
  }

  @Test
  void anAccountThatIsNotThereHasNobodyToSign() {
    assertThat(creating(new EntityId(99_999), memo("nobody's")))
        .isEqualTo(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
  }
}
