package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A party's answer to an {@link EndorsementRequest}: to each of its items one of the
 * specification's endorsement responses or endorsement errors.
 *
 * @param endorsed in the order of the request
 * @param endorsement over the root of the tree of their transitions, in that order; empty if there
 *     are none
 * @param refused in the order of the request
 */
public record EndorsementResponse(
    RequestId idempotencyKey,
    ContractAddress contract,
    Identity party,
    String attestationRequestName,
    List<IntentKey> endorsed,
    Optional<Signature> endorsement,
    List<Refused> refused)
    implements Message.ForCoordinator {
  public EndorsementResponse {
    endorsed = List.copyOf(endorsed);
    refused = List.copyOf(refused);
  }

  /**
   * The domain refuses.
   *
   * @param reason for people; holds no private data
   */
  public record Refused(IntentKey intent, String reason) {}

  @Override
  public List<TransactionId> transactions() {
    return Stream.concat(endorsed.stream(), refused.stream().map(Refused::intent))
        .map(IntentKey::transaction)
        .toList();
  }
}
