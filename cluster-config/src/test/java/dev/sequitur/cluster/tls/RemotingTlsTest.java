package dev.sequitur.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Issued;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.links.tls.KeyForm;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The TLS of Akka remoting, with the certificates that the transport has, too. */
class RemotingTlsTest {
  private static final NodeName NODE1 = new NodeName("node1");
  private static final NodeName NODE2 = new NodeName("node2");
  private static final Validity VALIDITY =
      new Validity(Instant.now().minusSeconds(60), Instant.now().plus(Duration.ofDays(1)));

  @TempDir private Path directory;
  private ActorSystem system;
  private Issued authority;

  @BeforeEach
  void issue() throws IOException {
    authority = Certificates.authority("both nodes' authority", VALIDITY);
    write("node1", authority, NODE1);
    write("node2", authority, NODE2);
  }

  @AfterEach
  void stop() {
    if (system != null) {
      system.terminate();
    }
  }

  private void write(String name, Issued by, NodeName node) throws IOException {
    Certificates.write(
        Certificates.node(by, node, VALIDITY), file(name + ".pem"), file(name + ".key.pem"));
    Certificates.write(by, file(name + ".authority.pem"), file(name + ".authority.key.pem"));
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private RemotingTls tls(String name) {
    return tls(
        NODE1,
        new TlsFiles(file(name + ".pem"), file(name + ".key.pem"), file(name + ".authority.pem")));
  }

  private RemotingTls tls(NodeName node, TlsFiles files) {
    var section = "sequitur.remoting-tls.";
    var config =
        ConfigFactory.parseMap(
                Map.of(
                    section + "node",
                    node.value(),
                    section + "certificate",
                    files.certificate().toString(),
                    section + "private-key",
                    files.privateKey().toString(),
                    section + "authority",
                    files.trust().toString(),
                    "akka.actor.provider",
                    "local"))
            .withFallback(ConfigFactory.load());
    if (system != null) {
      system.terminate();
    }
    system = ActorSystem.create("tls", config);
    return new RemotingTls(system);
  }

  @Test
  void twoJvmsOfANodeAcceptEachOther() throws Exception {
    var first = tls("node1");
    var second = tls("node1");

    var engines = handshake(first, second);

    assertThat(first.verifyServerSession("b", engines.client().getSession()).isEmpty()).isTrue();
    assertThat(second.verifyClientSession("a", engines.server().getSession()).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void theJvmsOfANodeSpeakWhateverTheFormOfTheirKeys(KeyForm form) throws Exception {
    Certificates.writeNetwork(directory, List.of(NODE1), VALIDITY);
    var jvm = tls(NODE1, form.replace(directory, NODE1));

    var session = handshake(jvm, jvm).client().getSession();

    assertThat(jvm.verifyServerSession("b", session).isEmpty()).isTrue();
  }

  @Test
  void aCertificateOfAnotherNodeIsRefusedAtTheStart() {
    assertThatThrownBy(() -> tls("node2"))
        .isInstanceOf(BadCertificate.class)
        .hasMessage(
            "The certificate %s is for [node2], not for node 'node1': give the node its own."
                .formatted(file("node2.pem")));
  }

  @Test
  void anotherNodeIsRefusedThoughTheSameAuthorityHasSignedForIt() throws Exception {
    var node1 = tls("node1");
    var node2 =
        tls(
            NODE2,
            new TlsFiles(file("node2.pem"), file("node2.key.pem"), file("node2.authority.pem")));

    var engines = handshake(node2, node1);

    var refusal = node1.verifyClientSession("a", engines.server().getSession());
    assertThat(refusal.get()).hasMessageContaining("of another node");
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    write("stranger", Certificates.authority("another", VALIDITY), NODE1);
    var node1 = tls("node1");
    var stranger = tls("stranger");

    assertThatThrownBy(() -> handshake(stranger, node1)).isInstanceOf(SSLException.class);
  }

  @Test
  void replacedCertificatesAreUsedWithoutARestart() throws Exception {
    var first = tls("node1");
    var second = tls("node1");
    var before = serial(handshake(first, second));

    write("node1", authority, NODE1);
    Files.setLastModifiedTime(
        file("node1.pem"), FileTime.from(Instant.now().plus(Duration.ofSeconds(5))));

    assertThat(serial(handshake(first, second))).isNotEqualTo(before);
  }

  @Test
  void filesThatDoNotFitAreNotTakenUp() throws Exception {
    var first = tls("node1");
    var before = serial(handshake(first, first));

    Files.writeString(file("node1.pem"), "half of a certificate");

    assertThat(serial(handshake(first, first))).isEqualTo(before);
  }

  private static BigInteger serial(Engines engines) throws Exception {
    return ((X509Certificate) engines.client().getSession().getPeerCertificates()[0])
        .getSerialNumber();
  }

  private record Engines(SSLEngine client, SSLEngine server) {}

  private static Engines handshake(RemotingTls client, RemotingTls server) throws SSLException {
    var engines =
        new Engines(client.createClientSSLEngine("b", 1), server.createServerSSLEngine("a", 2));
    var toServer = ByteBuffer.allocate(65_536);
    var toClient = ByteBuffer.allocate(65_536);
    engines.client().beginHandshake();
    engines.server().beginHandshake();
    for (int round = 0; round < 50; round++) {
      step(engines.client(), toClient, toServer);
      step(engines.server(), toServer, toClient);
      if (isDone(engines.client()) && isDone(engines.server()) && round > 5) {
        return engines;
      }
    }
    throw new SSLException("the handshake does not end");
  }

  private static boolean isDone(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
        || engine.getHandshakeStatus() == HandshakeStatus.FINISHED;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    in.flip();
    engine.unwrap(in, ByteBuffer.allocate(65_536));
    in.compact();
    for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
      task.run();
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), out);
    }
  }
}
