package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Delivers what a node sends to itself without the network, and everything else by it. */
public final class LoopbackTransport implements Transport {
  private final NodeName self;
  private final Transport network;
  private final AtomicReference<Consumer<List<Envelope>>> receiver = new AtomicReference<>();

  public LoopbackTransport(NodeName self, Transport network) {
    this.self = self;
    this.network = network;
  }

  @Override
  public void send(List<Envelope> envelopes) {
    var own = new ArrayList<Envelope>();
    var others = new ArrayList<Envelope>();
    for (var envelope : envelopes) {
      (envelope.to().equals(self) ? own : others).add(envelope);
    }
    if (!own.isEmpty()) {
      receiver.get().accept(own);
    }
    if (!others.isEmpty()) {
      network.send(others);
    }
  }

  @Override
  public void receive(Consumer<List<Envelope>> newReceiver) {
    receiver.set(newReceiver);
    network.receive(newReceiver);
  }

  @Override
  public Set<NodeName> peers() {
    return network.peers();
  }

  @Override
  public Map<NodeName, Link> links() {
    return network.links();
  }

  @Override
  public void close() {
    network.close();
  }
}
