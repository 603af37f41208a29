package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.StateStoreState.Lookup;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * What a domain may spend: the confirmed states of this node less what transactions in flight
 * spend, and what they make. Used for one batch of assemblies, each of which sees those before it;
 * confined to one thread.
 */
public final class SpendableStates implements Domain.States {
  private static final int LIMIT = 10_000;

  private final StateStoreState store;
  private final StateLocks locks;
  private final Map<Lookup, List<PrivateState>> created = new HashMap<>();
  private final Set<StateId> spentHere = new HashSet<>();

  public SpendableStates(StateStoreState store, StateLocks locks) {
    this.store = store;
    this.locks = locks;
    for (var state : locks.created().values()) {
      if (!store.confirmed().containsKey(state.id())) {
        offer(state);
      }
    }
  }

  private void offer(PrivateState state) {
    created
        .computeIfAbsent(new Lookup(state.schema(), state.lookup()), key -> new ArrayList<>())
        .add(state);
  }

  /** At most 10,000 states. */
  @Override
  public List<PrivateState> available(String schema, String lookup) {
    var key = new Lookup(schema, lookup);
    var found = new ArrayList<PrivateState>();
    for (var id : store.available().getOrDefault(key, TreePMap.empty()).values()) {
      if (found.size() == LIMIT) {
        return found;
      }
      if (isFree(id)) {
        found.add(store.confirmed().get(id).state());
      }
    }
    for (var state : created.getOrDefault(key, List.of())) {
      if (isFree(state.id())) {
        found.add(state);
      }
    }
    return found;
  }

  private boolean isFree(StateId id) {
    return !locks.spent().contains(id) && !spentHere.contains(id);
  }

  /** The next assembly of the batch comes upon this one. */
  public void use(PostAssembly assembly) {
    spentHere.addAll(assembly.inputIds());
    assembly.outputs().forEach(this::offer);
  }
}
