package dev.sequitur.trace;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Records in a {@link TraceRing} what one node sends and what reaches it from other processes, and
 * has {@link TransactionSpans} made of both. Put it outside of a {@code FaultyTransport}, so that
 * what was sent and lost is seen as sent.
 */
public final class TracedTransport implements Transport {
  private final Transport transport;
  private final TraceRing ring;
  private final TransactionSpans spans;
  private final NodeName self;

  /** One that makes no spans. */
  public TracedTransport(Transport transport, TraceRing ring, NodeName self) {
    this(transport, ring, TransactionSpans.OFF, self);
  }

  public TracedTransport(
      Transport transport, TraceRing ring, TransactionSpans spans, NodeName self) {
    this.transport = transport;
    this.ring = ring;
    this.spans = spans;
    this.self = self;
    ring.addLocalNode(self);
  }

  @Override
  public void send(List<Envelope> envelopes) {
    // Before it is sent: in process, the answer comes before the call returns.
    ring.sent(envelopes);
    TransactionLog.sent(envelopes, spans);
    transport.send(spans.sent(envelopes));
  }

  @Override
  public void receive(Consumer<List<Envelope>> receiver) {
    transport.receive(
        envelopes -> {
          ring.received(envelopes);
          spans.received(envelopes);
          TransactionLog.received(envelopes, spans);
          receiver.accept(envelopes);
        });
  }

  @Override
  public Set<NodeName> peers() {
    return transport.peers();
  }

  @Override
  public Map<NodeName, Link> links() {
    return transport.links();
  }

  @Override
  public void close() {
    transport.close();
    ring.removeLocalNode(self);
  }
}
