package dev.sequitur.protocol.id;

/**
 * The id of one delegation of a contract's transactions by one sender. The epoch is durable and
 * grows with each start of the sender, the counter with each delegation, so that of two crossing
 * commands the later one is known (DLG-6).
 *
 * @param epoch from 1; at least the time of the start, in milliseconds, so that a sender whose
 *     records are an older copy gives none again
 * @param counter from 1 in each epoch
 */
public record DelegationId(NodeName sender, long epoch, long counter) {

  /** Whether this was made after {@code other} by the same sender. */
  public boolean isLaterThan(DelegationId other) {
    return epoch > other.epoch || (epoch == other.epoch && counter > other.counter);
  }

  @Override
  public String toString() {
    return sender.value() + "/" + epoch + "/" + counter;
  }
}
