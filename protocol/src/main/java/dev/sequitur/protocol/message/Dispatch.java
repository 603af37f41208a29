package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The command from a coordinator to a submitter of the same node (DSP-7): what the submitter
 * commits here is the persistence point 1C/2C (RCV-5), the outputs' distribution included. Nodes do
 * not believe it of each other.
 *
 * @param sender the node whose transaction it is
 * @param range the range in which it was delegated: what the hold-off goes by (SWO-2)
 * @param outputs the states made, with content, to be distributed
 */
public record Dispatch(
    RequestId dispatchId,
    ContractAddress contract,
    NodeName sender,
    DelegationId delegationId,
    BlockRange range,
    PreparedTransaction prepared,
    List<PrivateState> outputs)
    implements Message.ForMachine {
  public Dispatch {
    outputs = List.copyOf(outputs);
  }

  /** The states that these make. */
  public static Set<StateId> outputs(Collection<Dispatch> dispatches) {
    return dispatches.stream()
        .flatMap(each -> each.outputs().stream())
        .map(PrivateState::id)
        .collect(Collectors.toSet());
  }

  @Override
  public List<TransactionId> transactions() {
    return List.of(prepared.transaction());
  }
}
