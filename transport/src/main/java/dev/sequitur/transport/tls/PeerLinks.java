package dev.sequitur.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.Transport.Link;
import dev.sequitur.transport.EntityPlaces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * All links to one peer. One is to whichever of its JVMs can be reached, and takes everything until
 * the peer says that its entities are in several JVMs. Then there is one to each of its other
 * addresses, too, and what is for a contract goes to the JVM that has it by the peer's latest word,
 * if a link is connected there. Thread-safe.
 */
final class PeerLinks {
  private final LinkContext context;
  private final NodeName peer;
  private final OutgoingLink any;

  /** To one address each; empty while nothing is gained by them. */
  private volatile List<OutgoingLink> direct = List.of();

  private volatile List<EntityPlaces> told = List.of();
  private boolean closed;

  /**
   * @param address where all JVMs of the peer listen
   */
  PeerLinks(LinkContext context, NodeName peer, PeerAddress address) {
    this.context = context;
    this.peer = peer;
    this.any = OutgoingLink.toAny(context, peer, address, this::told);
  }

  private synchronized void told(EntityPlaces places) {
    told = List.of(places);
    if (!closed && direct.isEmpty() && places.jvmCount() > 1) {
      direct =
          any.otherAddresses().stream()
              .map(address -> OutgoingLink.toOne(context, peer, address, this::told, any::add))
              .toList();
      direct.forEach(OutgoingLink::start);
    }
  }

  void start() {
    any.start();
  }

  void add(List<Envelope> batch) {
    var places = told;
    if (places.isEmpty() || direct.isEmpty()) {
      any.add(batch);
      return;
    }
    var byLink = new LinkedHashMap<OutgoingLink, List<Envelope>>();
    for (var envelope : batch) {
      byLink
          .computeIfAbsent(link(envelope, places.getFirst()), link -> new ArrayList<>())
          .add(envelope);
    }
    byLink.forEach(OutgoingLink::add);
  }

  private OutgoingLink link(Envelope envelope, EntityPlaces places) {
    return envelope.payload() instanceof Message.OfContract message
        ? link(places.of(message.contract()))
        : any;
  }

  private OutgoingLink link(long jvm) {
    return Stream.concat(Stream.of(any), direct.stream())
        .filter(link -> link.isAt(jvm))
        .findFirst()
        .orElse(any);
  }

  /** Of the link that goes anywhere: while it is connected nothing waits. */
  Link state() {
    return any.state();
  }

  int queued() {
    return any.queued() + direct.stream().mapToInt(OutgoingLink::queued).sum();
  }

  /** The peer has just been heard of. */
  void wake() {
    any.wake();
    direct.forEach(OutgoingLink::wake);
  }

  synchronized void close() {
    closed = true;
    any.close();
    direct.forEach(OutgoingLink::close);
  }

  void join(Duration most) throws InterruptedException {
    any.join(most);
    for (var link : direct) {
      link.join(most);
    }
  }
}
