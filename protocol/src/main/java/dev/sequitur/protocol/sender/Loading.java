package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * Intents are being read, a page at a time. What is handed over meanwhile waits behind the last
 * page, since what stands on the pages may be older.
 *
 * @param after the order behind which the page under way begins
 * @param handed what has been handed over since, in order of acceptance: {@value #MOST_HANDED} at
 *     most
 * @param more whether there may be more in the node store than is on the pages and in {@code
 *     handed}: it is read on
 */
public record Loading(long after, PVector<PrivateTransaction> handed, boolean more) {
  static final int MOST_HANDED = 500;
  static final Loading BEGUN = from(0);

  static Loading from(long after) {
    return new Loading(after, TreePVector.empty(), false);
  }

  /** The page is here, and another is read. */
  Loading next(long newAfter) {
    return new Loading(newAfter, handed, more);
  }

  /** All are in the node store: behind one that has no room none is kept, and they are read. */
  Loading plus(List<PrivateTransaction> transactions) {
    if (more) {
      return this;
    }
    int room = MOST_HANDED - handed.size();
    return transactions.size() <= room
        ? new Loading(after, handed.plusAll(transactions), false)
        : new Loading(after, handed.plusAll(transactions.subList(0, room)), true);
  }

  Loading withMore() {
    return new Loading(after, handed, true);
  }
}
