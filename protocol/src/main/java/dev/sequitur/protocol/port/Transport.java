package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries envelopes between nodes: may lose, double, delay and reorder them, never changes them.
 * What arrives bears in {@code from} the node that the transport authenticated.
 */
public interface Transport extends AutoCloseable {

  /**
   * Sends without waiting; what cannot be sent is dropped and counted, since every exchange that
   * matters is resent by the protocol. Safe to call from any thread. Those of one call to the same
   * node travel together.
   */
  void send(List<Envelope> envelopes);

  /**
   * Names who is called with what arrives, in batches, on the transport's threads: it must not
   * block. Called once, before anything is sent.
   */
  void receive(Consumer<List<Envelope>> receiver);

  /** The nodes that can be named as a receiver, this one left out. */
  Set<NodeName> peers();

  /**
   * How this node's own connection to each of its {@link #peers} is. A transport without
   * connections, within one process, has nothing to say.
   */
  default Map<NodeName, Link> links() {
    return Map.of();
  }

  /**
   * This node's own connection to a peer.
   *
   * @param trouble why there is none, in a few words; empty if there is one, or nothing was tried
   */
  record Link(boolean connected, String trouble) {}

  @Override
  void close();
}
