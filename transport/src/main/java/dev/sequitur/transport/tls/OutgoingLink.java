package dev.sequitur.transport.tls;

import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.Transport.Link;
import dev.sequitur.transport.TransportCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to one peer. A thread of its own dials, writes what is queued, and dials again after a wait
 * when the connection is lost; a second one reads the peer's pongs, and by that learns of a lost
 * connection while there is nothing to write or a write is stuck.
 */
final class OutgoingLink {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);

  private final LinkContext context;
  private final NodeName peer;
  private final List<PeerAddress> addresses;
  private final EnvelopeQueue queue;
  private final SeldomLines lines = new SeldomLines(System::nanoTime);
  private final RedialWaits waits;
  private final Thread thread;

  /** Of the present attempt or connection, so that {@link #close} can end it. */
  private volatile Socket socket = new Socket();

  private volatile boolean closed;
  private volatile boolean broken;

  /** The present connection has answered a ping: only after such a one the waits begin anew. */
  private volatile boolean proven;

  /** Written by the thread only. */
  private volatile Link state = new Link(false, "");

  /** What the log was told last of this connection, empty of one that was there; of the thread. */
  private String told = "";

  /** The one that is tried or connected now; confined to the thread. */
  private PeerAddress address;

  OutgoingLink(LinkContext context, NodeName peer) {
    this.context = context;
    this.peer = peer;
    this.addresses = context.configuration().peers().get(peer).all();
    this.address = addresses.get(0);
    this.queue = new EnvelopeQueue(context.configuration().limits().queuedEnvelopes());
    var times = context.configuration().times();
    this.waits =
        new RedialWaits(new Backoff(times.firstRetry(), times.lastRetry()), new SplittableRandom());
    this.thread = new Thread(this::run, self() + "-to-" + peer);
    this.thread.setDaemon(true);
  }

  private NodeName self() {
    return context.configuration().self();
  }

  void start() {
    thread.start();
  }

  void add(List<Envelope> batch) {
    int dropped = queue.add(batch);
    if (dropped > 0) {
      context.counters().add(TransportCounter.DROPPED_QUEUE_FULL, dropped);
    }
  }

  /** As it is now: how the present connection is, or why the last attempt failed. */
  Link state() {
    return state;
  }

  int queued() {
    return queue.size();
  }

  /** The peer has just been heard of: if this waits before it dials again, it need not. */
  void wake() {
    queue.wake();
  }

  private void run() {
    try {
      while (!closed) {
        connectAndSend();
        if (!closed) {
          queue.pause(waits.next());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void connectAndSend() throws InterruptedException {
    try {
      use(dial());
    } catch (IOException | BadCertificate e) {
      tellOnce(SecureConnection.describe(e));
      // Any JVM of the peer will do.
      address = addresses.get((addresses.indexOf(address) + 1) % addresses.size());
    } finally {
      SecureConnection.closeQuietly(socket);
      if (proven) {
        waits.reset();
      }
    }
  }

  private void use(SecureConnection connection) throws IOException, InterruptedException {
    context.counters().add(TransportCounter.CONNECTIONS_OPENED, 1);
    state = new Link(true, "");
    told = "";
    if (lines.due("connected " + address).isPresent()) {
      LOG.info("{} is connected to {} at {}", self(), peer, address);
    }
    var watcher = watch(connection);
    try {
      sendUntilBroken(connection);
    } finally {
      connection.close();
      watcher.join();
    }
  }

  private SecureConnection dial() throws IOException {
    try {
      return tryToDial();
    } catch (IOException | BadCertificate e) {
      context.counters().add(TransportCounter.CONNECTIONS_FAILED, 1);
      throw e;
    }
  }

  private SecureConnection tryToDial() throws IOException {
    var times = context.configuration().times();
    int handshakeMillis = Math.toIntExact(times.handshake().toMillis());
    broken = false;
    proven = false;
    var raw = new Socket();
    socket = raw;
    if (closed) {
      throw new IOException("this node is stopping");
    }
    raw.setTcpNoDelay(true);
    raw.setSoTimeout(handshakeMillis);
    raw.connect(new InetSocketAddress(address.host(), address.port()), handshakeMillis);
    var connection = SecureConnection.dial(raw, context.identity().current().newContext(), address);
    introduce(connection);
    connection.readTimeout(times.silence());
    return connection;
  }

  private void introduce(SecureConnection connection) throws IOException {
    var certificate = connection.peerCertificate();
    if (!NodeCertificate.speaksFor(certificate, peer)) {
      throw new IOException(
          "its certificate is for " + NodeCertificate.names(certificate) + ", not for " + peer);
    }
    connection.write(Frame.Kind.HELLO, context.hello(peer).toBytes());
    var answer = connection.read(Hello.MOST_BYTES);
    switch (answer.kind()) {
      case WELCOME -> checkVersion(Hello.of(answer.body()));
      case REFUSED ->
          throw new IOException("it refuses us: " + RefusedConnection.of(answer.body()));
      case HELLO, ENVELOPES, PING, PONG ->
          throw new IOException("it answers our hello by " + answer.kind());
    }
  }

  private static void checkVersion(Hello welcome) throws IOException {
    if (!ProtocolVersion.CURRENT.isCompatibleWith(welcome.version())) {
      throw new IOException(
          "it speaks protocol version %s, this node %s: upgrade the older one"
              .formatted(welcome.version(), ProtocolVersion.CURRENT));
    }
  }

  private Thread watch(SecureConnection connection) {
    var watcher =
        new Thread(
            () -> {
              readPongs(connection);
              broken = true;
              connection.close();
              queue.wake();
            },
            self() + "-watches-" + peer);
    watcher.setDaemon(true);
    watcher.start();
    return watcher;
  }

  private void readPongs(SecureConnection connection) {
    try {
      while (true) {
        if (connection.read(Hello.MOST_BYTES).kind() == Frame.Kind.PONG) {
          proven = true;
        }
      }
    } catch (IOException e) {
      LOG.debug("{} has lost its connection to {}: {}", self(), peer, SecureConnection.describe(e));
    }
  }

  private void sendUntilBroken(SecureConnection connection)
      throws IOException, InterruptedException {
    var ping = context.configuration().times().ping();
    int most = context.configuration().limits().envelopesPerFrame();
    long nextPing = System.nanoTime() + ping.toNanos();
    while (!closed) {
      long untilPing = nextPing - System.nanoTime();
      if (untilPing <= 0) {
        context.mustHoldStill(connection);
        connection.write(Frame.Kind.PING, new byte[0]);
        nextPing = System.nanoTime() + ping.toNanos();
      } else if (broken) {
        throw new IOException("the connection was lost");
      } else {
        send(connection, queue.take(most, Duration.ofNanos(untilPing)));
      }
    }
  }

  private void send(SecureConnection connection, List<Envelope> batch) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    int frameBytes = context.configuration().limits().frameBytes();
    byte[] body;
    try {
      body = context.codec().encode(batch);
    } catch (RuntimeException e) {
      sendHalves(connection, batch, TransportCounter.DROPPED_UNENCODABLE, e.getClass().getName());
      return;
    }
    if (body.length > frameBytes) {
      sendHalves(
          connection, batch, TransportCounter.DROPPED_OVERSIZED, body.length + " bytes encoded");
      return;
    }
    try {
      connection.write(Frame.Kind.ENVELOPES, body);
      context.counters().add(TransportCounter.SENT, batch.size());
    } catch (IOException e) {
      context.counters().add(TransportCounter.DROPPED_CONNECTION_LOST, batch.size());
      throw e;
    }
  }

  /** Of a batch that cannot travel, what can does: only the one envelope at fault is dropped. */
  private void sendHalves(
      SecureConnection connection, List<Envelope> batch, TransportCounter fault, String reason)
      throws IOException {
    if (batch.size() == 1) {
      context.counters().add(fault, 1);
      var envelope = batch.get(0);
      var type = envelope.payload().getClass().getSimpleName();
      lines
          .due("cannot send " + type + fault)
          .ifPresent(
              leftOut ->
                  LOG.warn(
                      "{} cannot send {} {} to {}: {}",
                      self(),
                      type,
                      envelope.messageId(),
                      peer,
                      reason));
      return;
    }
    int middle = batch.size() / 2;
    var rest = batch.subList(middle, batch.size());
    try {
      send(connection, batch.subList(0, middle));
    } catch (IOException e) {
      context.counters().add(TransportCounter.DROPPED_CONNECTION_LOST, rest.size());
      throw e;
    }
    send(connection, rest);
  }

  private void tellOnce(String problem) {
    state = new Link(false, problem);
    if (closed || problem.equals(told)) {
      return;
    }
    if (lines.due(problem).isPresent()) {
      told = problem;
      LOG.warn("{} has no connection to {} at {}: {}", self(), peer, address, problem);
    }
  }

  /** What is queued is lost. */
  void close() {
    closed = true;
    SecureConnection.closeQuietly(socket);
    queue.wake();
  }

  void join(Duration time) throws InterruptedException {
    thread.join(time.toMillis());
  }
}
