package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.distribution.StateStoreEvent.DistributionBegun.Delivery;
import dev.sequitur.protocol.distribution.StateStoreEvent.Share;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.pcollections.PMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * A contract's states on one node. Spent ones are dropped. What each has besides contents, what
 * they are found by, and exchanges, follows from its events.
 *
 * @param confirmed unspent states on the base ledger whose content is kept, in which order they
 *     were confirmed
 * @param unconfirmed states whose content is kept and whose transaction is not confirmed yet
 * @param unconfirmedOf how many of those each node gave
 * @param missing unspent states on the base ledger whose content has not come
 * @param sought up to the block that made them, all members have answered for what is missing; only
 *     where a state may be for others alone, elsewhere they are asked for ever
 * @param differs the first block that shows other states than are held here (DST-8, DST-9)
 * @param arrivals numbers states in order of confirmation
 * @param outbox distributions that are not acknowledged
 * @param waiting distributions of the outbox that are not sent yet, since another is on its way to
 *     that node; in the order in which they were begun
 * @param contents of what is confirmed and unconfirmed; on recovery they are read where they are
 *     kept
 * @param available confirmed states by what they are found by, oldest first
 * @param asking whom it asks for what is missing; empty if for nothing
 * @param given how many requests of each node were answered since the last tick
 * @param erased whose contents are not to be had or taken here any more (ROM-7)
 * @param unmade what was held and no block has made, as long as its contents are kept (ROM-8)
 */
@Copyable
public record StateStoreState(
    BlockHeight height,
    PMap<StateId, Long> confirmed,
    PMap<StateId, Unconfirmed> unconfirmed,
    PMap<NodeName, Integer> unconfirmedOf,
    MissingContents missing,
    BlockHeight sought,
    Optional<BlockHeight> differs,
    long arrivals,
    PMap<RequestId, Owed> outbox,
    PMap<NodeName, TreePVector<StateDistribution>> waiting,
    PMap<StateId, PrivateState> contents,
    PMap<Lookup, TreePMap<Long, StateId>> available,
    Exchanges<RequestId> exchanges,
    Optional<Asking> asking,
    PMap<NodeName, Integer> given,
    Erased erased,
    Unmade unmade)
    implements StateStoreStateBuilder.With {

  /** Stands for the transaction that nobody remembers. */
  private static final TransactionId NOBODY_KNOWS = new TransactionId(new UUID(0, 0));

  /**
   * @param from the node that gave it
   * @param since the height when it came, after which it is forgotten one day
   */
  public record Unconfirmed(TransactionId producedBy, NodeName from, BlockHeight since) {}

  public record Lookup(String schema, String value) {
    static Lookup of(PrivateState state) {
      return new Lookup(state.schema(), state.lookup());
    }
  }

  /**
   * @param distribution by which {@code to} acknowledges it
   */
  public record Owed(NodeName to, RequestId distribution, List<Share> items) {
    public Owed {
      items = List.copyOf(items);
    }

    /** What was gathered with a state that is lost is owed still: nobody gives it again. */
    private List<Share> without(Set<StateId> lost) {
      return items.stream()
          .filter(item -> item.foreign().isPresent() || !lost.contains(item.state()))
          .toList();
    }
  }

  public static StateStoreState initial() {
    return new StateStoreState(
        BlockHeight.ZERO,
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        MissingContents.NONE,
        BlockHeight.ZERO,
        Optional.empty(),
        0,
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        Exchanges.none(),
        Optional.empty(),
        HashTrie.empty(),
        Erased.NOTHING,
        Unmade.NONE);
  }

  /** Nothing is owed to anybody, and nobody is asked for anything. */
  public boolean isIdle() {
    return outbox.isEmpty()
        && asking.filter(each -> !each.isResting(missing)).isEmpty()
        && erased.isIdle();
  }

  /** Unspent states on the base ledger whose content has not come, and the block of each. */
  public PMap<StateId, BlockHeight> contentMissing() {
    return missing.since();
  }

  /** Whether a state that was confirmed after {@code height} still lacks its content. */
  public boolean awaitsContentSince(long height) {
    return missing.newest().filter(since -> since.value() > height).isPresent();
  }

  /**
   * How states stand. One that is in neither set is spent, or was forgotten since its transaction
   * was never confirmed.
   *
   * @param confirmed on the base ledger and not spent
   * @param unconfirmed of a transaction that is not confirmed yet
   */
  public record Standing(Set<StateId> confirmed, Set<StateId> unconfirmed) {
    public Standing {
      confirmed = Set.copyOf(confirmed);
      unconfirmed = Set.copyOf(unconfirmed);
    }
  }

  /** How these stand here. */
  public Standing standing(Collection<StateId> states) {
    return new Standing(
        states.stream().filter(confirmed::containsKey).collect(Collectors.toSet()),
        states.stream().filter(unconfirmed::containsKey).collect(Collectors.toSet()));
  }

  /** States of unconfirmed transactions, with their contents. */
  public Map<StateId, PrivateState> onTheirWay() {
    var onTheirWay = new HashMap<StateId, PrivateState>();
    unconfirmed.keySet().forEach(id -> onTheirWay.put(id, contents.get(id)));
    return onTheirWay;
  }

  boolean knows(StateId id) {
    return confirmed.containsKey(id) || unconfirmed.containsKey(id);
  }

  /** Whose contents it needs on recovery: what it has, and what it owes. */
  public Set<StateId> wanted() {
    var wanted = new HashSet<StateId>(confirmed.keySet());
    wanted.addAll(unconfirmed.keySet());
    for (var owed : outbox.values()) {
      for (var item : owed.items()) {
        if (item.foreign().isEmpty()) {
          wanted.add(item.state());
        }
      }
    }
    return wanted;
  }

  /**
   * Looks whether a block follows from what is held: it spends only what is unspent here or made by
   * itself, and makes nothing that is unspent here (DST-8). The first that does not is remembered.
   */
  StateStoreState compared(StateStoreEvent.BlockApplied block) {
    var made = Set.copyOf(block.created());
    boolean follows =
        made.stream().noneMatch(this::isUnspent)
            && block.spent().stream().allMatch(id -> made.contains(id) || isUnspent(id));
    return follows || differs.isPresent() ? this : withDiffers(Optional.of(block.height()));
  }

  boolean isUnspent(StateId id) {
    return confirmed.containsKey(id) || missing.contains(id);
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

  /** What has come, before it is told that it is stored. */
  StateStoreState bring(Collection<PrivateState> states) {
    var brought = contents;
    for (var state : states) {
      brought = brought.plus(state.id(), state);
    }
    return withContents(brought);
  }

  /** What is kept of these, on recovery. */
  public StateStoreState found(Map<StateId, PrivateState> kept) {
    var known = contents;
    var index = available;
    for (var entry : kept.entrySet()) {
      var order = confirmed.get(entry.getKey());
      if (order != null) {
        index = including(index, entry.getValue(), order);
      }
      if (order != null || unconfirmed.containsKey(entry.getKey())) {
        known = known.plus(entry.getKey(), entry.getValue());
      }
    }
    return with().contents(known).available(index).build();
  }

  private static PMap<Lookup, TreePMap<Long, StateId>> including(
      PMap<Lookup, TreePMap<Long, StateId>> index, PrivateState state, long order) {
    var lookup = Lookup.of(state);
    return index.plus(lookup, index.getOrDefault(lookup, TreePMap.empty()).plus(order, state.id()));
  }

  /** A state is on the base ledger and its content is kept. */
  public StateStoreState confirm(StateId id) {
    var content = contents.get(id);
    return new StateStoreState(
        height,
        confirmed.plus(id, arrivals),
        unconfirmed.minus(id),
        countWithout(id),
        missing.minus(id),
        sought,
        differs,
        arrivals + 1,
        outbox,
        waiting,
        contents,
        // While it is recovered, contents are not there yet.
        content == null ? available : including(available, content, arrivals),
        exchanges,
        asking,
        given,
        erased,
        unmade.minus(id));
  }

  StateStoreState spend(StateId id) {
    var order = confirmed.get(id);
    if (order == null) {
      return with()
          .unconfirmed(unconfirmed.minus(id))
          .unconfirmedOf(countWithout(id))
          .missing(missing.minus(id))
          .contents(contents.minus(id))
          .build();
    }
    return with()
        .confirmed(confirmed.minus(id))
        .available(without(id, order))
        .contents(contents.minus(id))
        .build();
  }

  private PMap<Lookup, TreePMap<Long, StateId>> without(StateId id, long order) {
    var content = contents.get(id);
    if (content == null) {
      return available;
    }
    var lookup = Lookup.of(content);
    var rest = available.get(lookup).minus(order);
    return rest.isEmpty() ? available.minus(lookup) : available.plus(lookup, rest);
  }

  /**
   * No block has made it: it is as before one did, and held until one does or it is forgotten. By
   * what it was made is not known any more.
   *
   * @param self as if it had given it
   */
  StateStoreState unmake(StateId id, NodeName self) {
    var order = confirmed.get(id);
    if (order == null) {
      return withMissing(missing.minus(id));
    }
    return with()
        .confirmed(confirmed.minus(id))
        .available(without(id, order))
        .build()
        .hold(id, new Unconfirmed(NOBODY_KNOWS, self, height));
  }

  /** Neither had nor owed, since it is not kept. */
  StateStoreState lose(Collection<StateId> lost) {
    var states = Set.copyOf(lost);
    var next = this;
    for (var id : states) {
      if (knows(id)) {
        next = next.spend(id);
        next = confirmed.containsKey(id) ? next.await(id) : next;
      }
    }
    for (var owed : outbox.values()) {
      var rest = owed.without(states);
      if (rest.isEmpty()) {
        next = next.withOutbox(next.outbox().minus(owed.distribution()));
      } else if (rest.size() < owed.items().size()) {
        next = next.owe(new Owed(owed.to(), owed.distribution(), rest));
      }
    }
    return next;
  }

  public StateStoreState await(StateId id) {
    return with().missing(missing.plus(id, height)).unmade(unmade.minus(id)).build();
  }

  /** Of a block that was read before: everybody may be asked for it anew. */
  StateStoreState await(MissingContents.Missing made) {
    var before = new BlockHeight(Math.max(0, made.since().value() - 1));
    return with()
        .missing(missing.plus(made.state(), made.since()))
        .unmade(unmade.minus(made.state()))
        .sought(sought.compareTo(before) > 0 ? before : sought)
        .build();
  }

  public StateStoreState hold(StateId id, Unconfirmed content) {
    return with()
        .unconfirmed(unconfirmed.plus(id, content))
        .unconfirmedOf(unconfirmedOf.plus(content.from(), unconfirmedFrom(content.from()) + 1))
        .unmade(unmade.minus(id))
        .build();
  }

  StateStoreState forgetUnconfirmed(StateId id) {
    return with()
        .unconfirmed(unconfirmed.minus(id))
        .unconfirmedOf(countWithout(id))
        .contents(contents.minus(id))
        .build()
        .keepUnmade(id, unconfirmed.get(id));
  }

  /** It is held no more, and its content is kept. */
  public StateStoreState keepUnmade(StateId id, Unconfirmed held) {
    return withUnmade(unmade.plus(id, held));
  }

  StateStoreState gather(List<RequestId> distributions, Delivery together) {
    var items = new ArrayList<Share>();
    for (var each : distributions) {
      items.addAll(outbox.get(each).items());
    }
    return withOutbox(outbox.minusAll(distributions))
        .owe(new Owed(together.to(), together.distribution(), items));
  }

  StateStoreState waitsToo(NodeName to, StateDistribution distribution) {
    var before = waiting.getOrDefault(to, TreePVector.empty());
    return withWaiting(waiting.plus(to, before.plus(distribution)));
  }

  public StateStoreState owe(Owed what) {
    return withOutbox(outbox.plus(what.distribution(), what));
  }
}
