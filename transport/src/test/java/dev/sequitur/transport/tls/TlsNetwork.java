package dev.sequitur.transport.tls;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.transport.Envelopes;
import dev.sequitur.transport.OwnPlaces;
import dev.sequitur.transport.TransportCounter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Some nodes on the loopback interface with real certificates, and what has arrived at each. */
final class TlsNetwork implements AutoCloseable {
  static final TlsConfiguration.Times QUICK =
      new TlsConfiguration.Times(
          Duration.ofSeconds(5),
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          Duration.ofMillis(10),
          Duration.ofMillis(200),
          Duration.ofMillis(100));

  /** For who says nothing yet: a handshake may take until the end of any test. */
  static final TlsConfiguration.Times PATIENT =
      new TlsConfiguration.Times(
          Duration.ofSeconds(120),
          QUICK.ping(),
          QUICK.silence(),
          QUICK.firstRetry(),
          QUICK.lastRetry(),
          QUICK.goBack());

  private static final String LOOPBACK = "127.0.0.1";

  static {
    // A machine that also builds something else may take long; whoever passes does not wait.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  /** One node that runs. */
  record Running(TlsTransport transport, PrometheusRegistry registry, List<Integer> arrived) {
    long count(TransportCounter counter) {
      return transport.counters().get(counter);
    }
  }

  private final Path directory;
  private final Map<NodeName, PeerAddress> addresses = new HashMap<>();
  private final List<TlsTransport> opened = new ArrayList<>();

  TlsNetwork(Path directory, NodeName... nodes) throws IOException {
    this.directory = directory;
    Certificates.writeNetwork(directory, List.of(nodes), aDay());
    int port = FreePorts.inARow(nodes.length);
    for (var node : nodes) {
      addresses.put(node, new PeerAddress(LOOPBACK, port++));
    }
  }

  static Certificates.Validity aDay() {
    var now = Instant.now();
    return new Certificates.Validity(now.minusSeconds(3_600), now.plusSeconds(86_400));
  }

  PeerAddress address(NodeName node) {
    return addresses.get(node);
  }

  TlsFiles files(NodeName node) {
    return Certificates.files(directory, node);
  }

  TlsConfiguration configuration(NodeName node) {
    return configuration(node, QUICK);
  }

  TlsConfiguration configuration(NodeName node, TlsConfiguration.Times times) {
    var peers = new HashMap<>(addresses);
    peers.remove(node);
    return new TlsConfiguration(
        node, addresses.get(node), files(node), peers, TlsConfiguration.Limits.DEFAULT, times);
  }

  Running start(NodeName node) {
    return start(configuration(node));
  }

  /** Of a node that was just closed, whose port is taken until its last thread has let go of it. */
  Running startAgain(NodeName node) {
    return Awaitility.await()
        .ignoreException(IllegalStateException.class)
        .until(() -> start(node), started -> true);
  }

  Running start(TlsConfiguration configuration) {
    return start(configuration, () -> {});
  }

  /**
   * @param before run before a batch counts as arrived
   */
  Running start(TlsConfiguration configuration, Runnable before) {
    return start(configuration, before, new OwnPlaces());
  }

  /**
   * @param places that peers are told
   */
  Running start(TlsConfiguration configuration, OwnPlaces places) {
    return start(configuration, () -> {}, places);
  }

  private Running start(TlsConfiguration configuration, Runnable before, OwnPlaces places) {
    var registry = new PrometheusRegistry();
    var transport = TlsTransport.open(configuration, new NumberCodec(), registry, places);
    opened.add(transport);
    var arrived = new CopyOnWriteArrayList<Integer>();
    transport.receive(
        batch -> {
          before.run();
          arrived.addAll(numbers(batch));
        });
    return new Running(transport, registry, arrived);
  }

  private static List<Integer> numbers(List<Envelope> batch) {
    return batch.stream().map(Envelopes::numberOf).toList();
  }

  @Override
  public void close() {
    opened.forEach(TlsTransport::close);
  }
}
