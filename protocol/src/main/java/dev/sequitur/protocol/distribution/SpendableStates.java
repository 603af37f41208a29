package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.StateStoreState.Lookup;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.pcollections.TreePMap;

/**
 * What a domain may spend: the confirmed states of this node less what transactions in flight
 * spend, and what they make. Used for one batch of assemblies, each of which sees those before it;
 * confined to one thread.
 */
public final class SpendableStates implements Domain.States {
  private final StateStoreState store;
  private final StateLocks locks;
  private final Map<Lookup, List<PrivateState>> created = new HashMap<>();
  private final Map<Lookup, Free> free = new HashMap<>();
  private boolean inFlightOffered;

  public SpendableStates(StateStoreState store, StateLocks locks) {
    this.store = store;
    this.locks = locks;
  }

  /** Thousands may be in flight, and many a transaction looks for none of them. */
  private void offerWhatIsInFlight() {
    if (!inFlightOffered) {
      inFlightOffered = true;
      for (var state : locks.created().values()) {
        if (!store.confirmed().containsKey(state.id())) {
          offer(state);
        }
      }
    }
  }

  private void offer(PrivateState state) {
    created.computeIfAbsent(lookup(state), key -> new ArrayList<>()).add(state);
  }

  private static Lookup lookup(PrivateState state) {
    return new Lookup(state.schema(), state.lookup());
  }

  /** Looks only as far as it is read; what is locked is passed once in a batch. */
  @Override
  public Iterable<PrivateState> available(String schema, String lookup) {
    offerWhatIsInFlight();
    return free.computeIfAbsent(new Lookup(schema, lookup), Free::new);
  }

  /** The next assembly of the batch comes upon this one. */
  public void use(PostAssembly assembly) {
    for (var input : assembly.inputs()) {
      var found = free.get(lookup(input));
      if (found != null) {
        found.met.remove(input.id());
      }
    }
    assembly.outputs().forEach(this::offer);
  }

  /** The free states of one lookup: those met so far, and where to look for more. */
  private final class Free implements Iterable<PrivateState> {
    private final LinkedHashMap<StateId, PrivateState> met = new LinkedHashMap<>();
    private final Iterator<StateId> confirmed;
    private final Lookup key;
    private int createdMet;

    private Free(Lookup key) {
      this.key = key;
      this.confirmed = store.available().getOrDefault(key, TreePMap.empty()).values().iterator();
    }

    /** The oldest confirmed state not met yet; after those, what is made in flight. */
    private PrivateState meetNext() {
      while (confirmed.hasNext()) {
        var id = confirmed.next();
        if (!locks.spent().contains(id)) {
          return meet(store.confirmed().get(id).state());
        }
      }
      var made = created.getOrDefault(key, Collections.emptyList());
      while (createdMet < made.size()) {
        var state = made.get(createdMet++);
        if (!locks.spent().contains(state.id())) {
          return meet(state);
        }
      }
      return null;
    }

    private PrivateState meet(PrivateState state) {
      met.put(state.id(), state);
      return state;
    }

    @Override
    public Iterator<PrivateState> iterator() {
      var known = List.copyOf(met.values()).iterator();
      return new Iterator<>() {
        private PrivateState next;

        @Override
        public boolean hasNext() {
          if (next == null) {
            next = known.hasNext() ? known.next() : meetNext();
          }
          return next != null;
        }

        @Override
        public PrivateState next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          var given = next;
          next = null;
          return given;
        }
      };
    }
  }
}
