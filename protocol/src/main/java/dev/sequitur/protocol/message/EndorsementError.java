package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;

/** A party endorses nothing of a request, and says why (EDR-3). */
public record EndorsementError(
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
   * The request is none that it could endorse anything of.
   *
   * @param revertReason for people; holds no private data
   */
  public record Refused(String revertReason) implements Reason {}

  /**
   * What its node holds is not what the ledger shows (DST-10). That says nothing of the request,
   * and how it is mended is for its own operator.
   */
  public record CannotEndorseNow() implements Reason {}
}
