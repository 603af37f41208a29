package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.transaction.Signature;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * How far one assembly of a transaction has come at its coordinator; a new one begins at the front.
 *
 * @param endorsements by party
 * @param endorsed whether its own attestation plan is fulfilled
 * @param requests by which requests endorsers, sender or submitter are asked now
 * @param confirmation the request for leave to dispatch, or the distribution to the sender
 * @param granted whether the sender has granted the dispatch
 * @param committed whether the submitter holds it durably
 */
@Copyable
public record AssemblyProgress(
    PMap<Identity, Signature> endorsements,
    boolean endorsed,
    PMap<Identity, RequestId> requests,
    Optional<RequestId> confirmation,
    boolean granted,
    boolean committed)
    implements AssemblyProgressBuilder.With {
  static final AssemblyProgress NONE =
      new AssemblyProgress(
          HashTreePMap.empty(), false, HashTreePMap.empty(), Optional.empty(), false, false);

  AssemblyProgress asking(Identity party, RequestId request) {
    return withRequests(requests.plus(party, request));
  }

  AssemblyProgress endorsedBy(Signature endorsement) {
    return with()
        .endorsements(endorsements.plus(endorsement.party(), endorsement))
        .requests(requests.minus(endorsement.party()))
        .build();
  }

  AssemblyProgress fullyEndorsed() {
    return with().endorsed(true).requests(HashTreePMap.empty()).build();
  }

  AssemblyProgress confirmationAsked(Optional<RequestId> request) {
    return withConfirmation(request);
  }

  AssemblyProgress dispatchGranted() {
    return with().confirmation(Optional.empty()).granted(true).build();
  }

  AssemblyProgress dispatchCommitted() {
    return withCommitted(true);
  }
}
