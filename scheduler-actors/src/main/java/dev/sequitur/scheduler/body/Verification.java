package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.family.Family;
import dev.sequitur.protocol.schedule.family.FamilyQuery;
import dev.sequitur.protocol.schedule.family.MultiSignature;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureQueries;
import dev.sequitur.protocol.schedule.family.QueueView;
import dev.sequitur.protocol.schedule.signing.BodyLookup;

/**
 * Asks a queue to verify a transaction by the keys that its accounts have now. Done where the queue
 * is, between two batches: a signature costs a fraction of a millisecond.
 *
 * @param transaction bytes that a {@link TransactionReader} has taken
 */
public record Verification(Bytes transaction)
    implements FamilyQuery<MultiSignatureOperation.Submitted> {
  @Override
  public FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  public MultiSignatureOperation.Submitted answer(Family family, QueueView view) {
    if (!(family instanceof MultiSignature mine)) {
      throw new IllegalStateException("Not this family: " + family.kind());
    }
    var queries = new MultiSignatureQueries(mine, view);
    try {
      var read = new TransactionReader(mine.settings().profile()).read(transaction);
      // Nothing is archived yet: the queue itself remembers each body that was executed.
      var lookup = new BodyLookup(false, queries.archivedBodies());
      return new VerifiedOperations(new SignatureVerifier()).of(read, queries, lookup);
    } catch (RefusedTransactionException e) {
      throw new IllegalStateException("Not read before: " + e.getMessage(), e);
    }
  }
}
