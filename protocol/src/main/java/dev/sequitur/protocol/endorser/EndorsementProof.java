package dev.sequitur.protocol.endorser;

import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One transition with all that shows that its group has endorsed it, alone or in a batch. Whoever
 * has it needs no node and no ledger to check it (ATT-8). Holds no private data.
 *
 * @param policy who had to sign: to be taken from somebody who is trusted
 */
public record EndorsementProof(EndorsementPolicy policy, PreparedTransaction prepared) {
  /** The same against what somebody else says of the group. */
  public EndorsementProof under(EndorsementPolicy trusted) {
    return new EndorsementProof(trusted, prepared);
  }

  /** The members of the committee who have signed, in its order. */
  public List<Member> endorsers(Signatures signatures) {
    return policy.quorum().committee().among(signers(signatures));
  }

  private Set<Member> signers(Signatures signatures) {
    return prepared.endorsers(
        policy.chainId(),
        new SharedPaths(),
        (digest, endorsement) ->
            signatures.isValid(endorsement.verifier(), digest, endorsement.value()));
  }

  /** Why it proves nothing, in a sentence; empty if the contract would take these endorsements. */
  public Optional<String> flaw(Signatures signatures) {
    if (!prepared.contract().equals(policy.contract())) {
      return Optional.of(
          "The transaction is of contract %s, and the group is that of %s."
              .formatted(prepared.contract(), policy.contract()));
    }
    var quorum = policy.quorum();
    var signers = signers(signatures);
    return quorum.isMetBy(signers)
        ? Optional.empty()
        : Optional.of(
            "%d of the %d members have signed it on chain %d, and %d must."
                .formatted(
                    quorum.committee().among(signers).size(),
                    quorum.committee().members().size(),
                    policy.chainId(),
                    quorum.threshold()));
  }
}
