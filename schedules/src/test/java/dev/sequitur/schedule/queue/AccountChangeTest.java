package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountChange.Stake;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a CryptoUpdate changes, and what it is told of the rest: MSIG-21. */
class AccountChangeTest {
  private static final long LONGEST = 8_000_001;

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.CURRENT);

  private ResponseCode update(Submission by, AccountChange change) {
    return queue.status(new MultiSignatureOperation.CryptoUpdate(by, queue.alice, change));
  }

  private ResponseCode update(AccountChange change) {
    return update(queue.byAlice(), change);
  }

  /** When it was opened is of no matter here. */
  private Account alice() {
    return queue.queries().account(queue.alice).orElseThrow().openedAt(ConsensusTime.ZERO);
  }

  private static Account account(boolean receiverSig, String memo, long renewal, boolean decline) {
    return new Account(ALICE_KEY, receiverSig, memo, renewal, decline, ConsensusTime.ZERO, false);
  }

  private static AccountChange flags(boolean receiverSig, boolean decline) {
    return AccountChange.NONE
        .withReceiverSigRequired(Optional.of(receiverSig))
        .withDeclineReward(Optional.of(decline));
  }

  private static AccountChange memo(String memo) {
    return AccountChange.NONE.withMemo(Optional.of(memo));
  }

  private static AccountChange times(Optional<Long> renewal, Optional<Long> expiration) {
    return AccountChange.NONE.withAutoRenewSeconds(renewal).withExpirationSecond(expiration);
  }

  private static AccountChange absent(Optional<Integer> associations, Optional<Stake> stake) {
    return AccountChange.NONE.withMaxAssociations(associations).withStake(stake);
  }

  @Test
  void anAccountKeepsWhatItIsToldAndWhatItIsNotTold() {
    assertThat(update(memo("rent"))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(flags(true, true))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(times(Optional.of(LONGEST), Optional.empty())))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(alice()).isEqualTo(account(true, "rent", LONGEST, true));

    assertThat(update(memo(""))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(flags(false, false))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(AccountChange.NONE)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(alice()).isEqualTo(account(false, "", LONGEST, false));
  }

  @Test
  void whoIsToBeAskedIsAskedFromThenOn() {
    var transfer = new Action.CryptoTransfer(List.of(row(queue.bob, -1), row(queue.alice, 1)));
    assertThat(update(flags(true, false))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(
            queue.status(
                new MultiSignatureOperation.CryptoTransfer(queue.by(queue.bob, BOB_KEY), transfer)))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(
            queue.status(
                new MultiSignatureOperation.CryptoTransfer(
                    queue.by(queue.bob, BOB_KEY, ALICE_KEY), transfer)))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void itsKeySignsAndTheNewOneToo() {
    assertThat(update(queue.by(queue.bob, BOB_KEY), memo("not yours")))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(update(AccountChange.ofKey(key(9)))).isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(alice()).isEqualTo(new Account(ALICE_KEY, false, ""));

    assertThat(update(queue.by(queue.alice, ALICE_KEY, key(9)), AccountChange.ofKey(key(9))))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(alice()).isEqualTo(new Account(key(9), false, ""));
  }

  @Test
  void whatAnAccountCannotBeHereHasTheCodeOfHedera() {
    assertRefused(memo("m".repeat(101)), ResponseCode.MEMO_TOO_LONG);
    assertRefused(memo("a\0"), ResponseCode.INVALID_ZERO_BYTE_IN_STRING);
    for (long seconds : new long[] {Long.MIN_VALUE, -1, 0, 2_591_999, LONGEST + 1}) {
      assertRefused(
          times(Optional.of(seconds), Optional.empty()),
          ResponseCode.AUTORENEW_DURATION_NOT_IN_RANGE);
    }
    var never = AccountChange.NEVER_SECOND;
    assertRefused(
        times(Optional.empty(), Optional.of(never - 1)),
        ResponseCode.EXPIRATION_REDUCTION_NOT_ALLOWED);
    assertRefused(
        times(Optional.empty(), Optional.of(never + 1)), ResponseCode.INVALID_EXPIRATION_TIME);
    assertRefused(
        absent(Optional.of(1), Optional.empty()),
        ResponseCode.REQUESTED_NUM_AUTOMATIC_ASSOCIATIONS_EXCEEDS_ASSOCIATION_LIMIT);
    assertRefused(
        absent(Optional.of(-1), Optional.empty()), ResponseCode.INVALID_MAX_AUTO_ASSOCIATIONS);
    assertRefused(
        absent(Optional.empty(), Optional.of(new Stake(true, 0))),
        ResponseCode.STAKING_NOT_ENABLED);
    assertRefused(
        absent(Optional.empty(), Optional.of(new Stake(false, queue.bob.number()))),
        ResponseCode.STAKING_NOT_ENABLED);
  }

  private void assertRefused(AccountChange change, ResponseCode code) {
    assertThat(update(change)).as(change.toString()).isEqualTo(code);
    assertThat(alice()).isEqualTo(new Account(ALICE_KEY, false, ""));
  }

  /** What it is already. */
  @Test
  void whatThereIsNoneOfMayBeToldToBeNothing() {
    assertThat(update(times(Optional.empty(), Optional.of(AccountChange.NEVER_SECOND))))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(absent(Optional.of(0), Optional.of(new Stake(true, -1)))))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(update(absent(Optional.empty(), Optional.of(new Stake(false, 0)))))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(alice()).isEqualTo(new Account(ALICE_KEY, false, ""));
  }
}
