package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.transaction.Signature;
import java.util.Map;

/**
 * The endorsements that were found valid lately, so that those of a batch's root are verified once
 * and not for each of its transitions. What was found wrong is not kept. Forgets the oldest.
 * Thread-safe.
 */
final class ValidEndorsements {
  /** Of some hundred batches of a large committee; about 4 MB. */
  static final int KEPT = 8_192;

  private final Map<Valid, Boolean> kept = LimitedMap.ofNewest(KEPT);

  /** All that a verification depends on. */
  private record Valid(Hash digest, Signature endorsement) {}

  boolean contains(Hash digest, Signature endorsement) {
    synchronized (kept) {
      return kept.containsKey(new Valid(digest, endorsement));
    }
  }

  void add(Hash digest, Signature endorsement) {
    synchronized (kept) {
      kept.put(new Valid(digest, endorsement), true);
    }
  }

  int size() {
    synchronized (kept) {
      return kept.size();
    }
  }
}
