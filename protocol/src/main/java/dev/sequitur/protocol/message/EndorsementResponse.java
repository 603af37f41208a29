package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.stream.Stream;

/**
 * A party's answer to an {@link EndorsementRequest}: to each of its items one of the
 * specification's endorsement responses or endorsement errors.
 *
 * @param endorsed in the order of the request
 * @param refused in the order of the request
 */
public record EndorsementResponse(
    RequestId idempotencyKey,
    ContractAddress contract,
    Identity party,
    String attestationRequestName,
    List<Endorsed> endorsed,
    List<Refused> refused)
    implements Message.ForCoordinator {
  public EndorsementResponse {
    endorsed = List.copyOf(endorsed);
    refused = List.copyOf(refused);
  }

  /**
   * @param endorsement of the transition, alone
   */
  public record Endorsed(IntentKey intent, Signature endorsement) {}

  /**
   * The domain refuses.
   *
   * @param reason for people; holds no private data
   */
  public record Refused(IntentKey intent, String reason) {}

  @Override
  public List<TransactionId> transactions() {
    return Stream.concat(
            endorsed.stream().map(Endorsed::intent), refused.stream().map(Refused::intent))
        .map(IntentKey::transaction)
        .toList();
  }
}
