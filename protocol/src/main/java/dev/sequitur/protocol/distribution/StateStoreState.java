package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.trie.HashTrie;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A contract's states on one node. Spent ones are dropped.
 *
 * @param confirmed unspent states on the base ledger whose content is known
 * @param unconfirmed contents whose transaction is not confirmed yet
 * @param unconfirmedOf how many of those each node gave
 * @param contentMissing unspent states on the base ledger whose content has not come
 * @param available confirmed states by what they are found by, oldest first
 * @param arrivals numbers states in order of confirmation
 * @param outbox distributions that are not acknowledged
 */
@Copyable
public record StateStoreState(
    BlockHeight height,
    PMap<StateId, Confirmed> confirmed,
    PMap<StateId, Unconfirmed> unconfirmed,
    PMap<NodeName, Integer> unconfirmedOf,
    PMap<StateId, BlockHeight> contentMissing,
    PMap<Lookup, TreePMap<Long, StateId>> available,
    long arrivals,
    PMap<RequestId, Owed> outbox,
    Exchanges<RequestId> exchanges)
    implements StateStoreStateBuilder.With {

  public record Confirmed(PrivateState state, long order) {}

  /**
   * @param from the node that gave it
   * @param since the height when it came, after which it is forgotten one day
   */
  public record Unconfirmed(
      PrivateState state, TransactionId producedBy, NodeName from, BlockHeight since) {}

  public record Lookup(String schema, String value) {}

  public record Owed(NodeName to, StateDistribution distribution) {}

  public static StateStoreState initial() {
    return new StateStoreState(
        BlockHeight.ZERO,
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        0,
        HashTrie.empty(),
        Exchanges.none());
  }

  /** Nothing is owed to anybody. */
  public boolean isIdle() {
    return outbox.isEmpty();
  }

  /** Whether a state that was confirmed after {@code height} still lacks its content. */
  public boolean awaitsContentSince(long height) {
    return contentMissing.values().stream().anyMatch(since -> since.value() > height);
  }

  boolean knows(StateId id) {
    return confirmed.containsKey(id) || unconfirmed.containsKey(id);
  }

  /** How many contents of {@code node} wait for their transaction. */
  int unconfirmedFrom(NodeName node) {
    return unconfirmedOf.getOrDefault(node, 0);
  }

  private PMap<NodeName, Integer> countWithout(StateId id) {
    var gone = unconfirmed.get(id);
    if (gone == null) {
      return unconfirmedOf;
    }
    int rest = unconfirmedFrom(gone.from()) - 1;
    return rest == 0 ? unconfirmedOf.minus(gone.from()) : unconfirmedOf.plus(gone.from(), rest);
  }

  public StateStoreState at(BlockHeight newHeight) {
    return withHeight(newHeight);
  }

  /** A state is on the base ledger and its content is here. */
  public StateStoreState confirm(PrivateState state) {
    var lookup = new Lookup(state.schema(), state.lookup());
    var found = available.getOrDefault(lookup, TreePMap.empty()).plus(arrivals, state.id());
    return new StateStoreState(
        height,
        confirmed.plus(state.id(), new Confirmed(state, arrivals)),
        unconfirmed.minus(state.id()),
        countWithout(state.id()),
        contentMissing.minus(state.id()),
        available.plus(lookup, found),
        arrivals + 1,
        outbox,
        exchanges);
  }

  StateStoreState spend(StateId id) {
    var spent = confirmed.get(id);
    if (spent == null) {
      return with()
          .unconfirmed(unconfirmed.minus(id))
          .unconfirmedOf(countWithout(id))
          .contentMissing(contentMissing.minus(id))
          .build();
    }
    var lookup = new Lookup(spent.state().schema(), spent.state().lookup());
    var rest = available.get(lookup).minus(spent.order());
    return with()
        .confirmed(confirmed.minus(id))
        .available(rest.isEmpty() ? available.minus(lookup) : available.plus(lookup, rest))
        .build();
  }

  public StateStoreState await(StateId id) {
    return withContentMissing(contentMissing.plus(id, height));
  }

  public StateStoreState hold(Unconfirmed content) {
    return with()
        .unconfirmed(unconfirmed.plus(content.state().id(), content))
        .unconfirmedOf(unconfirmedOf.plus(content.from(), unconfirmedFrom(content.from()) + 1))
        .build();
  }

  StateStoreState forgetUnconfirmed(StateId id) {
    return with().unconfirmed(unconfirmed.minus(id)).unconfirmedOf(countWithout(id)).build();
  }

  public StateStoreState owe(Owed what) {
    return withOutbox(outbox.plus(what.distribution().distributionId(), what));
  }
}
