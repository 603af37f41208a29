package dev.sequitur.links.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedCertificatesTest {
  private static final NodeName NODE1 = new NodeName("node1");
  private static final NodeName NODE2 = new NodeName("node2");

  @TempDir Path directory;

  private TlsFiles files;
  private X509Certificate other;
  private FileContexts contexts;

  @BeforeEach
  void begin() throws IOException {
    var now = Instant.now();
    Certificates.writeNetwork(
        directory,
        List.of(NODE1, NODE2),
        new Validity(now.minusSeconds(60), now.plusSeconds(3_600)));
    files = Certificates.files(directory, NODE1);
    other =
        new PemFile("certificate", Certificates.files(directory, NODE2).certificate())
            .certificates()
            .get(0);
    contexts = FileContexts.serving(files, NODE1);
  }

  private void refuse(String lines) throws IOException {
    Files.writeString(directory.resolve("authority.pem.refused"), lines);
  }

  @Test
  void aCertificateIsRefusedOnceItStandsOnTheListAndNoLonger() throws IOException {
    var before = contexts.get();
    assertThat(contexts.refuses(other)).isFalse();

    refuse("# of the old machine\n\n" + RefusedCertificates.fingerprint(other) + "\n");
    assertThat(contexts.refuses(other)).isTrue();
    assertThat(contexts.get()).as("new connections").isNotSameAs(before);

    Files.delete(directory.resolve("authority.pem.refused"));
    assertThat(contexts.refuses(other)).isFalse();
  }

  /** As openssl prints it. */
  @Test
  void colonsAndCapitalsAreTaken() throws IOException {
    var pairs =
        RefusedCertificates.fingerprint(other)
            .toUpperCase(java.util.Locale.ROOT)
            .replaceAll("(..)(?!$)", "$1:");
    refuse("sha256 Fingerprint=" + pairs + "\n");

    assertThat(contexts.refuses(other)).isTrue();
  }

  @Test
  void aListThatCannotBeReadIsTold() throws IOException {
    refuse("node2\n");

    assertThatThrownBy(() -> FileContexts.serving(files, NODE1))
        .isInstanceOf(BadCertificate.class)
        .hasMessageContaining("authority.pem.refused")
        .hasMessageContaining("not 'node2'");
    assertThat(contexts.refuses(other)).as("what was read before stays").isFalse();
  }
}
