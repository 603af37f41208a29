package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/** A party does not endorse, and says why (EDR-3). */
public record EndorsementError(
    TransactionId transactionId,
    RequestId idempotencyKey,
    ContractAddress contract,
    Reason reason,
    Identity party,
    String attestationRequestName)
    implements Message.ForCoordinator {

  /** Why a party does not endorse. */
  public sealed interface Reason {}

  /** Endorser and coordinator are in different block ranges. */
  public record MismatchedBlockHeight(BlockHeight observedBlockHeight) implements Reason {}

  /** The endorser has evidence that a better member lives. */
  public record NotPreferredCoordinator(NodeName preferredCoordinator) implements Reason {}

  /**
   * The domain refuses.
   *
   * @param revertReason for people; holds no private data
   */
  public record Refused(String revertReason) implements Reason {}

  @Override
  public List<TransactionId> transactions() {
    return List.of(transactionId);
  }
}
