package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sender grants the dispatch of some of what it was asked about, and denies that of others
 * (DSP-4): each is one of the specification's dispatch confirmation responses or errors. What is in
 * neither list the sender cannot tell yet.
 *
 * <p>Under {@link #UNASKED} it only denies: it names what has ended at its sender, which its
 * coordinator is to let go (SND-9). The delegation id is then the newest that the sender has made.
 */
public record DispatchConfirmationResponse(
    RequestId requestId, ContractAddress contract, List<Granted> granted, List<Denied> denied)
    implements Message.ForCoordinator {
  /** Of a denial that answers no request. */
  public static final RequestId UNASKED = new RequestId("unasked");

  public DispatchConfirmationResponse {
    granted = List.copyOf(granted);
    denied = List.copyOf(denied);
  }

  /** This one may be dispatched under that delegation. */
  public record Granted(TransactionId transaction, DelegationId delegationId) {}

  /** This one may not. */
  public record Denied(TransactionId transaction, DelegationId delegationId, Reason reason) {}

  /** Why the dispatch is denied. */
  public enum Reason {
    UNKNOWN_TRANSACTION,
    NOT_ACTIVE_DELEGATE,
    HASH_MISMATCH,
    ALREADY_FINAL
  }

  @Override
  public List<TransactionId> transactions() {
    return Stream.concat(
            granted.stream().map(Granted::transaction), denied.stream().map(Denied::transaction))
        .toList();
  }
}
