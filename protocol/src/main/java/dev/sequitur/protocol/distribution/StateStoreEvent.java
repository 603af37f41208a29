package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStoreState.Owed;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import java.util.Optional;

/**
 * What a state store must not forget. Contents are not in it, but for those that this node may not
 * keep: they are where spent states are kept too, and are read from there on recovery.
 */
public sealed interface StateStoreEvent {
  /** A state and the transaction that makes it. */
  record Item(TransactionId producedBy, StateId state) {}

  /**
   * Contents that came from another node, or from this node's submitter.
   *
   * @param from the node that gave them
   */
  record StatesStored(NodeName from, List<Item> items) implements StateStoreEvent {
    public StatesStored {
      items = List.copyOf(items);
    }
  }

  /**
   * Owed until it is acknowledged. Who is given the same is named in one event, since mostly the
   * whole committee is given it.
   *
   * @param deliveries to whom, and by which id each acknowledges it
   */
  record DistributionBegun(List<Delivery> deliveries, List<Share> items)
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
          .map(each -> new Owed(each.to(), each.distribution(), items))
          .toList();
    }
  }

  /**
   * What somebody is owed.
   *
   * @param foreign the content, if this node is not on the state's list and may not keep it longer
   *     than it owes it (DST-2)
   */
  record Share(TransactionId producedBy, StateId state, Optional<PrivateState> foreign) {}

  /** It is owed no more: the receiver has it, or has left the group (CMT-7). */
  record DistributionAcknowledged(RequestId distribution) implements StateStoreEvent {}

  /** What one node was owed while another distribution was on its way to it goes as one. */
  record DistributionsGathered(List<RequestId> distributions, DistributionBegun.Delivery together)
      implements StateStoreEvent {
    public DistributionsGathered {
      distributions = List.copyOf(distributions);
    }
  }

  /**
   * Found on recovery: the process ended before these contents were kept. Nobody was told that they
   * are, so whoever gave them gives them again.
   */
  record ContentsLost(List<StateId> states) implements StateStoreEvent {
    public ContentsLost {
      states = List.copyOf(states);
    }
  }

  /** What a final block did to the contract's states. */
  record BlockApplied(BlockHeight height, List<StateId> spent, List<StateId> created)
      implements StateStoreEvent {
    public BlockApplied {
      spent = List.copyOf(spent);
      created = List.copyOf(created);
    }
  }

  /**
   * Contents of states that a block had made, which this node has asked another for (DST-6).
   *
   * @param from the node that gave them
   */
  record ContentsGiven(NodeName from, List<StateId> states) implements StateStoreEvent {
    public ContentsGiven {
      states = List.copyOf(states);
    }
  }

  /**
   * Every other member was asked for what was missing of the blocks up to this one, and has
   * answered.
   */
  record ContentsSought(BlockHeight upTo) implements StateStoreEvent {}

  /**
   * A caller has had contents erased (ROM-7): nobody is given them from here any more, nor are they
   * taken or asked for.
   */
  record ErasureDemanded(Erased.Demand demand) implements StateStoreEvent {}

  /** The same, as another member has asked. */
  record ContentsErased(List<StateId> states) implements StateStoreEvent {
    public ContentsErased {
      states = List.copyOf(states);
    }
  }

  /** What was erased is gone from where it was kept. */
  record ContentsWiped(List<StateId> states) implements StateStoreEvent {
    public ContentsWiped {
      states = List.copyOf(states);
    }
  }

  /** Contents that no block has made a state of are gone from where they were kept (ROM-8). */
  record ContentsDropped(List<StateId> states) implements StateStoreEvent {
    public ContentsDropped {
      states = List.copyOf(states);
    }
  }

  /**
   * Another member has answered.
   *
   * @param erased whether the contents are gone there
   */
  record ErasureAnswered(RequestId demand, NodeName by, boolean erased)
      implements StateStoreEvent {}

  /** Comparing with the ledger has shown that since a block it is not what is held here (DST-9). */
  record DifferenceFound(BlockHeight since) implements StateStoreEvent {}

  /**
   * What is unspent here was made what the ledger shows (DST-11).
   *
   * @param spent what was held, though a block had spent it
   * @param made what was not, though it is unspent, and by which block
   * @param kept those of them whose contents are here
   * @param whole whether nothing else is different
   * @param unmade what was held, though no block has made it
   */
  record Corrected(
      List<StateId> spent,
      List<Missing> made,
      List<StateId> kept,
      boolean whole,
      List<StateId> unmade)
      implements StateStoreEvent {
    public Corrected {
      spent = List.copyOf(spent);
      made = List.copyOf(made);
      kept = List.copyOf(kept);
      unmade = List.copyOf(unmade);
    }
  }
}
