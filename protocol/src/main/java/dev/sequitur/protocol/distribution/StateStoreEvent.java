package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.StateDistribution;
import java.util.List;

/** What a state store must not forget. */
public sealed interface StateStoreEvent {
  /**
   * Contents that came from another node, or from this node's submitter.
   *
   * @param from the node that gave them
   */
  record StatesStored(NodeName from, List<StateDistribution.Item> items)
      implements StateStoreEvent {
    public StatesStored {
      items = List.copyOf(items);
    }
  }

  /** Owed to {@code to} until it is acknowledged. */
  record DistributionBegun(NodeName to, StateDistribution distribution)
      implements StateStoreEvent {}

  record DistributionAcknowledged(RequestId distribution) implements StateStoreEvent {}

  /** What a final block did to the contract's states. */
  record BlockApplied(BlockHeight height, List<StateId> spent, List<StateId> created)
      implements StateStoreEvent {
    public BlockApplied {
      spent = List.copyOf(spent);
      created = List.copyOf(created);
    }
  }
}
