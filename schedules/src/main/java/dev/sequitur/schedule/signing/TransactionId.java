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
public record TransactionId(
    ConsensusTime validStart, EntityId account, boolean scheduled, int nonce)
    implements Comparable<TransactionId> {
  private static final Comparator<TransactionId> ORDER =
      Comparator.comparing(TransactionId::validStart)
          .thenComparing(TransactionId::account)
          .thenComparing(TransactionId::scheduled)
          .thenComparing(TransactionId::nonce);
  private static final long NANOS = 1_000_000_000;

  /** Of a transaction that somebody submits. */
  public static TransactionId submitted(ConsensusTime validStart, EntityId account) {
    return new TransactionId(validStart, account, false, 0);
  }

  /** Of what the schedule that this transaction creates will trigger. */
  public TransactionId triggered(int bodysNonce) {
    return new TransactionId(validStart, account, true, bodysNonce);
  }

  @Override
  public int compareTo(TransactionId other) {
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
