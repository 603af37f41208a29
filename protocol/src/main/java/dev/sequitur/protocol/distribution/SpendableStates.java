package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.StateStoreState.Lookup;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.ArrayList;
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
  private final Map<Lookup, List<PrivateState>> inFlight = new HashMap<>();
  private final Map<Lookup, List<PrivateState>> madeHere = new HashMap<>();
  private final Map<Lookup, Free> free = new HashMap<>();
  private boolean inFlightSorted;
  private boolean endReached;

  public SpendableStates(StateStoreState store, StateLocks locks) {
    this.store = store;
    this.locks = locks;
  }

  /** Thousands may be in flight: they are looked at once confirmed ones do not reach. */
  private List<PrivateState> inFlight(Lookup key) {
    if (!inFlightSorted) {
      inFlightSorted = true;
      for (var state : locks.created().values()) {
        if (!store.confirmed().containsKey(state.id())) {
          add(inFlight, state);
        }
      }
    }
    return inFlight.getOrDefault(key, List.of());
  }

  private static void add(Map<Lookup, List<PrivateState>> states, PrivateState state) {
    states.computeIfAbsent(lookup(state), key -> new ArrayList<>()).add(state);
  }

  private static Lookup lookup(PrivateState state) {
    return Lookup.of(state);
  }

  /**
   * What was looked for so far, and what there was: as long as that stays, so does what follows.
   */
  public Looked looked() {
    var found = new HashMap<Lookup, TreePMap<Long, StateId>>();
    free.keySet().forEach(key -> found.put(key, confirmed(store, key)));
    return new Looked(found);
  }

  /**
   * The confirmed states of some lookups, as they were.
   *
   * @param found by order of confirmation
   */
  public record Looked(Map<Lookup, TreePMap<Long, StateId>> found) {
    public Looked {
      found = Map.copyOf(found);
    }

    /** Compares no further than that nothing has touched them, where nothing has. */
    public boolean isStill(StateStoreState store) {
      return found.entrySet().stream()
          .allMatch(each -> each.getValue().equals(confirmed(store, each.getKey())));
    }
  }

  private static TreePMap<Long, StateId> confirmed(StateStoreState store, Lookup key) {
    return store.available().getOrDefault(key, TreePMap.empty());
  }

  /** Looks only as far as it is read; what is locked is passed once in a batch. */
  @Override
  public Iterable<PrivateState> available(String schema, String lookup) {
    return free.computeIfAbsent(new Lookup(schema, lookup), Free::new);
  }

  @Override
  public boolean isTaken(String schema, String lookup) {
    var there = confirmed(store, new Lookup(schema, lookup)).values();
    return there.stream().anyMatch(locks.spent()::contains);
  }

  /** From now on it is told whether somebody found no more than there is. */
  public void begin() {
    endReached = false;
  }

  /**
   * Whether somebody has looked for a state and found none, or no further one, since {@link
   * #begin}: what follows from that is known only if the node lacks nothing (DST-5).
   */
  public boolean isEndReached() {
    return endReached;
  }

  /** The next assembly of the batch comes upon this one. */
  public void use(PostAssembly assembly) {
    for (var input : assembly.inputs()) {
      var found = free.get(lookup(input));
      if (found != null) {
        found.met.remove(input.id());
      }
    }
    assembly.outputs().forEach(output -> add(madeHere, output));
  }

  /** The free states of one lookup: those met so far, and where to look for more. */
  private final class Free implements Iterable<PrivateState> {
    private final LinkedHashMap<StateId, PrivateState> met = new LinkedHashMap<>();
    private final Iterator<StateId> confirmed;
    private final Lookup key;
    private int inFlightMet;
    private int madeHereMet;

    private Free(Lookup key) {
      this.key = key;
      this.confirmed = confirmed(store, key).values().iterator();
    }

    /**
     * The oldest confirmed state not met yet; after those, what is made in flight, and last what
     * the batch itself has made.
     */
    private PrivateState meetNext() {
      while (confirmed.hasNext()) {
        var id = confirmed.next();
        if (!locks.spent().contains(id)) {
          return meet(store.contents().get(id));
        }
      }
      var offered = inFlight(key);
      while (inFlightMet < offered.size()) {
        var state = offered.get(inFlightMet++);
        if (!locks.spent().contains(state.id())) {
          return meet(state);
        }
      }
      var made = madeHere.getOrDefault(key, List.of());
      while (madeHereMet < made.size()) {
        var state = made.get(madeHereMet++);
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
          endReached |= next == null;
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
