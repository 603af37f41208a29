package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.schedule.ConsensusTime;
import java.util.Optional;

/**
 * What a CryptoUpdate says of an account, as it says it: what it does not name stays. An account
 * keeps key, memo, renewal and the two flags; what there is nothing of here can only be told to be
 * as it is.
 *
 * @param expirationSecond since 1970: accounts do not expire here
 * @param maxAssociations with tokens: there are none
 * @param stake of what it has: nobody stakes here
 */
@Copyable
public record AccountChange(
    Optional<AccountKey> key,
    Optional<Boolean> receiverSigRequired,
    Optional<String> memo,
    Optional<Long> autoRenewSeconds,
    Optional<Boolean> declineReward,
    Optional<Long> expirationSecond,
    Optional<Integer> maxAssociations,
    Optional<Stake> stake)
    implements AccountChangeBuilder.With {
  /** It says nothing. */
  public static final AccountChange NONE = AccountChangeBuilder.builder().build();

  /** When an account is said to expire, which none does: the last second of a queue's clock. */
  public static final long NEVER_SECOND = ConsensusTime.END.getEpochSecond() - 1;

  /** As Hedera has it: thirty days. */
  private static final long SHORTEST_RENEWAL = 2_592_000;

  /** As Hedera has it: some 92 days. */
  private static final long LONGEST_RENEWAL = 8_000_001;

  /** Of the key alone. */
  public static AccountChange ofKey(AccountKey key) {
    return NONE.withKey(Optional.of(key));
  }

  /**
   * To whom something is staked.
   *
   * @param withNode whether a node has the number, and no account
   * @param number -1 of a node, and 0 of an account, is nobody
   */
  public record Stake(boolean withNode, long number) {
    private boolean isNone() {
      return number == (withNode ? -1 : 0);
    }
  }

  /** The first thing that an account cannot be told here, with the code that Hedera has for it. */
  public Optional<ResponseCode> refusal() {
    if (autoRenewSeconds.filter(AccountChange::isNoRenewal).isPresent()) {
      return Optional.of(ResponseCode.AUTORENEW_DURATION_NOT_IN_RANGE);
    } else if (stake.filter(to -> !to.isNone()).isPresent()) {
      return Optional.of(ResponseCode.STAKING_NOT_ENABLED);
    } else if (expirationSecond.filter(second -> second > NEVER_SECOND).isPresent()) {
      return Optional.of(ResponseCode.INVALID_EXPIRATION_TIME);
    } else if (expirationSecond.filter(second -> second < NEVER_SECOND).isPresent()) {
      return Optional.of(ResponseCode.EXPIRATION_REDUCTION_NOT_ALLOWED);
    } else if (maxAssociations.filter(most -> most < 0).isPresent()) {
      return Optional.of(ResponseCode.INVALID_MAX_AUTO_ASSOCIATIONS);
    }
    return maxAssociations
        .filter(most -> most > 0)
        .map(most -> ResponseCode.REQUESTED_NUM_AUTOMATIC_ASSOCIATIONS_EXCEEDS_ASSOCIATION_LIMIT);
  }

  private static boolean isNoRenewal(long seconds) {
    return seconds < SHORTEST_RENEWAL || seconds > LONGEST_RENEWAL;
  }

  /** So that no two changes add the same; digests of it are stored. */
  public void addTo(CanonicalDigest digest) {
    key.ifPresentOrElse(next -> next.addTo(digest.add("key")), () -> digest.add("none"));
    digest.add(text(receiverSigRequired)).add(memo.isPresent() ? 1 : 0).add(memo.orElse(""));
    digest.add(text(autoRenewSeconds)).add(text(declineReward)).add(text(expirationSecond));
    digest.add(text(maxAssociations));
    digest.add(stake.map(to -> (to.withNode() ? "node " : "account ") + to.number()).orElse(""));
  }

  private static String text(Optional<?> value) {
    return value.map(Object::toString).orElse("");
  }
}
