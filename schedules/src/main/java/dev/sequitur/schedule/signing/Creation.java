package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.util.Optional;

/**
 * The fields of a ScheduleCreate.
 *
 * @param adminKey who may delete it
 * @param payer who pays for its execution; otherwise its creator
 * @param expirationSecond since 1970; otherwise the configured time from now
 * @param waitForExpiry whether it runs when it expires, and not with the last signature; in {@code
 *     current}
 */
public record Creation(
    ScheduledTransaction transaction,
    Optional<AccountKey> adminKey,
    Optional<EntityId> payer,
    String memo,
    Optional<Long> expirationSecond,
    boolean waitForExpiry) {
  /** As the specification has it, without memo and without a time. */
  public static Creation of(
      ScheduledTransaction transaction, Optional<AccountKey> adminKey, Optional<EntityId> payer) {
    return new Creation(transaction, adminKey, payer, "", Optional.empty(), false);
  }

  /** Whose private transaction is to run. */
  public Optional<ContractAddress> group() {
    return transaction.action() instanceof Action.PrivateTransaction sent
        ? Optional.of(sent.call().contract())
        : Optional.empty();
  }

  /**
   * By which the same is found again in {@code current}: identical ones have the same, and others
   * another.
   */
  public Hash identity() {
    var digest = new CanonicalDigest().add(transaction.hash()).add(memo);
    adminKey.ifPresentOrElse(key -> key.addTo(digest.add("admin key")), () -> digest.add("none"));
    digest.add(expirationSecond.map(second -> Long.toString(second)).orElse(""));
    return digest.add(waitForExpiry ? 1 : 0).finish();
  }

  /** Whether both are the same schedule, field by field (MSIG-4). */
  public boolean isIdentical(Creation other, Profile profile) {
    boolean same =
        transaction.bytes().equals(other.transaction.bytes())
            && adminKey.equals(other.adminKey)
            && memo.equals(other.memo);
    return same
        && expirationSecond.equals(other.expirationSecond)
        && (profile == Profile.MVP
            ? payer.equals(other.payer)
            : waitForExpiry == other.waitForExpiry);
  }
}
