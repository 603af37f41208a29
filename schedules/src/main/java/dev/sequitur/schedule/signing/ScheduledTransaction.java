package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;

/**
 * A decoded body.
 *
 * @param bytes as they came, and as they are signed in the profile {@code mvp}
 * @param hash SHA-256 of the bytes
 * @param nonce unsigned
 * @param maxFee what the payer of its execution is charged at most
 */
public record ScheduledTransaction(
    Bytes bytes, Hash hash, int nonce, long maxFee, String memo, Action action) {
  public ScheduledTransaction {
    if (maxFee < 0) {
      throw new IllegalArgumentException("A fee is not negative: " + maxFee);
    }
  }
}
