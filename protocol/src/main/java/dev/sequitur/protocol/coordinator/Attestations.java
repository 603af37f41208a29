package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.Set;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * What is being endorsed.
 *
 * @param waiting assembled, and not asked about yet, in the order of their dispatch
 * @param open batches that somebody is asked about, by number
 * @param together how many of them are not alone
 * @param asked which batch a request is about
 * @param next numbers places and batches
 */
@Copyable
public record Attestations(
    TreePMap<Long, IntentKey> waiting,
    PMap<Long, AttestationBatch> open,
    int together,
    PMap<RequestId, Long> asked,
    long next)
    implements AttestationsBuilder.With {
  static final Attestations NONE =
      new Attestations(TreePMap.empty(), HashTrie.empty(), 0, HashTrie.empty(), 0);

  /** Its place is {@link #next}. */
  Attestations waitsToo(IntentKey transaction) {
    return with().waiting(waiting.plus(next, transaction)).next(next + 1).build();
  }

  Attestations waitsNoMore(long place) {
    return withWaiting(waiting.minus(place));
  }

  /** Its number is {@link #next}. */
  Attestations opened(AttestationBatch batch) {
    return with()
        .open(open.plus(batch.number(), batch))
        .together(together + (batch.alone() ? 0 : 1))
        .next(next + 1)
        .build();
  }

  Attestations asking(AttestationBatch batch, Identity party, AttestationBatch.Request request) {
    return with()
        .open(open.plus(batch.number(), batch.asking(party, request)))
        .asked(asked.plus(request.key(), batch.number()))
        .build();
  }

  Attestations notAsking(RequestId request) {
    return withAsked(asked.minus(request));
  }

  Attestations changed(AttestationBatch batch) {
    return withOpen(open.plus(batch.number(), batch));
  }

  /** One that waits for somebody silent. */
  Attestations holdsUpNobody(AttestationBatch batch) {
    return with()
        .open(open.plus(batch.number(), batch.withAlone(true)))
        .together(together - (batch.alone() ? 0 : 1))
        .build();
  }

  Attestations closed(AttestationBatch batch) {
    return with()
        .open(open.minus(batch.number()))
        .together(together - (batch.alone() ? 0 : 1))
        .asked(asked.minusAll(batch.keys()))
        .build();
  }

  /** Who is asked to endorse it now. */
  public Set<Identity> askedAbout(CoordinatedTransaction transaction) {
    return transaction
        .progress()
        .batch()
        .map(number -> Set.copyOf(open.get(number).requests().keySet()))
        .orElse(Set.of());
  }
}
