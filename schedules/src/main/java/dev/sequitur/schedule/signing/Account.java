package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.ConsensusTime;

/**
 * An account of Hedera; its balance is in the book.
 *
 * @param receiverSigRequired whether its key must sign what it is to receive
 * @param autoRenewSeconds how long Hedera would renew it for: it is shown, and nothing expires here
 * @param declineReward whether it wants no reward for stakes: it is shown, and nobody pays any here
 * @param opened when it was; it is shown
 * @param deleted whether it is there for nobody any more, and its number can still be asked for
 */
public record Account(
    AccountKey key,
    boolean receiverSigRequired,
    String memo,
    long autoRenewSeconds,
    boolean declineReward,
    ConsensusTime opened,
    boolean deleted) {
  /** That of an account that was never told another one. */
  public static final long USUAL_RENEWAL = 7_776_000;

  /** As it is opened. */
  public Account(AccountKey key, boolean receiverSigRequired, String memo) {
    this(key, receiverSigRequired, memo, USUAL_RENEWAL, false, ConsensusTime.ZERO, false);
  }

  /** As of when it is opened. */
  public Account openedAt(ConsensusTime at) {
    return new Account(
        key, receiverSigRequired, memo, autoRenewSeconds, declineReward, at, deleted);
  }

  /** What is left of it once it was deleted: that it was there. */
  public Account asDeleted() {
    return new Account(
        key, receiverSigRequired, memo, autoRenewSeconds, declineReward, opened, true);
  }

  /** With what a change names; the rest stays. */
  public Account changed(AccountChange change) {
    return new Account(
        change.key().orElse(key),
        change.receiverSigRequired().orElse(receiverSigRequired),
        change.memo().orElse(memo),
        change.autoRenewSeconds().orElse(autoRenewSeconds),
        change.declineReward().orElse(declineReward),
        opened,
        deleted);
  }
}
