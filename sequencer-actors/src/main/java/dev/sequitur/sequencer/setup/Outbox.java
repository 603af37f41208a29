package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.Transport;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Puts messages into envelopes and hands them to the transport. Thread-safe. */
public final class Outbox {
  private final NodeName self;
  private final Transport transport;
  private final SequencerMetrics metrics;
  private final MessageIds ids = new MessageIds();

  public Outbox(NodeName self, Transport transport, SequencerMetrics metrics) {
    this.self = self;
    this.transport = transport;
    this.metrics = metrics;
  }

  /** Those of one call to the same node travel together. */
  public void send(List<Outgoing> messages) {
    if (messages.isEmpty()) {
      return;
    }
    var envelopes = new ArrayList<Envelope>(messages.size());
    int toOthers = 0;
    for (var outgoing : messages) {
      envelopes.add(envelope(outgoing));
      toOthers += outgoing.to().equals(self) ? 0 : 1;
    }
    metrics.sent(SequencerMetrics.Destination.PEER, toOthers);
    metrics.sent(SequencerMetrics.Destination.SELF, messages.size() - toOthers);
    transport.send(envelopes);
  }

  /** A message that stays within the node, as it would be sent: for traces. */
  public Envelope toSelf(Message message) {
    return envelope(Outgoing.of(self, message));
  }

  private Envelope envelope(Outgoing outgoing) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        ids.next(),
        outgoing.inReplyTo(),
        self,
        outgoing.to(),
        List.of(),
        outgoing.message());
  }

  /**
   * New message ids: a random number for the process, then a counter. A random UUID for each of the
   * many messages of a transaction would cost more than the message.
   */
  private static final class MessageIds {
    private final long process = new SecureRandom().nextLong();
    private final AtomicLong counter = new AtomicLong(new SecureRandom().nextInt());

    MessageId next() {
      return new MessageId(new UUID(process, counter.incrementAndGet()));
    }
  }
}
