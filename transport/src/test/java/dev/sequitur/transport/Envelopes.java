package dev.sequitur.transport;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Makes envelopes for tests; those of {@link #numbered} are told apart by a number. */
public final class Envelopes {
  public static final ContractAddress CONTRACT = new ContractAddress("0x" + "ab".repeat(20));
  public static final NodeName NODE1 = new NodeName("node1");
  public static final NodeName NODE2 = new NodeName("node2");
  public static final NodeName NODE3 = new NodeName("node3");

  private Envelopes() {}

  public static Envelope envelope(NodeName from, NodeName to, Message payload) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        new MessageId(UUID.randomUUID()),
        Optional.empty(),
        from,
        to,
        List.of(),
        payload);
  }

  public static Envelope numbered(NodeName from, NodeName to, int number) {
    return numbered(from, to, number, CONTRACT);
  }

  public static Envelope numbered(
      NodeName from, NodeName to, int number, ContractAddress contract) {
    return envelope(
        from,
        to,
        new StartupNotification(new RequestId(Integer.toString(number)), Instant.EPOCH, contract));
  }

  public static List<Envelope> numbered(NodeName from, NodeName to, int first, int end) {
    return IntStream.range(first, end).mapToObj(number -> numbered(from, to, number)).toList();
  }

  public static Envelope acknowledgement(NodeName from, NodeName to) {
    return envelope(
        from, to, new StartupNotificationAcknowledgement(new RequestId("ack"), CONTRACT));
  }

  public static int numberOf(Envelope envelope) {
    return Integer.parseInt(((StartupNotification) envelope.payload()).startupId().value());
  }
}
