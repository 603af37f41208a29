package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * All that the base ledger needs to fulfil one intent: the transition, and the proof that enough
 * members endorse it (ATT-4). Holds no private data.
 *
 * @param proof the path to the transition in the batch that was endorsed, and at least as many
 *     endorsements of its root as the contract asks for
 */
public record PreparedTransaction(
    IntentKey intent,
    ContractAddress contract,
    List<StateId> inputs,
    List<StateId> reads,
    List<StateId> outputs,
    Proof proof) {
  public PreparedTransaction {
    inputs = List.copyOf(inputs);
    reads = List.copyOf(reads);
    outputs = List.copyOf(outputs);
  }

  public TransactionId transaction() {
    return intent.transaction();
  }

  /**
   * Whose endorsements are valid, by the keys that they come with. Whether these are the
   * committee's says {@link dev.sequitur.protocol.group.Committee#among}.
   *
   * @param paths of those that are looked at together with this one
   * @param valid whether a digest has been signed so
   */
  public Set<Member> endorsers(
      long chainId, SharedPaths paths, BiPredicate<Hash, Signature> valid) {
    var digest = endorsed(chainId, paths);
    var endorsers = new HashSet<Member>();
    for (var endorsement : proof.signatures()) {
      var member = new Member(endorsement.party(), endorsement.verifier());
      if (!endorsers.contains(member) && valid.test(digest, endorsement)) {
        endorsers.add(member);
      }
    }
    return endorsers;
  }

  /** What its endorsers must have signed if its contract is on that chain. */
  public Hash endorsed(long chainId) {
    return endorsed(chainId, new SharedPaths());
  }

  private Hash endorsed(long chainId, SharedPaths paths) {
    var transition = Attestation.transition(intent, inputs, reads, outputs);
    return paths.digest(
        new Attestation(Purpose.ENDORSEMENT, chainId, contract), transition, proof.path());
  }
}
