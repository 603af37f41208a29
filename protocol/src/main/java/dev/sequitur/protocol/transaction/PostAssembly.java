package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * What an assembly adds to a transaction.
 *
 * @param inputs states it spends
 * @param reads states it needs unspent
 * @param outputs states it makes
 * @param info states told to the endorsers, neither spent nor made
 * @param specification what the endorsers check against, the domain's encoding, private
 * @param proof the sender's own, of {@link #transition}; {@link Proof#NONE} as the domain leaves it
 */
public record PostAssembly(
    List<PrivateState> inputs,
    List<PrivateState> reads,
    List<PrivateState> outputs,
    List<PrivateState> info,
    Bytes specification,
    List<AttestationRequest> attestationPlan,
    Proof proof) {
  public PostAssembly {
    inputs = List.copyOf(inputs);
    reads = List.copyOf(reads);
    outputs = List.copyOf(outputs);
    info = List.copyOf(info);
    attestationPlan = List.copyOf(attestationPlan);
  }

  /** The same, signed. */
  public PostAssembly proved(Proof senders) {
    return new PostAssembly(inputs, reads, outputs, info, specification, attestationPlan, senders);
  }

  public List<StateId> inputIds() {
    return inputs.stream().map(PrivateState::id).toList();
  }

  public List<StateId> readIds() {
    return reads.stream().map(PrivateState::id).toList();
  }

  public List<StateId> outputIds() {
    return outputs.stream().map(PrivateState::id).toList();
  }

  /** The digest of the transition that this assembly is of an intent (ATT-3). */
  public Hash transition(IntentKey intent) {
    return Attestation.transition(intent, inputIds(), readIds(), outputIds());
  }

  /**
   * The hash of a RequestDispatchConfirmation (DSP-3): transaction id, delegation id, inputs,
   * reads, outputs and the sender's own signatures.
   */
  public Hash confirmationHash(TransactionId transaction, DelegationId delegation) {
    var digest = new CanonicalDigest().add(transaction.toString()).add(delegation.toString());
    addAll(digest, inputIds());
    addAll(digest, readIds());
    addAll(digest, outputIds());
    proof.signatures().forEach(signature -> digest.add(signature.value()));
    return digest.finish();
  }

  private static void addAll(CanonicalDigest digest, List<StateId> states) {
    digest.add(states.size());
    states.forEach(state -> digest.add(state.value()));
  }
}
