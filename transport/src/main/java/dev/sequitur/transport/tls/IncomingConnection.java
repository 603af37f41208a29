package dev.sequitur.transport.tls;

import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.transport.EntityPlaces;
import dev.sequitur.transport.Inbox;
import dev.sequitur.transport.TransportCounter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that a peer has dialled: asks who it is, then reads what it sends. */
final class IncomingConnection {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingConnection.class);

  /** The peer sent something in the name of another node. */
  static final class FalseSender extends IOException {
    private static final long serialVersionUID = 1;

    FalseSender(NodeName peer) {
      super(peer + " has sent an envelope in the name of another node");
    }
  }

  private final LinkContext context;
  private final SecureConnection connection;
  private final SeldomLines lines;

  /** What the peer was told last of where entities are. */
  private Optional<EntityPlaces> told = Optional.empty();

  /**
   * @param lines which of what it tells the log takes
   */
  IncomingConnection(LinkContext context, SecureConnection connection, SeldomLines lines) {
    this.context = context;
    this.lines = lines;
    this.connection = connection;
  }

  private NodeName self() {
    return context.configuration().self();
  }

  /**
   * Reads the hello.
   *
   * @return the node that the certificate speaks for
   * @throws RefusedConnection with a sentence for the other side
   */
  NodeName identify() throws IOException {
    var frame = connection.read(Hello.MOST_BYTES);
    if (frame.kind() != Frame.Kind.HELLO) {
      throw new RefusedConnection("A connection begins with a hello.");
    }
    var hello = Hello.of(frame.body());
    if (!ProtocolVersion.CURRENT.isCompatibleWith(hello.version())) {
      throw new RefusedConnection(
          "Protocol version %s does not work with %s of node %s: upgrade the older one."
              .formatted(hello.version(), ProtocolVersion.CURRENT, self()));
    }
    if (!hello.to().equals(self())) {
      throw new RefusedConnection(
          "This is node %s, not %s: correct the address of the peer."
              .formatted(self(), hello.to()));
    }
    if (!NodeCertificate.speaksFor(connection.peerCertificate(), hello.from())) {
      throw new RefusedConnection("The certificate is not for node " + hello.from() + ".");
    }
    if (!context.peers().isOne(hello.from())) {
      throw new RefusedConnection(
          "Node %s has no peer %s: add it to its configuration.".formatted(self(), hello.from()));
    }
    checkTerms(hello);
    return hello.from();
  }

  private void checkTerms(Hello hello) throws RefusedConnection {
    var ours = context.configuration().terms();
    if (ours.isPresent() && hello.terms().isPresent()) {
      var refusal = ours.get().refusal(self(), hello.from(), hello.terms().get());
      if (refusal.isPresent()) {
        throw new RefusedConnection(refusal.get());
      }
    }
  }

  void welcome(NodeName peer) throws IOException {
    connection.write(Frame.Kind.WELCOME, context.hello(peer).toBytes());
    connection.readTimeout(context.configuration().times().silence());
    tellPlaces();
  }

  /** If it is news. */
  private void tellPlaces() throws IOException {
    var now = context.places().now();
    if (now.isPresent() && !now.equals(told)) {
      told = now;
      connection.write(Frame.Kind.PLACES, now.get().toBytes());
    }
  }

  /**
   * Reads until the connection ends, which it always does with an exception.
   *
   * @throws FalseSender if the peer speaks for another node
   */
  void readFrom(NodeName peer, Inbox inbox) throws IOException {
    int most = context.configuration().limits().frameBytes();
    while (true) {
      var frame = connection.read(most);
      switch (frame.kind()) {
        case PING -> {
          context.mustHoldStill(peer, connection);
          tellPlaces();
          connection.write(Frame.Kind.PONG, new byte[0]);
        }
        case ENVELOPES -> deliver(peer, decode(peer, frame.body()), inbox);
        case HELLO, WELCOME, REFUSED, PONG, PLACES -> {
          // Nothing that a peer says now; a later minor version may have a use for it.
        }
      }
    }
  }

  /** What the codec can read of it: the next frame may be readable again. */
  private List<Envelope> decode(NodeName peer, byte[] body) {
    try {
      var decoded = context.codec().decode(body);
      undecodable(peer, decoded.unreadable());
      return decoded.envelopes();
    } catch (RuntimeException e) {
      undecodable(peer, 1);
      return List.of();
    }
  }

  private void undecodable(NodeName peer, int number) {
    if (number > 0) {
      context.counters().add(TransportCounter.DROPPED_UNDECODABLE, number);
      lines
          .due("cannot read " + peer)
          .ifPresent(
              leftOut ->
                  LOG.warn(
                      "{} cannot read some of what {} sends: compare their versions",
                      self(),
                      peer));
    }
  }

  private void deliver(NodeName peer, List<Envelope> batch, Inbox inbox) throws IOException {
    context.mustBePeer(peer);
    if (!batch.stream().allMatch(envelope -> envelope.from().equals(peer))) {
      throw new FalseSender(peer);
    }
    var mine = batch.stream().filter(envelope -> envelope.to().equals(self())).toList();
    context.counters().add(TransportCounter.DROPPED_WRONG_NODE, batch.size() - mine.size());
    if (!mine.isEmpty()) {
      inbox.deliver(mine);
    }
  }
}
