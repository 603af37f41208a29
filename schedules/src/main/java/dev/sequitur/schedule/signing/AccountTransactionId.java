package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.ConsensusTime;
import java.util.Comparator;

/**
 * By which a transaction is known, and told apart from a repeated one.
 *
 * @param validStart chosen by who submits it
 * @param account who pays for it
 * @param scheduled whether a schedule triggered it
 * @param nonce of the scheduled body, so that the same can be scheduled again; unsigned
 */
public record AccountTransactionId(
    ConsensusTime validStart, EntityId account, boolean scheduled, int nonce)
    implements Comparable<AccountTransactionId> {
  private static final Comparator<AccountTransactionId> ORDER =
      Comparator.comparing(AccountTransactionId::validStart)
          .thenComparing(AccountTransactionId::account)
          .thenComparing(AccountTransactionId::scheduled)
          .thenComparing(AccountTransactionId::nonce);
  private static final long NANOS = 1_000_000_000;

  /** Of a transaction that somebody submits. */
  public static AccountTransactionId submitted(ConsensusTime validStart, EntityId account) {
    return new AccountTransactionId(validStart, account, false, 0);
  }

  /** Of what the schedule that this transaction creates will trigger. */
  public AccountTransactionId triggered(int bodysNonce) {
    return new AccountTransactionId(validStart, account, true, bodysNonce);
  }

  @Override
  public int compareTo(AccountTransactionId other) {
    return ORDER.compare(this, other);
  }

  /** account@seconds.nanos, with ?scheduled and /nonce where they are set. */
  @Override
  public String toString() {
    long nanos = validStart.nanos() % NANOS;
    return account
        + "@"
        + validStart.seconds()
        + "."
        + Long.toString(NANOS + nanos).substring(1)
        + (scheduled ? "?scheduled" : "")
        + (nonce == 0 ? "" : "/" + Integer.toUnsignedString(nonce));
  }
}
