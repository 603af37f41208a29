package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The coordinator does not coordinate these, and says why. */
public record DelegationRejected(
    DelegationId delegationId,
    NodeName delegateNode,
    ContractAddress contract,
    List<TransactionId> transactions,
    Reason rejectReason)
    implements Message.ForSender {
  public DelegationRejected {
    transactions = List.copyOf(transactions);
  }

  /** Why a delegation is rejected, with the detail that belongs to the reason. */
  public sealed interface Reason {}

  /** The command was calculated in another block range than the coordinator is in. */
  public record MismatchedBlockHeight(
      BlockHeight providedBlockHeight, BlockHeight observedBlockHeight) implements Reason {}

  /**
   * A better member lives (AVL-2).
   *
   * @param latestHeartbeatTime when the evidence came, by the rejecting node's clock
   * @param latestHeartbeatId the evidence, if it was a heartbeat
   */
  public record NotPreferredCoordinator(
      NodeName preferredCoordinator,
      Instant latestHeartbeatTime,
      Optional<HeartbeatSequence> latestHeartbeatId)
      implements Reason {}

  /** The coordinator has as much as it can hold; try again after {@code retryAfter} (DLG-7). */
  public record Overloaded(Duration retryAfter) implements Reason {}

  /**
   * The coordinator's submitter cannot hand anything to the base ledger (SUB-11).
   *
   * @param why for people
   */
  public record CannotSubmit(String why) implements Reason {}
}
