package dev.sequitur.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import java.util.Map;
import java.util.Set;

/** The nodes to talk to and where they listen, as they are now. Thread-safe. */
final class Peers {
  private volatile Map<NodeName, PeerAddress> known;

  Peers(Map<NodeName, PeerAddress> first) {
    this.known = Map.copyOf(first);
  }

  void become(Map<NodeName, PeerAddress> all) {
    known = Map.copyOf(all);
  }

  Map<NodeName, PeerAddress> all() {
    return known;
  }

  Set<NodeName> names() {
    return known.keySet();
  }

  boolean isOne(NodeName node) {
    return known.containsKey(node);
  }
}
