package dev.sequitur.sequencer.transport;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands envelopes over by reference on the caller's thread. That is safe, also when a receiver
 * sends in its turn, because a receiver only enqueues to actors; a thread of its own would cost a
 * switch for each batch and give nothing. Made by {@link InProcessNetwork#join}.
 */
public final class InProcessTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(InProcessTransport.class);

  private final InProcessNetwork network;
  private final NodeName self;
  private final TransportCounters counters = new TransportCounters();
  private final AtomicReference<Consumer<List<Envelope>>> receiver = new AtomicReference<>();
  private volatile boolean closed;

  InProcessTransport(InProcessNetwork network, NodeName self) {
    this.network = network;
    this.self = self;
  }

  /** Envelopes to the own node arrive, too. */
  @Override
  public void send(List<Envelope> envelopes) {
    if (closed) {
      counters.add(TransportCounter.DROPPED_CLOSED, envelopes.size());
      return;
    }
    byReceiver(envelopes).forEach(this::sendTo);
  }

  /** In the order given; the common case, one receiver, makes no copy. */
  static Map<NodeName, List<Envelope>> byReceiver(List<Envelope> envelopes) {
    if (envelopes.isEmpty()) {
      return Map.of();
    }
    var first = envelopes.get(0).to();
    if (envelopes.stream().allMatch(envelope -> envelope.to().equals(first))) {
      return Map.of(first, List.copyOf(envelopes));
    }
    var groups = new LinkedHashMap<NodeName, List<Envelope>>();
    for (var envelope : envelopes) {
      groups.computeIfAbsent(envelope.to(), node -> new ArrayList<>()).add(envelope);
    }
    return groups;
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
    peer.get().deliver(batch);
  }

  private void deliver(List<Envelope> batch) {
    var consumer = receiver.get();
    if (closed || consumer == null) {
      counters.add(TransportCounter.DROPPED_CLOSED, batch.size());
      return;
    }
    try {
      consumer.accept(batch);
      counters.add(TransportCounter.RECEIVED, batch.size());
    } catch (RuntimeException e) {
      // The sender is not to suffer from it; the text of the exception may hold private data.
      counters.add(TransportCounter.DROPPED_RECEIVER_FAILED, batch.size());
      LOG.warn("{} failed to take {} envelopes: {}", self, batch.size(), e.getClass().getName());
    }
  }

  @Override
  public void receive(Consumer<List<Envelope>> newReceiver) {
    if (!receiver.compareAndSet(null, newReceiver)) {
      throw new IllegalStateException("The transport of " + self + " has a receiver already.");
    }
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
