package dev.sequitur.ledger.remote;

import dev.sequitur.links.admission.Network;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of requests and answers are in memory for clients: a bound in all, and half of it
 * for one network. Thread-safe.
 */
final class ByteBudget {
  private final long most;
  private final Map<Network, Long> taken = new HashMap<>(); // guarded by this
  private long all; // guarded by this

  ByteBudget(long most) {
    this.most = most;
  }

  /**
   * Whether so many more are granted. A network that has nothing is always granted something, for a
   * single large block must reach it.
   */
  synchronized boolean take(Network network, long bytes) {
    long before = taken.getOrDefault(network, 0L);
    if (before > 0 && (before + bytes > most / 2 || all + bytes > most)) {
      return false;
    }
    taken.put(network, before + bytes);
    all += bytes;
    return true;
  }

  synchronized void give(Network network, long bytes) {
    all -= bytes;
    taken.computeIfPresent(network, (key, before) -> before == bytes ? null : before - bytes);
  }

  synchronized long taken() {
    return all;
  }
}
