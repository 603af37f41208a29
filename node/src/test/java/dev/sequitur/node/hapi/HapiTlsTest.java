package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.rpc.CertifiedCallers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A front over TLS, as a configuration asks for it: who shows a certificate needs no token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HapiTlsTest {
  private CertifiedCallers callers;
  private FrontUnderTest front;

  @BeforeAll
  void start(@TempDir Path at) throws IOException {
    callers = new CertifiedCallers(at);
    callers.certify("localhost", "payroll", "nobody");
    var file =
        Files.writeString(
            at.resolve("node.conf"),
            """
            node { name = front, data-directory = data }
            rpc {
              port = 0
              authentication = required
              tls { enabled = true, certificate = localhost.pem, private-key = localhost.key.pem }
            }
            callers.certificates { authority = authority.pem, roles { payroll = [reader] } }
            scheduler.multi-signature.profile = current
            hapi { enabled = true, port = 0, tls = true }
            """);
    front = new FrontUnderTest(NodeConfiguration.read(file));
  }

  @AfterAll
  void stop() {
    if (front != null) {
      front.close();
    }
  }

  /** Nobody has opened the account: that is told to whoever may ask. */
  @Test
  void aCertificateShowsWhoCalls() throws Exception {
    var answered = balance(callers.calling(Optional.of("payroll")));

    assertThat(answered.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(answered.headers().firstValue("grpc-status")).isEmpty();
    assertThat(answered.body().length).isGreaterThan(5);
  }

  @Test
  void whoIsNotNamedOrShowsNoneIsNotLetIn() throws Exception {
    assertThat(status(balance(callers.calling(Optional.of("nobody"))))).isEqualTo("7");
    assertThat(status(balance(callers.calling(Optional.empty())))).isEqualTo("16");
  }

  @Test
  void whoDoesNotTrustTheNodesAuthorityDoesNotCallIt() throws Exception {
    try (var stranger = HttpClient.newHttpClient()) {
      assertThatThrownBy(() -> balance(stranger)).isInstanceOf(IOException.class);
    }
  }

  private static String status(HttpResponse<byte[]> answered) {
    return answered.headers().firstValue("grpc-status").orElse("none");
  }

  private HttpResponse<byte[]> balance(HttpClient client) throws Exception {
    var address = "https://localhost:" + front.port() + "/proto.CryptoService/cryptoGetBalance";
    var question = FrontUnderTest.framed((byte) 0, HapiFrontTest.questionOf(7, 2)).toArray();
    return client.send(
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/grpc")
            .header("TE", "trailers")
            .POST(BodyPublishers.ofByteArray(question))
            .build(),
        BodyHandlers.ofByteArray());
  }
}
