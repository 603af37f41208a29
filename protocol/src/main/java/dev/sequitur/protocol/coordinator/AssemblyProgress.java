package dev.sequitur.protocol.coordinator;

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
public record AssemblyProgress(
    PMap<Identity, Signature> endorsements,
    boolean endorsed,
    PMap<Identity, RequestId> requests,
    Optional<RequestId> confirmation,
    boolean granted,
    boolean committed) {
  static final AssemblyProgress NONE =
      new AssemblyProgress(
          HashTreePMap.empty(), false, HashTreePMap.empty(), Optional.empty(), false, false);

  AssemblyProgress asking(Identity party, RequestId request) {
    return new AssemblyProgress(
        endorsements, endorsed, requests.plus(party, request), confirmation, granted, committed);
  }

  AssemblyProgress endorsedBy(Signature endorsement) {
    return new AssemblyProgress(
        endorsements.plus(endorsement.party(), endorsement),
        endorsed,
        requests.minus(endorsement.party()),
        confirmation,
        granted,
        committed);
  }

  AssemblyProgress fullyEndorsed() {
    return new AssemblyProgress(
        endorsements, true, HashTreePMap.empty(), confirmation, granted, committed);
  }

  AssemblyProgress confirmationAsked(Optional<RequestId> request) {
    return new AssemblyProgress(endorsements, endorsed, requests, request, granted, committed);
  }

  AssemblyProgress dispatchGranted() {
    return new AssemblyProgress(
        endorsements, endorsed, requests, Optional.empty(), true, committed);
  }

  AssemblyProgress dispatchCommitted() {
    return new AssemblyProgress(endorsements, endorsed, requests, confirmation, granted, true);
  }
}
