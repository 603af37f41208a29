package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.transaction.Proof;
import java.util.Optional;

/**
 * How far one assembly of a transaction has come at its coordinator; a new one begins at the front.
 *
 * @param proof that its own attestation plan is fulfilled, which the base ledger is shown
 * @param place where it waits for an attestation batch
 * @param batch in which it is endorsed, with others
 * @param confirmation the request for leave to dispatch, or the distribution to the sender
 * @param granted whether the sender has granted the dispatch
 * @param committed whether the submitter holds it durably
 */
@Copyable
public record AssemblyProgress(
    Optional<Proof> proof,
    Optional<Long> place,
    Optional<Long> batch,
    Optional<RequestId> confirmation,
    boolean granted,
    boolean committed)
    implements AssemblyProgressBuilder.With {
  static final AssemblyProgress NONE =
      new AssemblyProgress(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false, false);

  AssemblyProgress waitsAt(long newPlace) {
    return withPlace(Optional.of(newPlace));
  }

  AssemblyProgress in(AttestationBatch newBatch) {
    return with().place(Optional.empty()).batch(Optional.of(newBatch.number())).build();
  }

  AssemblyProgress fullyEndorsed(Proof enough) {
    return with().proof(Optional.of(enough)).batch(Optional.empty()).build();
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
