package dev.sequitur.links.admission;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may hold a connection. A place is firm or provisional, and of both there are so many in all
 * and so many for one {@link Network}. A firm place is kept until its connection ends. A
 * provisional one can be lost: a new connection always gets one, and if there are too many of its
 * network, the oldest of them goes; if there are too many in all, the oldest of the network that
 * has most. So nobody who only holds connections keeps others out. Thread-safe.
 */
public final class Places {
  private final Limits limits;
  private final Map<Network, Set<Place>> firm = new LinkedHashMap<>(); // guarded by this
  private final Map<Network, Set<Place>> provisional = new LinkedHashMap<>(); // guarded by this
  private final Set<Network> remembered = new HashSet<>(); // guarded by this

  public Places(Limits limits) {
    this.limits = limits;
  }

  /**
   * How many places there are.
   *
   * @param firm in all
   * @param firmOfNetwork of them for one network
   * @param provisional in all, without those of remembered networks
   * @param provisionalOfNetwork of them for one network, remembered or not
   * @param remembered how many networks are remembered, from which a connection was once
   *     {@linkplain Place#confirm confirmed}: its provisional places are lost to its own only. Of
   *     more, the first
   */
  public record Limits(
      int firm, int firmOfNetwork, int provisional, int provisionalOfNetwork, int remembered) {}

  /** One connection that is open. */
  public final class Place {
    private final InetAddress address;
    private final Network network;
    private final Runnable close;
    private boolean displaced; // guarded by Places.this

    private Place(InetAddress address, Runnable close) {
      this.address = address;
      this.network = Network.of(address);
      this.close = close;
    }

    public InetAddress address() {
      return address;
    }

    public Network network() {
      return network;
    }

    public boolean isFirm() {
      synchronized (Places.this) {
        return of(firm, network).contains(this);
      }
    }

    /** Whether it lost its provisional place to another one. */
    public boolean isDisplaced() {
      synchronized (Places.this) {
        return displaced;
      }
    }

    /**
     * The connection has shown that it may have a firm place. More than once does no harm.
     *
     * @return whether it has one; if not, it keeps the one that it has
     */
    public boolean confirm() {
      synchronized (Places.this) {
        if (remembered.size() < limits.remembered()) {
          remembered.add(network);
        }
        if (of(firm, network).contains(this)) {
          return true;
        }
        if (!of(provisional, network).contains(this) || !hasFirmPlaceFor(network)) {
          return false;
        }
        remove(provisional, this);
        add(firm, this);
        return true;
      }
    }

    /** The connection has ended. More than once does no harm. */
    public void end() {
      synchronized (Places.this) {
        remove(firm, this);
        remove(provisional, this);
      }
    }
  }

  /**
   * Gives a new connection a firm place if there is one, otherwise a provisional one.
   *
   * @param close ends the connection if it loses its place; called once at most, by the thread of
   *     the one that displaces it
   */
  public Place take(InetAddress address, Runnable close) {
    var place = new Place(address, close);
    synchronized (this) {
      if (hasFirmPlaceFor(place.network)) {
        add(firm, place);
        return place;
      }
    }
    return provisional(place);
  }

  /**
   * Gives a new connection a provisional place.
   *
   * @param close as for {@link #take}
   */
  public Place takeProvisionally(InetAddress address, Runnable close) {
    return provisional(new Place(address, close));
  }

  private Place provisional(Place place) {
    Optional<Place> goes;
    synchronized (this) {
      goes = goesFor(place.network);
      goes.ifPresent(
          one -> {
            one.displaced = true;
            remove(provisional, one);
          });
      add(provisional, place);
    }
    // What it does may lead back here.
    goes.ifPresent(one -> one.close.run());
    return place;
  }

  private Optional<Place> goesFor(Network network) {
    var own = of(provisional, network);
    if (own.size() >= limits.provisionalOfNetwork()) {
      return own.stream().findFirst();
    }
    if (remembered.contains(network)) {
      return Optional.empty();
    }
    var strangers =
        provisional.entrySet().stream()
            .filter(entry -> !remembered.contains(entry.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    if (size(strangers) < limits.provisional()) {
      return Optional.empty();
    }
    int most = strangers.stream().mapToInt(Set::size).max().orElse(0);
    return strangers.stream()
        .filter(places -> places.size() == most)
        .findFirst()
        .flatMap(places -> places.stream().findFirst());
  }

  private boolean hasFirmPlaceFor(Network network) {
    return size(firm.values()) < limits.firm() && of(firm, network).size() < limits.firmOfNetwork();
  }

  private static Set<Place> of(Map<Network, Set<Place>> places, Network network) {
    return places.getOrDefault(network, Set.of());
  }

  private static void add(Map<Network, Set<Place>> places, Place place) {
    places.computeIfAbsent(place.network, none -> new LinkedHashSet<>()).add(place);
  }

  private static void remove(Map<Network, Set<Place>> places, Place place) {
    places.computeIfPresent(
        place.network,
        (network, own) -> {
          own.remove(place);
          return own.isEmpty() ? null : own;
        });
  }

  private static int size(Collection<Set<Place>> places) {
    return places.stream().mapToInt(Set::size).sum();
  }

  /** Those that are open now, firm and provisional. */
  public synchronized List<Place> open() {
    var open = new ArrayList<Place>();
    firm.values().forEach(open::addAll);
    provisional.values().forEach(open::addAll);
    return List.copyOf(open);
  }

  public synchronized int size() {
    return size(firm.values()) + size(provisional.values());
  }
}
