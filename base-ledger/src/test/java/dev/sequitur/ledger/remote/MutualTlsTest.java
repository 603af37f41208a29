package dev.sequitur.ledger.remote;

import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutualTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path directory;
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TestNetwork network = new TestNetwork();
  private KeyStore serverKeys;
  private KeyStore clientKeys;
  private LedgerServer server;

  @BeforeEach
  void start() throws Exception {
    serverKeys = keys("server");
    clientKeys = keys("client");
    server =
        LedgerServer.start(
            network.ledger,
            LedgerServerSettings.loopback(0).withTls(Optional.of(tls(certificate -> true))));
  }

  @AfterEach
  void stop() {
    server.close();
    network.close();
    executor.shutdownNow();
  }

  @Test
  void aClientThatTheServerTrustsIsServed() throws Exception {
    network.cut();
    try (var client = client(context(clientKeys, serverKeys, "server"))) {
      assertThat(server.uri().getScheme()).isEqualTo("https");
      assertThat(now(client.head())).isEqualTo(new BlockHeight(1));
    }
  }

  @Test
  void aClientThatTheServerDoesNotTrustIsNotServed() throws Exception {
    try (var client = client(context(keys("stranger"), serverKeys, "server"))) {
      assertThatThrownBy(() -> now(client.head()))
          .hasCauseInstanceOf(LedgerUnreachableException.class);
    }
  }

  @Test
  void aServerThatTheClientDoesNotTrustIsNotSpokenTo() throws Exception {
    try (var client = client(context(clientKeys, keys("other"), "other"))) {
      assertThatThrownBy(() -> now(client.head()))
          .hasCauseInstanceOf(LedgerUnreachableException.class);
    }
  }

  @Test
  void whoIsNotOnTheListIsToldSoAndNothingElse() throws Exception {
    server.close();
    var ask = new ArrayList<String>();
    server =
        LedgerServer.start(
            network.ledger,
            LedgerServerSettings.loopback(0)
                .withTls(
                    Optional.of(
                        tls(
                            certificate -> {
                              ask.add(certificate.getSubjectX500Principal().getName());
                              return false;
                            }))));

    try (var client = client(context(clientKeys, serverKeys, "server"))) {
      assertThatThrownBy(() -> now(client.nonce(TestNetwork.ALICE.address())))
          .hasCauseInstanceOf(LedgerUnreachableException.class)
          .hasMessageContaining("does not serve the holder of this certificate");
    }
    assertThat(ask).containsExactly("CN=client");
  }

  private LedgerServerSettings.Tls tls(Predicate<X509Certificate> serves) throws Exception {
    var context = context(serverKeys, clientKeys, "client");
    return new LedgerServerSettings.Tls(() -> context, serves);
  }

  private RemoteLedger client(SSLContext context) {
    return RemoteLedger.at(server.uri(), Optional.of(() -> context), executor);
  }

  private static SSLContext context(KeyStore own, KeyStore others, String trusted)
      throws GeneralSecurityException, IOException {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD);
    var trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(trusted, others.getCertificate(trusted));
    var trusting = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusting.init(trust);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusting.getTrustManagers(), null);
    return context;
  }

  /** A fresh key with a certificate of its own, made by the JDK's keytool. */
  private KeyStore keys(String name) throws Exception {
    var file = directory.resolve(name + ".p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            name,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=" + name,
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            new String(PASSWORD));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }
}
