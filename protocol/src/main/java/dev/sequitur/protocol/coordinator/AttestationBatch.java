package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.transaction.AttestationRequest;
import java.util.List;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * Transactions that are endorsed together. One that leaves the graph meanwhile, or is endorsed, is
 * of it no longer: its own progress names no batch then, or another.
 *
 * @param number of this batch; no other has it in this life of the coordinator
 * @param alone one that was refused before: it does not count among those that hold others up
 * @param plan of each of its transactions
 * @param members as it was opened, in the order of their dispatch
 * @param requests by which each party is asked now
 * @param answered who has answered
 */
@Copyable
public record AttestationBatch(
    long number,
    boolean alone,
    List<AttestationRequest> plan,
    List<IntentKey> members,
    PMap<Identity, RequestId> requests,
    PSet<Identity> answered)
    implements AttestationBatchBuilder.With {
  static AttestationBatch of(
      long number, boolean alone, List<AttestationRequest> plan, List<IntentKey> members) {
    return new AttestationBatch(
        number, alone, plan, members, HashTreePMap.empty(), HashTreePSet.empty());
  }

  AttestationBatch asking(Identity party, RequestId request) {
    return withRequests(requests.plus(party, request));
  }

  AttestationBatch answeredBy(Identity party) {
    return with().requests(requests.minus(party)).answered(answered.plus(party)).build();
  }

  /** Whether it was asked, and has not been forgotten since. */
  boolean knows(Identity party) {
    return requests.containsKey(party) || answered.contains(party);
  }
}
