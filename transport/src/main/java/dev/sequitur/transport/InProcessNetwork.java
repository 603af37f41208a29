package dev.sequitur.transport;

import dev.sequitur.protocol.id.NodeName;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Joins the nodes of one JVM: whoever has joined and not closed can be sent to. Thread-safe. */
public final class InProcessNetwork {
  private final ConcurrentMap<NodeName, InProcessTransport> members = new ConcurrentHashMap<>();

  /**
   * The transport of one node. A node that has closed its transport, as one that restarts does, may
   * join again.
   *
   * @param registry of the node, for what its transport counts
   * @throws IllegalStateException if a node of this name is there
   */
  public InProcessTransport join(NodeName node, PrometheusRegistry registry) {
    var transport = new InProcessTransport(this, node, new TransportCounters(registry));
    if (members.putIfAbsent(node, transport) != null) {
      throw new IllegalStateException(
          "A node named '" + node + "' has joined this network already.");
    }
    return transport;
  }

  Optional<InProcessTransport> find(NodeName node) {
    return Optional.ofNullable(members.get(node));
  }

  Set<NodeName> othersThan(NodeName node) {
    var others = new TreeSet<>(members.keySet());
    others.remove(node);
    return others;
  }

  void leave(NodeName node, InProcessTransport transport) {
    members.remove(node, transport);
  }
}
