package dev.sequitur.transport.tls;

import dev.sequitur.cluster.metrics.BoundedLabel;
import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.IdentityFiles;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.transport.Batches;
import dev.sequitur.transport.Inbox;
import dev.sequitur.transport.OwnPlaces;
import dev.sequitur.transport.TransportCounter;
import dev.sequitur.transport.TransportCounters;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries envelopes between JVMs over mutual TLS 1.3. Sending only enqueues; each peer has a
 * bounded queue and threads of its own, so that a slow or dead one holds up nobody. What goes to
 * one JVM of a peer arrives in order while a connection lasts; what was being written when it is
 * lost, is lost. Where a peer has several JVMs, what is for a contract goes to the one that has it.
 */
public final class TlsTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(TlsTransport.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** Peers whose link is shown by itself; of the others it is shown whether all are up. */
  private static final int MOST_PEERS = 200;

  private final TlsConfiguration configuration;
  private final TransportCounters counters;
  private final IdentityFiles identity;
  private final Inbox inbox;
  private final Peers peers;
  private final LinkContext context;
  private final Map<NodeName, PeerLinks> links = new ConcurrentSkipListMap<>();
  private final BoundedLabel<NodeName, String> peerNames =
      new BoundedLabel<>(MOST_PEERS, Function.identity());
  private final Listener listener;
  private volatile boolean closed;

  /** Guarded by the links, as every change of them. */
  private boolean receiving;

  private TlsTransport(
      TlsConfiguration configuration,
      EnvelopeCodec codec,
      PrometheusRegistry registry,
      OwnPlaces places)
      throws IOException {
    this.configuration = configuration;
    this.counters = new TransportCounters(registry);
    this.identity =
        new IdentityFiles(
            configuration.files(),
            configuration.self(),
            InstantSource.system(),
            () -> counters.add(TransportCounter.CERTIFICATES_RELOADED, 1));
    this.inbox = new Inbox(configuration.self(), counters);
    this.peers = new Peers(configuration.peers());
    this.context = new LinkContext(configuration, peers, codec, identity, counters, places);
    peers.all().forEach((peer, at) -> links.put(peer, new PeerLinks(context, peer, at)));
    this.listener = new Listener(context, inbox, this::wake);
    Gauges.show(
        registry,
        "sequitur_transport_queued",
        "Envelopes that wait for their peer.",
        () -> links.values().stream().mapToInt(PeerLinks::queued).sum());
    Gauges.showNamed(
        registry,
        "sequitur_transport_peer_up",
        "1 while this node has a connection to the peer, else 0.",
        "peer",
        this::peersUp);
  }

  /**
   * Reads the certificates and binds the address; connects to nobody before {@link #receive}.
   *
   * @param registry of the node, for what the transport counts and measures
   * @throws BadCertificate with a sentence that says what to do
   * @throws IllegalStateException with such a sentence, if the address cannot be bound
   */
  public static TlsTransport open(
      TlsConfiguration configuration, EnvelopeCodec codec, PrometheusRegistry registry) {
    return open(configuration, codec, registry, new OwnPlaces());
  }

  /**
   * As {@link #open(TlsConfiguration, EnvelopeCodec, PrometheusRegistry)}, of a node that may have
   * several JVMs.
   *
   * @param places peers are told of them, when they connect and with each sign of life, if they
   *     have changed
   */
  public static TlsTransport open(
      TlsConfiguration configuration,
      EnvelopeCodec codec,
      PrometheusRegistry registry,
      OwnPlaces places) {
    try {
      return new TlsTransport(configuration, codec, registry, places);
    } catch (IOException e) {
      var bind = configuration.bind();
      throw new IllegalStateException(
          new ListenAddress("transport", bind.host(), bind.port())
              .refusal("Node '" + configuration.self() + "'"),
          e);
    }
  }

  private void wake(NodeName peer) {
    Optional.ofNullable(links.get(peer)).ifPresent(PeerLinks::wake);
  }

  /** Where this listens: another than the configured port if that is 0. */
  public int localPort() {
    return listener.localPort();
  }

  /** Begins to accept and to dial. */
  @Override
  public void receive(Consumer<List<Envelope>> receiver) {
    inbox.receive(receiver);
    listener.start();
    synchronized (links) {
      receiving = true;
      links.values().forEach(PeerLinks::start);
    }
  }

  /**
   * Has the peers follow what is told, looking each second, from {@link #receive} until the end.
   *
   * @param now is asked on a thread of the transport, and must not block
   */
  public void follow(Supplier<Map<NodeName, PeerAddress>> now) {
    listener.every(
        LOOK_EVERY,
        () -> {
          try {
            change(now.get());
          } catch (RuntimeException e) {
            LOG.error("{} could not follow its peers, and looks again", configuration.self(), e);
          }
        });
  }

  /**
   * From now on these are the peers. Links to those that stay where they were go on. What waits for
   * one that is gone or elsewhere is lost, as with a connection. A connection of one that is gone
   * ends with the next that it sends. Waits for nothing.
   *
   * @throws IllegalArgumentException if the own node is among them
   */
  public void change(Map<NodeName, PeerAddress> all) {
    TlsConfiguration.mustBeOthers(configuration.self(), all.keySet());
    synchronized (links) {
      var before = peers.all();
      if (closed || before.equals(all)) {
        return;
      }
      peers.become(all);
      before.forEach((peer, at) -> end(peer, at, all));
      all.forEach((peer, at) -> begin(peer, at, before));
    }
  }

  private void end(NodeName peer, PeerAddress at, Map<NodeName, PeerAddress> all) {
    if (!at.equals(all.get(peer))) {
      links.remove(peer).close();
      if (!all.containsKey(peer)) {
        LOG.info("{} has no peer {} any more", configuration.self(), peer);
      }
    }
  }

  private void begin(NodeName peer, PeerAddress at, Map<NodeName, PeerAddress> before) {
    if (at.equals(before.get(peer))) {
      return;
    }
    var begun = new PeerLinks(context, peer, at);
    links.put(peer, begun);
    if (receiving) {
      begun.start();
    }
    LOG.info(
        before.containsKey(peer) ? "{} finds its peer {} at {} now" : "{} has a new peer {} at {}",
        configuration.self(),
        peer,
        at.all());
  }

  /** Envelopes to the own node arrive, too, without travelling. */
  @Override
  public void send(List<Envelope> envelopes) {
    if (closed) {
      counters.add(TransportCounter.DROPPED_CLOSED, envelopes.size());
    } else {
      Batches.byReceiver(envelopes).forEach(this::sendTo);
    }
  }

  private void sendTo(NodeName to, List<Envelope> batch) {
    if (!batch.stream().allMatch(envelope -> envelope.from().equals(configuration.self()))) {
      counters.add(TransportCounter.DROPPED_WRONG_NODE, batch.size());
    } else if (to.equals(configuration.self())) {
      counters.add(TransportCounter.SENT, batch.size());
      inbox.deliver(batch);
    } else {
      var link = links.get(to);
      if (link == null) {
        counters.add(TransportCounter.DROPPED_UNKNOWN_RECEIVER, batch.size());
      } else {
        link.add(batch);
      }
    }
  }

  @Override
  public Set<NodeName> peers() {
    return peers.names();
  }

  @Override
  public Map<NodeName, Link> links() {
    var states = new TreeMap<NodeName, Link>();
    links.forEach((peer, link) -> states.put(peer, link.state()));
    return states;
  }

  private Map<String, Double> peersUp() {
    var up = new TreeMap<String, Double>();
    links.forEach(
        (peer, link) ->
            up.merge(peerNames.of(peer), link.state().connected() ? 1.0 : 0.0, Math::min));
    return up;
  }

  public TransportCounters counters() {
    return counters;
  }

  /** Ends all connections; what is queued is lost. Waits for its threads for some seconds. */
  @Override
  public void close() {
    listener.close();
    synchronized (links) {
      closed = true;
      links.values().forEach(PeerLinks::close);
    }
    try {
      for (var link : links.values()) {
        link.join(CLOSING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
