package dev.sequitur.transport.tls;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static dev.sequitur.transport.Envelopes.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.links.tls.TlsIdentity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.transport.TransportCounter;
import dev.sequitur.transport.tls.TlsNetwork.Running;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Who is let in, and as whom. */
@Timeout(180)
class TlsAuthenticationTest {
  private static final NodeName STRANGER = new NodeName("stranger");

  @TempDir Path directory;
  @TempDir Path elsewhere;
  private TlsNetwork network;

  @BeforeEach
  void makeNetwork() throws IOException {
    network = new TlsNetwork(directory, NODE1, NODE2, NODE3);
  }

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  /** A client that speaks the frames by hand. */
  private SecureConnection dial(TlsFiles files, NodeName as, NodeName to) throws IOException {
    var address = network.address(to);
    var socket = new Socket(address.host(), address.port());
    socket.setSoTimeout(60_000);
    var identity = TlsIdentity.read(files, as, Instant.now());
    return SecureConnection.dial(socket, identity.newContext(), address);
  }

  private static Frame hello(SecureConnection connection, Hello hello) throws IOException {
    connection.write(Frame.Kind.HELLO, hello.toBytes());
    return connection.read(Hello.MOST_BYTES);
  }

  private static Hello hello(NodeName from, NodeName to) {
    return new Hello(ProtocolVersion.CURRENT, from, to, Optional.empty());
  }

  private static void assertRefused(Frame answer, String reason) {
    assertThat(answer.kind()).isEqualTo(Frame.Kind.REFUSED);
    assertThat(RefusedConnection.of(answer.body())).isEqualTo(reason);
  }

  private static void awaitRefused(Running node) {
    await().until(() -> node.count(TransportCounter.CONNECTIONS_REFUSED) > 0);
  }

  @Test
  void aCertificateOfAnUntrustedAuthorityIsRefusedByBothSides() throws IOException {
    var node1 = network.start(NODE1);
    Certificates.writeNetwork(elsewhere, List.of(NODE2), TlsNetwork.aDay());
    var of = network.configuration(NODE2);
    var node2 =
        network.start(
            new TlsConfiguration(
                NODE2,
                of.bind(),
                Certificates.files(elsewhere, NODE2),
                of.peers(),
                of.limits(),
                of.times()));

    node1.transport().send(List.of(numbered(NODE1, NODE2, 1)));
    node2.transport().send(List.of(numbered(NODE2, NODE1, 2)));

    awaitRefused(node1);
    awaitRefused(node2);
    assertThat(node1.count(TransportCounter.CONNECTIONS_OPENED)).isZero();
    assertThat(node2.count(TransportCounter.CONNECTIONS_OPENED)).isZero();
    assertThat(node1.arrived()).isEmpty();
    assertThat(node2.arrived()).isEmpty();
  }

  @Test
  void aClientWithoutATrustedCertificateGetsNoAnswer() throws IOException {
    var node1 = network.start(NODE1);
    Certificates.writeNetwork(elsewhere, List.of(NODE2), TlsNetwork.aDay());
    var own = Certificates.files(elsewhere, NODE2);
    var files = new TlsFiles(own.certificate(), own.privateKey(), network.files(NODE2).trust());

    // The refusal may come during the handshake or at the first read after it.
    assertThatThrownBy(
            () -> {
              try (var connection = dial(files, NODE2, NODE1)) {
                hello(connection, hello(NODE2, NODE1));
              }
            })
        .isInstanceOf(IOException.class);

    awaitRefused(node1);
  }

  /** Also one that is connected, which may stay so for months. */
  @Test
  void aPeerWhoseCertificateWasRevokedIsHeardNoMore() throws Exception {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    node2.transport().send(List.of(numbered(NODE2, NODE1, 1)));
    await().until(() -> node1.arrived().contains(1));
    var certificate = TlsIdentity.read(network.files(NODE2), NODE2, Instant.now()).chain().get(0);
    var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());

    Files.writeString(directory.resolve("authority.pem.refused"), HexFormat.of().formatHex(digest));

    awaitRefused(node1);
    await().until(() -> !node1.transport().links().get(NODE2).connected());
    assertThat(node1.transport().links().get(NODE2).trouble()).contains("revoked");
    node2.transport().send(List.of(numbered(NODE2, NODE1, 2)));
    long refused = node1.count(TransportCounter.CONNECTIONS_REFUSED);
    await().until(() -> node1.count(TransportCounter.CONNECTIONS_REFUSED) > refused + 1);
    assertThat(node1.arrived()).doesNotContain(2);
  }

  @Test
  void aNodeAtTheAddressOfAnotherIsNotSpokenTo() {
    var node2 = network.start(NODE2);
    var of = network.configuration(NODE1);
    Map<NodeName, PeerAddress> crossed = new HashMap<>(of.peers());
    crossed.put(NODE3, network.address(NODE2));
    var node1 =
        network.start(
            new TlsConfiguration(NODE1, of.bind(), of.files(), crossed, of.limits(), of.times()));
    node1.transport().send(List.of(numbered(NODE1, NODE3, 1)));

    await().until(() -> node1.count(TransportCounter.CONNECTIONS_OPENED) >= 1);
    await().until(() -> node1.count(TransportCounter.CONNECTIONS_FAILED) > 2);

    assertThat(node2.arrived()).isEmpty();
  }

  @Test
  void aServerWithTheCertificateOfAnotherNodeHearsNothing() throws Exception {
    var identity = TlsIdentity.read(network.files(NODE2), NODE2, Instant.now());
    var address = network.address(NODE3);
    try (var server = new ServerSocket(address.port(), 1, InetAddress.getByName(address.host()))) {
      network.start(NODE1);

      try (var connection = SecureConnection.accept(server.accept(), identity.newContext())) {
        assertThatThrownBy(() -> connection.read(Hello.MOST_BYTES)).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aNodeThatIntroducesItselfAsAnotherIsRefused() throws IOException {
    network.start(NODE1);

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      assertRefused(
          hello(connection, hello(NODE3, NODE1)), "The certificate is not for node node3.");
    }
  }

  @Test
  void whoBeginsWithAnythingButAHelloIsRefused() throws IOException {
    network.start(NODE1);

    for (var kind : List.of(Frame.Kind.ENVELOPES, Frame.Kind.WELCOME)) {
      try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
        connection.write(kind, hello(NODE2, NODE1).toBytes());
        assertRefused(connection.read(Hello.MOST_BYTES), "A connection begins with a hello.");
      }
    }
  }

  @Test
  void aNodeThatIsNoPeerIsRefused() throws IOException {
    network.start(NODE1);
    Certificates.writeNetwork(directory, List.of(STRANGER), TlsNetwork.aDay());

    try (var connection = dial(network.files(STRANGER), STRANGER, NODE1)) {
      assertRefused(
          hello(connection, hello(STRANGER, NODE1)),
          "Node node1 has no peer stranger: add it to its configuration.");
    }
  }

  @Test
  void aNodeThatTakesThisOneForAnotherIsTold() throws IOException {
    network.start(NODE1);

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      assertRefused(
          hello(connection, hello(NODE2, NODE3)),
          "This is node node1, not node3: correct the address of the peer.");
    }
  }

  @Test
  void anotherMajorVersionIsRefusedAndAnotherMinorOneAccepted() throws IOException {
    network.start(NODE1);
    int major = ProtocolVersion.CURRENT.major();

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      var later = new Hello(new ProtocolVersion(major + 1, 0, 0), NODE2, NODE1, Optional.empty());
      assertRefused(
          hello(connection, later),
          "Protocol version %d.0.0 does not work with %s of node node1: upgrade the older one."
              .formatted(major + 1, ProtocolVersion.CURRENT));
    }
    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      var minor = new Hello(new ProtocolVersion(major, 99, 0), NODE2, NODE1, Optional.empty());
      assertThat(hello(connection, minor).kind()).isEqualTo(Frame.Kind.WELCOME);
    }
  }

  @Test
  void whoChoosesCoordinatorsOtherwiseIsRefusedAndToldWhy() throws IOException {
    network.start(network.configuration(NODE1).withTerms(terms(100, 1337)));

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      assertRefused(
          hello(connection, with(terms(50, 1337))),
          "Node node1 has range-size = 100 and virtual-nodes = 128, node node2 range-size = 50 and"
              + " virtual-nodes = 128: all nodes of a network need the same in"
              + " sequencer.selection.");
    }
    for (var fits : List.of(with(terms(100, 1337)), hello(NODE2, NODE1))) {
      try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
        assertThat(hello(connection, fits).kind()).isEqualTo(Frame.Kind.WELCOME);
      }
    }
  }

  @Test
  void whoHasAnotherChainIdIsRefusedAndToldWhy() throws IOException {
    network.start(network.configuration(NODE1).withTerms(terms(100, 1337)));

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      assertRefused(
          hello(connection, with(terms(100, 31337))),
          "Node node1 has the chain id 1337, node node2 31337: all nodes of a network need the same"
              + " ledger.chain-id.");
    }
  }

  private static NetworkTerms terms(long rangeSize, long chainId) {
    return new NetworkTerms(new SelectionPolicy(rangeSize, 128), chainId);
  }

  private static Hello with(NetworkTerms terms) {
    return new Hello(ProtocolVersion.CURRENT, NODE2, NODE1, Optional.of(terms));
  }

  @Test
  void whoSpeaksInTheNameOfAnotherIsCutOffAndNothingOfTheBatchArrives() throws IOException {
    var node1 = network.start(NODE1);
    List<Envelope> batch = List.of(numbered(NODE2, NODE1, 1), numbered(NODE3, NODE1, 2));

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      hello(connection, hello(NODE2, NODE1));
      connection.write(Frame.Kind.ENVELOPES, new NumberCodec().encode(batch));
      assertThatThrownBy(() -> connection.read(Hello.MOST_BYTES)).isInstanceOf(IOException.class);
    }

    await().until(() -> node1.count(TransportCounter.CONNECTIONS_ABUSED) == 1);
    assertThat(node1.arrived()).isEmpty();
  }

  /** It may come back as often as it likes. */
  @Test
  void whoSpeaksInTheNameOfAnotherAgainAndAgainIsOneLineInTheLog() throws IOException {
    var lines = new ConcurrentLinkedQueue<String>();
    var logger = (Logger) LoggerFactory.getLogger(Listener.class);
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
          }
        };
    appender.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(appender);
    try {
      var node1 = network.start(NODE1);
      // As many as a peer may have at once, since they end a moment after they are told of.
      int times = TlsConfiguration.Limits.DEFAULT.incomingPerPeer();
      for (int i = 0; i < times; i++) {
        try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
          hello(connection, hello(NODE2, NODE1));
          var forged = List.of(numbered(NODE3, NODE1, i));
          connection.write(Frame.Kind.ENVELOPES, new NumberCodec().encode(forged));
          assertThatThrownBy(() -> connection.read(Hello.MOST_BYTES))
              .isInstanceOf(IOException.class);
        }
      }
      await().until(() -> node1.count(TransportCounter.CONNECTIONS_ABUSED) == times);
      await().until(() -> !lines.isEmpty());
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(null);
    }

    assertThat(lines).singleElement().asString().startsWith("node1 closes a connection of node2: ");
  }

  @Test
  void envelopesForAnotherNodeAreDroppedAndTheOthersArrive() throws IOException {
    var node1 = network.start(NODE1);
    List<Envelope> batch = List.of(numbered(NODE2, NODE3, 1), numbered(NODE2, NODE1, 2));

    try (var connection = dial(network.files(NODE2), NODE2, NODE1)) {
      hello(connection, hello(NODE2, NODE1));
      connection.write(Frame.Kind.ENVELOPES, new NumberCodec().encode(batch));
      await().untilAsserted(() -> assertThat(node1.arrived()).containsExactly(2));
    }

    assertThat(node1.count(TransportCounter.DROPPED_WRONG_NODE)).isEqualTo(1);
  }

  @Test
  void aPeerHasABoundedNumberOfConnections() throws IOException {
    var of = network.configuration(NODE1);
    network.start(
        new TlsConfiguration(
            NODE1,
            of.bind(),
            of.files(),
            of.peers(),
            new TlsConfiguration.Limits(1_024, 1, 1, 1),
            of.times()));

    try (var first = dial(network.files(NODE2), NODE2, NODE1);
        var second = dial(network.files(NODE2), NODE2, NODE1)) {
      assertThat(hello(first, hello(NODE2, NODE1)).kind()).isEqualTo(Frame.Kind.WELCOME);
      assertRefused(
          hello(second, hello(NODE2, NODE1)), "Node node2 has too many connections here already.");
    }
  }

  /** As behind one NAT, or in one host of containers, after this node was away. */
  @Test
  void manyPeersOfOneAddressMayComeAllAtOnce(@TempDir Path many) throws IOException {
    var peers = IntStream.rangeClosed(2, 17).mapToObj(i -> new NodeName("node" + i)).toList();
    try (var all =
        new TlsNetwork(
            many, Stream.concat(Stream.of(NODE1), peers.stream()).toArray(NodeName[]::new))) {
      // Each speaks only when those before it have been let in.
      var node1 = all.start(all.configuration(NODE1, TlsNetwork.PATIENT));
      var address = all.address(NODE1);
      var sockets = new ArrayList<Socket>();
      for (var peer : peers) {
        var socket = new Socket(address.host(), address.port());
        socket.setSoTimeout(60_000);
        sockets.add(socket);
      }
      for (int i = 0; i < peers.size(); i++) {
        var identity = TlsIdentity.read(all.files(peers.get(i)), peers.get(i), Instant.now());
        try (var connection =
            SecureConnection.dial(sockets.get(i), identity.newContext(), address)) {
          assertThat(hello(connection, hello(peers.get(i), NODE1)).kind())
              .isEqualTo(Frame.Kind.WELCOME);
        }
      }

      assertThat(node1.count(TransportCounter.CONNECTIONS_REFUSED)).isZero();
    }
  }

  @Test
  void whoSaysNothingIsCutOffAndHoldsUpNobody() throws IOException {
    var of = network.configuration(NODE1);
    var times = TlsNetwork.QUICK;
    var hasty =
        new TlsConfiguration.Times(
            times.ping(),
            times.ping(),
            times.silence(),
            times.firstRetry(),
            times.lastRetry(),
            times.goBack());
    var node1 =
        network.start(
            new TlsConfiguration(NODE1, of.bind(), of.files(), of.peers(), of.limits(), hasty));
    try (var silent = new Socket(of.bind().host(), of.bind().port())) {
      silent.setSoTimeout(60_000);

      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
    awaitRefused(node1);
  }

  @Test
  void garbageInsteadOfTlsIsRefused() throws IOException {
    var node1 = network.start(NODE1);
    var address = network.address(NODE1);
    try (var socket = new Socket(address.host(), address.port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      awaitRefused(node1);
    }
  }

  @Test
  void newCertificatesAreUsedByTheNextConnectionWithoutARestart() throws IOException {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    await().until(() -> node1.count(TransportCounter.CONNECTIONS_OPENED) >= 1);
    var oldAuthority = network.files(NODE1).trust();
    Files.delete(oldAuthority);
    node2.transport().close();
    Certificates.writeNetwork(directory, List.of(NODE1, NODE2), TlsNetwork.aDay());

    var restarted = network.startAgain(NODE2);
    node1.transport().send(List.of(numbered(NODE1, NODE2, 1)));
    restarted.transport().send(List.of(numbered(NODE2, NODE1, 2)));

    await()
        .untilAsserted(
            () -> {
              assertThat(restarted.arrived()).containsExactly(1);
              assertThat(node1.arrived()).containsExactly(2);
            });
    assertThat(node1.count(TransportCounter.CERTIFICATES_RELOADED)).isPositive();
  }

  @Test
  void newFilesThatCannotBeUsedLeaveTheOldCertificateInForce() throws IOException {
    var node1 = network.start(NODE1);
    Files.writeString(network.files(NODE1).certificate(), "nonsense");

    var node2 = network.start(NODE2);
    node1.transport().send(List.of(numbered(NODE1, NODE2, 1)));

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(1));
    assertThat(node1.count(TransportCounter.CERTIFICATES_RELOADED)).isZero();
  }
}
