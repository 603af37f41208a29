package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which intents of a batch are new, and which repeat one that was accepted before (SND-3). Decided
 * before anything is written, so that a conflict leaves nothing.
 *
 * @param ids one for each of the batch, in its order
 * @param fresh those to be written
 * @param conflict the first key that comes with another body; then nothing is to be written
 */
record JudgedBatch<E extends JudgedBatch.Encoded>(
    List<TransactionId> ids, List<E> fresh, Optional<IdempotencyConflict> conflict) {

  /** An intent with what is the same for whatever order it gets, encoded ahead of the writer. */
  interface Encoded {
    Intent intent();
  }

  /** Whose idempotency key it is. */
  record Original(TransactionId transaction, Hash bodyHash) {}

  /** What was accepted before an intent: in the store, or earlier in its own batch. */
  interface Earlier<E> {
    Optional<Original> of(E encoded);

    void add(E encoded);
  }

  static <E extends Encoded> JudgedBatch<E> of(List<E> batch, Earlier<E> earlier) {
    var ids = new ArrayList<TransactionId>(batch.size());
    var fresh = new ArrayList<E>(batch.size());
    for (var encoded : batch) {
      var intent = encoded.intent();
      var id = intent.transaction().id();
      var original = earlier.of(encoded);
      if (original.isPresent() && !original.get().bodyHash().equals(intent.bodyHash())) {
        var key = intent.idempotencyKey().map(IdempotencyKey::name).orElse(id.toString());
        return new JudgedBatch<>(
            List.of(),
            List.of(),
            Optional.of(new IdempotencyConflict(key, original.get().transaction())));
      }
      if (original.isEmpty()) {
        fresh.add(encoded);
        earlier.add(encoded);
      }
      ids.add(original.map(Original::transaction).orElse(id));
    }
    return new JudgedBatch<>(ids, fresh, Optional.empty());
  }

  /**
   * @param written the fresh ones, with their order
   */
  Acceptance acceptance(List<Intent> written) {
    return conflict.isPresent() ? conflict.get() : new Accepted(ids, written);
  }
}
