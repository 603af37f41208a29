package dev.sequitur.schedule;

import dev.sequitur.protocol.id.CanonicalDigest;

/**
 * Which partition of a queue that is spread by owner (SCH-28).
 *
 * @param index from 0
 * @param count how many the queue has, 2 to {@value #MOST}; fixed when it is made
 */
public record Partition(int index, int count) {
  /** More would make a question that all have to answer dear. */
  public static final int MOST = 256;

  public Partition {
    if (count < 2 || count > MOST || index < 0 || index >= count) {
      throw new IllegalArgumentException(
          "A queue has 2 to " + MOST + " partitions, from 0 on: not " + index + " of " + count);
    }
  }

  /**
   * In which of {@code count} partitions its holder has all that it has, in whatever money. For
   * life: another answer would be another queue.
   */
  public static int home(AccountId account, int count) {
    var digest =
        new CanonicalDigest().add("partition").add(account.holder().value()).finish().word0();
    return (int) Long.remainderUnsigned(digest, count);
  }

  /** Whether the account is in this one. */
  public boolean isHome(AccountId account) {
    return home(account, count) == index;
  }

  @Override
  public String toString() {
    return index + " of " + count;
  }
}
