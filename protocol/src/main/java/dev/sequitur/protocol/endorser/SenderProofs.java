package dev.sequitur.protocol.endorser;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.Signature;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether senders have signed what they are said to have assembled (ATT-7). A signature that many
 * items share is checked once. One of these serves one request, so that it remembers no more than
 * that has items.
 */
public final class SenderProofs {
  private final PrivacyGroup group;
  private final Signatures signatures;
  private final SharedPaths paths = new SharedPaths();
  private final Map<Signed, Boolean> valid = new HashMap<>();

  /** What is signed follows from root and size: it is hashed once for all that share it. */
  private record Signed(Hash root, int size, Signature signature) {}

  public SenderProofs(PrivacyGroup group, Signatures signatures) {
    this.group = group;
    this.signatures = signatures;
  }

  /**
   * @param transition of the item
   * @return why it is not endorsed, if its sender has not signed it with the key that the group
   *     knows
   */
  public Optional<String> refusal(EndorsementRequest.Item item, Hash transition) {
    var sender = group.committee().member(item.transaction().from());
    var given = item.proof().signatures();
    if (sender.isEmpty() || given.size() != 1) {
      return Optional.of("There must be one signature, by the sender.");
    }
    var signature = given.get(0);
    var path = item.proof().path();
    return new Member(signature.party(), signature.verifier()).equals(sender.get())
            && valid.computeIfAbsent(
                new Signed(paths.root(transition, path), path.size(), signature), this::isValid)
        ? Optional.empty()
        : Optional.of("The sender's signature is not valid for this assembly.");
  }

  private boolean isValid(Signed signed) {
    var signature = signed.signature();
    var digest = group.attestation(Purpose.ASSEMBLY).digest(signed.root(), signed.size());
    return signatures.verify(signature.verifier(), digest, signature.value());
  }
}
