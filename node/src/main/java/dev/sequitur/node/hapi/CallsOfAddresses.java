package dev.sequitur.node.hapi;

import dev.sequitur.links.admission.Network;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many calls of each address are under way: who floods the front keeps nobody else from it.
 * Only addresses with such calls are held. Thread-safe.
 */
final class CallsOfAddresses {
  private final int most;
  private final ConcurrentHashMap<Network, Integer> underWay = new ConcurrentHashMap<>();

  /**
   * @param most of one address
   */
  CallsOfAddresses(int most) {
    this.most = most;
  }

  /**
   * One begins; {@link #ends} must follow.
   *
   * @return false, and none has begun, if there are too many
   */
  boolean begins(InetAddress address) {
    int now = underWay.merge(Network.of(address), 1, Integer::sum);
    if (now > most) {
      ends(address);
      return false;
    }
    return true;
  }

  void ends(InetAddress address) {
    underWay.computeIfPresent(
        Network.of(address), (network, count) -> count == 1 ? null : count - 1);
  }

  /** Of how many addresses calls are under way. */
  int addresses() {
    return underWay.size();
  }
}
