package dev.sequitur.node.rpc.server;

import dev.sequitur.protocol.id.Bytes;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who may hold a connection. There are so many places in all and so many for one address; whoever
 * comes beyond gets one of a few spare places, in which health and metrics are answered and nothing
 * else. The newest comer gets a spare place: the one who has held one for the longest loses it. So
 * nobody who only holds connections keeps a watcher out. Thread-safe.
 */
final class Places {
  /** Few, since nobody needs one for longer than a request. */
  static final int SPARE = 32;

  static final int SPARE_OF_ADDRESS = 4;

  /** Those with one network of IPv6 have all of its addresses. */
  private static final int NETWORK_BYTES = 8;

  private final int all;
  private final int ofAddress;
  private final Map<Bytes, Integer> held = new HashMap<>();
  private final Set<Place> open = new LinkedHashSet<>();
  private final Set<Place> spare = new LinkedHashSet<>();

  /**
   * @param all places, without the spare ones
   * @param ofAddress how many of them one address may hold
   */
  Places(int all, int ofAddress) {
    this.all = all;
    this.ofAddress = ofAddress;
  }

  /** One connection that is open. */
  static final class Place {
    private final InetAddress address;
    private final Bytes from;
    private final boolean spare;
    private final Runnable close;
    private volatile boolean busy;
    private volatile boolean leaving;

    private Place(InetAddress address, boolean spare, Runnable close) {
      this.address = address;
      this.from = network(address);
      this.spare = spare;
      this.close = close;
    }

    InetAddress address() {
      return address;
    }

    /** Whether only health and metrics are answered here. */
    boolean isSpare() {
      return spare;
    }

    /** Whether it is to end with the answer to what it asks now. */
    boolean isLeaving() {
      return leaving;
    }

    /** Whether a request is being answered. */
    void busy(boolean now) {
      busy = now;
    }

    /** Ends the connection; may be called more than once. */
    void close() {
      close.run();
    }

    /** Ends the connection as soon as nothing is asked on it. */
    void leave() {
      leaving = true;
      if (!busy) {
        close();
      }
    }
  }

  /**
   * Takes a place for a connection that has come. May end another one.
   *
   * @param close ends the connection; called at most from here and by the place's own methods
   */
  Place take(InetAddress address, Runnable close) {
    Place place;
    List<Place> evicted;
    synchronized (this) {
      var from = network(address);
      int now = held.getOrDefault(from, 0);
      boolean room = open.size() - spare.size() < all && now < ofAddress;
      place = new Place(address, !room, close);
      open.add(place);
      if (room) {
        held.put(from, now + 1);
        return place;
      }
      spare.add(place);
      evicted = evicted(from);
    }
    // What it does may lead back here.
    evicted.forEach(Place::close);
    return place;
  }

  private List<Place> evicted(Bytes from) {
    var ofAddress = spare.stream().filter(place -> place.from.equals(from)).toList();
    var loser =
        ofAddress.size() > SPARE_OF_ADDRESS
            ? ofAddress.stream().findFirst()
            : spare.stream().limit(spare.size() > SPARE ? 1 : 0).findFirst();
    loser.ifPresent(this::leave);
    return loser.stream().toList();
  }

  /** The connection has ended. */
  synchronized void leave(Place place) {
    if (open.remove(place) && !spare.remove(place)) {
      held.computeIfPresent(place.from, (from, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Those that are open now, spare ones included. */
  synchronized List<Place> open() {
    return List.copyOf(open);
  }

  synchronized int size() {
    return open.size();
  }

  private static Bytes network(InetAddress address) {
    var bytes = address.getAddress();
    return Bytes.of(
        address instanceof Inet6Address && !address.isLoopbackAddress()
            ? Arrays.copyOf(bytes, NETWORK_BYTES)
            : bytes);
  }
}
