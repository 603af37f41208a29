package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.StateStoreState.Owed;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
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

  /**
   * Owed until it is acknowledged. Who is given the same is named in one event: contents are long,
   * and mostly the whole committee is given them.
   *
   * @param deliveries to whom, and by which id each acknowledges it
   */
  record DistributionBegun(
      List<Delivery> deliveries, ContractAddress contract, List<StateDistribution.Item> items)
      implements StateStoreEvent {
    public DistributionBegun {
      deliveries = List.copyOf(deliveries);
      items = List.copyOf(items);
    }

    /** One of those who are given the same. */
    public record Delivery(NodeName to, RequestId distribution) {}

    /** What each of them is owed. */
    List<Owed> owed() {
      return deliveries.stream()
          .map(
              each ->
                  new Owed(each.to(), new StateDistribution(each.distribution(), contract, items)))
          .toList();
    }
  }

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
