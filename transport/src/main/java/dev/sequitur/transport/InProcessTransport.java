package dev.sequitur.transport;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Hands envelopes over by reference on the caller's thread. That is safe, also when a receiver
 * sends in its turn, because a receiver only enqueues to actors; a thread of its own would cost a
 * switch for each batch and give nothing. Made by {@link InProcessNetwork#join}.
 */
public final class InProcessTransport implements Transport {
  private final InProcessNetwork network;
  private final NodeName self;
  private final TransportCounters counters;
  private final Inbox inbox;
  private volatile boolean closed;

  InProcessTransport(InProcessNetwork network, NodeName self, TransportCounters counters) {
    this.network = network;
    this.self = self;
    this.counters = counters;
    this.inbox = new Inbox(self, counters);
  }

  /** Envelopes to the own node arrive, too. */
  @Override
  public void send(List<Envelope> envelopes) {
    if (closed) {
      counters.add(TransportCounter.DROPPED_CLOSED, envelopes.size());
    } else {
      Batches.byReceiver(envelopes).forEach(this::sendTo);
    }
  }

  private void sendTo(NodeName to, List<Envelope> batch) {
    if (!batch.stream().allMatch(envelope -> envelope.from().equals(self))) {
      counters.add(TransportCounter.DROPPED_WRONG_NODE, batch.size());
      return;
    }
    var peer = network.find(to);
    if (peer.isEmpty()) {
      counters.add(TransportCounter.DROPPED_UNKNOWN_RECEIVER, batch.size());
      return;
    }
    counters.add(TransportCounter.SENT, batch.size());
    peer.get().inbox.deliver(batch);
  }

  @Override
  public void receive(Consumer<List<Envelope>> receiver) {
    inbox.receive(receiver);
  }

  @Override
  public Set<NodeName> peers() {
    return network.othersThan(self);
  }

  public TransportCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    closed = true;
    network.leave(self, this);
  }
}
