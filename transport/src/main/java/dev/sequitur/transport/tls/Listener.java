package dev.sequitur.transport.tls;

import dev.sequitur.links.admission.Places;
import dev.sequitur.links.admission.Places.Place;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.transport.Inbox;
import dev.sequitur.transport.TransportCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of peers, each read by a thread of its own. How many there may be is
 * bounded: those that have not shown yet whose they are ({@link Places}), and those of each peer.
 */
final class Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  /**
   * Of those that have not shown yet whose they are, beside one for each JVM of a peer at the
   * start; from where peers came before, not counted.
   */
  private static final int OF_STRANGERS = 32;

  /** Beside one for each JVM of a peer: they may all come from one address, and all at once. */
  private static final int PER_NETWORK = 8;

  private static final int REMEMBERED_NETWORKS = 32;

  private final LinkContext context;
  private final Inbox inbox;
  private final Consumer<NodeName> onPeer;
  private final ServerSocket server;
  private final Places places;
  private final Map<NodeName, Semaphore> perPeer = new ConcurrentHashMap<>();
  private final Map<Socket, Thread> connections = new ConcurrentHashMap<>();
  private final SeldomLines refusals = new SeldomLines(System::nanoTime);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ScheduledExecutorService deadlines;

  /**
   * Binds, but does not accept yet.
   *
   * @param onPeer is told of each peer that has connected
   * @throws IOException if the address cannot be bound
   */
  Listener(LinkContext context, Inbox inbox, Consumer<NodeName> onPeer) throws IOException {
    this.context = context;
    this.inbox = inbox;
    this.onPeer = onPeer;
    int peers = context.peers().all().values().stream().mapToInt(each -> each.all().size()).sum();
    places =
        new Places(
            new Places.Limits(
                0, 0, peers + OF_STRANGERS, peers + PER_NETWORK, REMEMBERED_NETWORKS));
    server = new ServerSocket();
    var bind = context.configuration().bind();
    try {
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(bind.host(), bind.port()));
    } catch (IOException e) {
      server.close();
      throw e;
    }
    // After the end nobody needs a deadline: all connections are closed.
    var timer =
        new ScheduledThreadPoolExecutor(
            1, run -> daemon(run, "deadlines"), new ScheduledThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true);
    deadlines = timer;
  }

  int localPort() {
    return server.getLocalPort();
  }

  void start() {
    daemon(this::acceptAll, "accepts").start();
  }

  /** Has something done now and then, by its timer, until it is closed. */
  void every(Duration time, Runnable look) {
    deadlines.scheduleWithFixedDelay(look, time.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Thread daemon(Runnable run, String what) {
    var thread = new Thread(run, context.configuration().self() + "-" + what);
    thread.setDaemon(true);
    return thread;
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void acceptAll() {
    while (!isClosed()) {
      try {
        accept(server.accept());
      } catch (IOException e) {
        pauseAfter(e);
      }
    }
  }

  /** Too many open files, for instance: others may close some. */
  private void pauseAfter(IOException problem) {
    if (isClosed()) {
      return;
    }
    refusals
        .due("cannot accept " + problem.getMessage())
        .ifPresent(
            leftOut ->
                LOG.warn(
                    "{} cannot accept: {}", context.configuration().self(), problem.getMessage()));
    try {
      if (closed.await(100, TimeUnit.MILLISECONDS)) {
        LOG.debug("closed meanwhile");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Socket socket) {
    var place =
        places.takeProvisionally(
            socket.getInetAddress(), () -> SecureConnection.closeQuietly(socket));
    var thread = daemon(() -> serve(socket, place), "reads-" + socket.getRemoteSocketAddress());
    connections.put(socket, thread);
    thread.start();
    if (isClosed()) {
      SecureConnection.closeQuietly(socket);
    }
  }

  private void serve(Socket socket, Place place) {
    try {
      identifyAndRead(socket, place);
    } finally {
      SecureConnection.closeQuietly(socket);
      connections.remove(socket);
    }
  }

  private void identifyAndRead(Socket socket, Place place) {
    long handshakeMillis = context.configuration().times().handshake().toMillis();
    var late = new AtomicBoolean();
    var deadline =
        deadlines.schedule(
            () -> {
              // Told first: whoever reads may notice the end before this returns.
              late.set(true);
              SecureConnection.closeQuietly(socket);
            },
            handshakeMillis,
            TimeUnit.MILLISECONDS);
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(handshakeMillis));
      var connection = SecureConnection.accept(socket, context.identity().current().newContext());
      var incoming = new IncomingConnection(context, connection, refusals);
      var peer = identify(incoming, connection);
      deadline.cancel(false);
      place.confirm();
      // From here on it counts for its peer, wherever it comes from.
      place.end();
      read(incoming, connection, peer);
    } catch (IOException | BadCertificate e) {
      if (place.isDisplaced()) {
        refused(place, "too many of its address at once, or of all, have not shown whose they are");
      } else if (late.get()) {
        refused(place, "it has not shown in time whose it is");
      } else {
        refused(place, SecureConnection.describe(e));
      }
    } finally {
      deadline.cancel(false);
      place.end();
    }
  }

  private static NodeName identify(IncomingConnection incoming, SecureConnection connection)
      throws IOException {
    try {
      return incoming.identify();
    } catch (RefusedConnection e) {
      connection.write(Frame.Kind.REFUSED, e.toBytes());
      throw e;
    }
  }

  private void read(IncomingConnection incoming, SecureConnection connection, NodeName peer)
      throws IOException {
    int most = context.configuration().limits().incomingPerPeer();
    var ofPeer = perPeer.computeIfAbsent(peer, any -> new Semaphore(most));
    if (!ofPeer.tryAcquire()) {
      var refusal =
          new RefusedConnection("Node " + peer + " has too many connections here already.");
      connection.write(Frame.Kind.REFUSED, refusal.toBytes());
      throw refusal;
    }
    try {
      incoming.welcome(peer);
      onPeer.accept(peer);
      incoming.readFrom(peer, inbox);
    } catch (Frame.TooLarge | IncomingConnection.FalseSender e) {
      context.counters().add(TransportCounter.CONNECTIONS_ABUSED, 1);
      tellSeldom("closes", peer.toString(), e.getMessage());
    } catch (IOException e) {
      LOG.debug("A connection of {} has ended: {}", peer, SecureConnection.describe(e));
    } finally {
      ofPeer.release();
    }
  }

  private void refused(Place place, String reason) {
    if (isClosed()) {
      return;
    }
    context.counters().add(TransportCounter.CONNECTIONS_REFUSED, 1);
    tellSeldom("refuses", place.address().getHostAddress(), reason);
  }

  private void tellSeldom(String does, String who, String reason) {
    refusals
        .due(who + reason)
        .ifPresent(
            leftOut ->
                LOG.warn(
                    "{} {} a connection of {}: {}; {} more since the last such line.",
                    context.configuration().self(),
                    does,
                    who,
                    reason,
                    leftOut));
  }

  void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      LOG.debug("The listening socket did not close: {}", e.toString());
    }
    connections.keySet().forEach(SecureConnection::closeQuietly);
    deadlines.shutdownNow();
  }
}
