package dev.sequitur.ledger.remote;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open connections of a server, within its limits. At most half of all places are held by
 * newcomers, which have made no call yet that was theirs to make: one more closes the oldest of
 * them, so that those who only connect do not keep out who calls. Thread-safe.
 */
final class Connections {
  private final LedgerServerSettings.Limits limits;
  private final Map<Place, Integer> perPlace = new HashMap<>(); // guarded by this
  private final Set<Admitted> newcomers = new LinkedHashSet<>(); // guarded by this
  private int open; // guarded by this

  Connections(LedgerServerSettings.Limits limits) {
    this.limits = limits;
  }

  /** A connection that counts. */
  final class Admitted {
    private final Place place;
    private final Runnable abort;
    private boolean ended; // guarded by Connections.this

    private Admitted(Place place, Runnable abort) {
      this.place = place;
      this.abort = abort;
    }

    Place place() {
      return place;
    }

    /** It has made a call that is its to make. */
    void isKnown() {
      synchronized (Connections.this) {
        newcomers.remove(this);
      }
    }

    /** Idempotent. */
    void end() {
      synchronized (Connections.this) {
        if (!ended) {
          ended = true;
          newcomers.remove(this);
          open--;
          perPlace.computeIfPresent(place, (key, count) -> count == 1 ? null : count - 1);
        }
      }
    }
  }

  /**
   * @param abort closes the connection, on any thread; it ends a little later
   * @return empty if it is one too many
   */
  Optional<Admitted> admit(InetAddress address, Runnable abort) {
    var place = Place.of(address);
    Optional<Admitted> oldest;
    Admitted admitted;
    synchronized (this) {
      if (perPlace.getOrDefault(place, 0) >= limits.perAddress() || open >= limits.connections()) {
        return Optional.empty();
      }
      oldest =
          newcomers.size() >= limits.connections() / 2
              ? newcomers.stream().findFirst()
              : Optional.empty();
      oldest.ifPresent(newcomers::remove);
      admitted = new Admitted(place, abort);
      newcomers.add(admitted);
      open++;
      perPlace.merge(place, 1, Integer::sum);
    }
    oldest.ifPresent(newcomer -> newcomer.abort.run());
    return Optional.of(admitted);
  }

  synchronized int open() {
    return open;
  }
}
