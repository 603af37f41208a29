package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.node.guard.Guard.Shown;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardTest {
  private static final Instant NOW = Instant.now();

  @TempDir Path directory;

  /** TLS looks at it when the connection begins, which may stay open for longer than it holds. */
  @Test
  void aCertificateThatHasExpiredSinceTheConnectionBeganLetsNobodyInAnyMore()
      throws IOException, CertificateException {
    Certificates.writeNetwork(
        directory,
        List.of(new NodeName("monitoring")),
        new Certificates.Validity(NOW.minusSeconds(60), NOW.plusSeconds(3_600)));
    var shown = new Shown(Optional.empty(), Optional.of(certificate("monitoring.pem")));

    assertThat(door(NOW).who(shown)).hasToString("certificate:monitoring");
    assertThatThrownBy(() -> door(NOW.plus(Duration.ofHours(2))).who(shown))
        .isInstanceOf(RpcFailure.class)
        .hasMessageContaining("The certificate has expired: show a new one.");
  }

  private Guard.Door door(Instant now) {
    var files =
        new ServerFiles(
            directory.resolve("monitoring.pem"),
            directory.resolve("monitoring.key.pem"),
            Optional.of(directory.resolve("authority.pem")));
    var settings =
        GuardSettings.of(directory.resolve("tokens.json"))
            .withAuthentication(Authentication.REQUIRED)
            .withTls(Optional.of(files))
            .withCertificates(Map.of("monitoring", List.of("reader")));
    return new Guard(settings, InstantSource.fixed(now))
        .doors(RpcSettings.loopback(0), HealthSettings.DEFAULT)
        .rpc();
  }

  private X509Certificate certificate(String file) throws IOException, CertificateException {
    try (var in = Files.newInputStream(directory.resolve(file))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
