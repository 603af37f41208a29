package dev.sequitur.transport.tls;

import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.Transport.Link;
import dev.sequitur.transport.EntityPlaces;
import dev.sequitur.transport.TransportCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to one peer. A thread of its own dials, writes what is queued, and dials again after a wait
 * when the connection is lost; a second one reads the peer's pongs, and by that learns of a lost
 * connection while there is nothing to write or a write is stuck.
 *
 * <p>While it is connected to another address than its first choice, a third one looks now and then
 * whether that one is there. If it is, the first thread waits until the peer has read all that was
 * written to it, and goes on with the new connection: nothing is lost, doubled or overtaken.
 */
final class OutgoingLink {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);

  private final LinkContext context;
  private final NodeName peer;
  private final AddressChoice choice;
  private final Consumer<EntityPlaces> places;

  /** Who takes what this cannot send, if it is one beside another. */
  private final Optional<Consumer<List<Envelope>>> instead;

  private final EnvelopeQueue queue;
  private final SeldomLines lines = new SeldomLines(System::nanoTime);
  private final RedialWaits waits;
  private final Thread thread;

  /** Of the present attempt or connection, so that {@link #close} can end it. */
  private volatile Socket socket = new Socket();

  /** Of the present look at an address that is liked better. */
  private volatile Socket lookingSocket = new Socket();

  /** There is a thread that looks. */
  private final AtomicBoolean looking = new AtomicBoolean();

  /** A connection to an address that is liked better, until it is used. */
  private final AtomicReference<Opened> better = new AtomicReference<>();

  private volatile boolean closed;
  private volatile boolean broken;

  /** The present connection has answered a ping: only after such a one the waits begin anew. */
  private volatile boolean proven;

  /** Written by the thread only. */
  private volatile Link state = new Link(false, "");

  /** Which JVM of the peer the present connection leads to, once it has said so; else empty. */
  private volatile OptionalLong jvm = OptionalLong.empty();

  /** What the log was told last of this connection, empty of one that was there; of the thread. */
  private String told = "";

  /** Pings that were written to the present connection; of the thread. */
  private int asked;

  /** Those of them that were answered. */
  private final AtomicInteger answered = new AtomicInteger();

  private record Opened(PeerAddress address, Socket socket, SecureConnection connection) {}

  private OutgoingLink(
      LinkContext context,
      NodeName peer,
      AddressChoice choice,
      Consumer<EntityPlaces> places,
      Optional<Consumer<List<Envelope>>> instead) {
    this.context = context;
    this.peer = peer;
    this.choice = choice;
    this.places = places;
    this.instead = instead;
    this.queue = new EnvelopeQueue(context.configuration().limits().queuedEnvelopes());
    var times = context.configuration().times();
    var last = instead.isEmpty() ? times.lastRetry() : times.goBack();
    this.waits =
        new RedialWaits(
            new Backoff(times.firstRetry(), Collections.max(List.of(times.firstRetry(), last))),
            new SplittableRandom());
    this.thread = new Thread(this::run, self() + "-to-" + peer);
    this.thread.setDaemon(true);
  }

  /**
   * One to whichever address of the peer can be reached.
   *
   * @param address where all its JVMs listen
   * @param places is told where the peer says that its entities are
   */
  static OutgoingLink toAny(
      LinkContext context, NodeName peer, PeerAddress address, Consumer<EntityPlaces> places) {
    var configuration = context.configuration();
    var order = AddressChoice.order(configuration.self(), configuration.jvm(), peer, address.all());
    var choice = new AddressChoice(order, configuration.times().goBack());
    return new OutgoingLink(context, peer, choice, places, Optional.empty());
  }

  /**
   * One to an address of the peer.
   *
   * @param places as for {@link #toAny}
   * @param instead takes what this cannot send
   */
  static OutgoingLink toOne(
      LinkContext context,
      NodeName peer,
      PeerAddress address,
      Consumer<EntityPlaces> places,
      Consumer<List<Envelope>> instead) {
    var choice = new AddressChoice(List.of(address), context.configuration().times().goBack());
    return new OutgoingLink(context, peer, choice, places, Optional.of(instead));
  }

  /** Those that it dials only if it does not reach its first choice. */
  List<PeerAddress> otherAddresses() {
    return choice.others();
  }

  /** Whether it is connected to this JVM of the peer. */
  boolean isAt(long wanted) {
    var at = jvm;
    return at.isPresent() && at.getAsLong() == wanted;
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
        handBack();
        if (!closed && better.get() == null) {
          queue.pause(waits.next());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    forget(better.getAndSet(null));
  }

  /** What waits here need not wait for this connection to come back. */
  private void handBack() {
    if (instead.isPresent()) {
      instead.get().accept(queue.takeAll());
    }
  }

  private void connectAndSend() throws InterruptedException {
    try {
      var found = better.getAndSet(null);
      use(found == null ? dial() : found);
    } catch (IOException | BadCertificate e) {
      tellOnce(SecureConnection.describe(e));
      // Any JVM of the peer will do.
      choice.failed();
    } finally {
      jvm = OptionalLong.empty();
      SecureConnection.closeQuietly(socket);
      if (proven) {
        waits.reset();
      }
    }
  }

  private void use(Opened opened) throws IOException, InterruptedException {
    socket = opened.socket();
    choice.connected(opened.address(), System.nanoTime());
    broken = false;
    proven = false;
    asked = 0;
    answered.set(0);
    context.counters().add(TransportCounter.CONNECTIONS_OPENED, 1);
    state = new Link(true, "");
    told = "";
    if (lines.due("connected " + opened.address()).isPresent()) {
      LOG.info("{} is connected to {} at {}", self(), peer, opened.address());
    }
    var watcher = watch(opened.connection());
    try {
      sendUntilBroken(opened.connection());
    } finally {
      opened.connection().close();
      watcher.join();
    }
  }

  private Opened dial() throws IOException {
    var raw = new Socket();
    socket = raw;
    try {
      return open(choice.present(), raw);
    } catch (IOException | BadCertificate e) {
      if (instead.isEmpty()) {
        context.counters().add(TransportCounter.CONNECTIONS_FAILED, 1);
      }
      throw e;
    }
  }

  private Opened open(PeerAddress address, Socket raw) throws IOException {
    var times = context.configuration().times();
    int handshakeMillis = Math.toIntExact(times.handshake().toMillis());
    if (closed) {
      throw new IOException("this node is stopping");
    }
    raw.setTcpNoDelay(true);
    raw.setSoTimeout(handshakeMillis);
    raw.connect(new InetSocketAddress(address.host(), address.port()), handshakeMillis);
    var connection = SecureConnection.dial(raw, context.identity().current().newContext(), address);
    introduce(connection);
    connection.readTimeout(times.silence());
    return new Opened(address, raw, connection);
  }

  /** Dials those that are liked better than the present one, if it is time for that. */
  private void look() {
    var before = choice.look(System.nanoTime());
    if (!before.isEmpty() && looking.compareAndSet(false, true)) {
      var looker = new Thread(() -> look(before), self() + "-looks-for-" + peer);
      looker.setDaemon(true);
      looker.start();
    }
  }

  private void look(List<PeerAddress> addresses) {
    try {
      for (var address : addresses) {
        if (isFound(address)) {
          return;
        }
      }
    } finally {
      looking.set(false);
    }
  }

  private boolean isFound(PeerAddress address) {
    var raw = new Socket();
    lookingSocket = raw;
    try {
      forget(better.getAndSet(open(address, raw)));
    } catch (IOException | BadCertificate e) {
      SecureConnection.closeQuietly(raw);
      LOG.debug("{} does not find {} at {}", self(), peer, address);
      return false;
    }
    queue.wake();
    if (closed) {
      forget(better.getAndSet(null));
    }
    return true;
  }

  private static void forget(Opened unused) {
    if (unused != null) {
      unused.connection().close();
      SecureConnection.closeQuietly(unused.socket());
    }
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
      case HELLO, ENVELOPES, PING, PONG, PLACES ->
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
        var frame = connection.read(Hello.MOST_BYTES);
        switch (frame.kind()) {
          case PONG -> {
            proven = true;
            answered.incrementAndGet();
            if (better.get() != null) {
              queue.wake();
            }
          }
          case PLACES -> learn(frame.body());
          case HELLO, WELCOME, REFUSED, ENVELOPES, PING -> {
            // Nothing that a peer says here.
          }
        }
      }
    } catch (IOException e) {
      LOG.debug("{} has lost its connection to {}: {}", self(), peer, SecureConnection.describe(e));
    }
  }

  private void learn(byte[] body) {
    try {
      var told = EntityPlaces.of(body);
      jvm = OptionalLong.of(told.teller());
      places.accept(told);
    } catch (IOException e) {
      LOG.debug("{} does not understand where {} has what: {}", self(), peer, e.getMessage());
    }
  }

  /** Until it is lost, this is closed, or a better one is there and the last envelope was read. */
  private void sendUntilBroken(SecureConnection connection)
      throws IOException, InterruptedException {
    var ping = context.configuration().times().ping();
    int most = context.configuration().limits().envelopesPerFrame();
    long nextPing = System.nanoTime() + ping.toNanos();
    while (!closed) {
      long now = System.nanoTime();
      long untilPing = nextPing - now;
      if (broken) {
        throw new IOException("the connection was lost");
      } else if (better.get() != null) {
        awaitAllRead(connection, ping);
        return;
      } else if (untilPing <= 0) {
        ping(connection);
        nextPing = now + ping.toNanos();
      } else {
        look();
        long wait = Math.max(0, Math.min(untilPing, choice.untilLook(now)));
        send(connection, queue.take(most, Duration.ofNanos(wait)));
      }
    }
  }

  private void ping(SecureConnection connection) throws IOException {
    context.mustHoldStill(peer, connection);
    connection.write(Frame.Kind.PING, new byte[0]);
    asked++;
  }

  /** The peer answers in order: who answers the last ping has read all that was before it. */
  private void awaitAllRead(SecureConnection connection, Duration ping)
      throws IOException, InterruptedException {
    ping(connection);
    while (!closed && answered.get() < asked) {
      if (broken) {
        throw new IOException("the connection was lost");
      }
      queue.pause(ping);
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
    if (closed || problem.equals(told) || instead.isPresent()) {
      return;
    }
    if (lines.due(problem).isPresent()) {
      told = problem;
      LOG.warn("{} has no connection to {} at {}: {}", self(), peer, choice.present(), problem);
    }
  }

  /** What is queued is lost. */
  void close() {
    closed = true;
    SecureConnection.closeQuietly(socket);
    SecureConnection.closeQuietly(lookingSocket);
    queue.wake();
  }

  void join(Duration time) throws InterruptedException {
    thread.join(time.toMillis());
  }
}
