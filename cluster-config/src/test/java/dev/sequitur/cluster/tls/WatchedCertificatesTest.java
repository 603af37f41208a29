package dev.sequitur.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.OwnCertificate.Use;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's certificate for others, and the one that it shows a chain's nodes. */
class WatchedCertificatesTest {
  private static final NodeName NODE1 = new NodeName("node1");
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(100));

  @TempDir Path directory;

  private TlsFiles files;
  private WatchedCertificates certificates;

  @BeforeEach
  void begin() throws IOException {
    files = Certificates.files(directory, NODE1);
    issue(END);
    var client =
        new ServerFiles(files.certificate(), files.privateKey(), Optional.of(files.trust()));
    certificates =
        new WatchedCertificates(
            List.of(
                OwnCertificate.of(Use.TRANSPORT, "transport.tls.certificate", files, NODE1),
                OwnCertificate.readAtStart(Use.LEDGER, "ledger.certificate", client)),
            () -> START);
  }

  private void issue(Instant end) throws IOException {
    Certificates.writeNetwork(directory, List.of(NODE1), new Validity(START, end));
  }

  @Test
  void twoWeeksBeforeOneEndsThereIsARemarkWithWhatToDo() {
    var soon = END.minus(Duration.ofDays(14));
    assertThat(certificates.remarks(soon.minusSeconds(1))).isEmpty();

    assertThat(certificates.remarks(soon))
        .containsExactly(
            "The certificate that transport.tls.certificate names ends on %s: replace it, and the node reads the new one by itself."
                .formatted(END),
            "The certificate that ledger.certificate names ends on %s: replace it and start the node anew."
                .formatted(END));
    assertThat(certificates.troubles(END.minusSeconds(1))).isEmpty();
  }

  @Test
  void onceOneHasEndedThatIsATroubleAndNoRemark() {
    assertThat(certificates.remarks(END)).isEmpty();
    assertThat(certificates.troubles(END))
        .hasSize(2)
        .first()
        .asString()
        .contains("has ended", "nobody believes it");
  }

  @Test
  void ofAReplacedFileTheNewEndIsToldWhereTheNodeReadsItAgain() throws IOException {
    var later = END.plus(Duration.ofDays(100));
    issue(later);

    assertThat(ends())
        .containsEntry("transport", (double) later.getEpochSecond())
        .containsEntry("ledger", (double) END.getEpochSecond());
  }

  /** What is used is told, and not what lies there. */
  @Test
  void whileANewFileCannotBeUsedTheOldEndIsTold() throws IOException {
    var kept = Files.readAllBytes(files.privateKey());
    issue(END.plus(Duration.ofDays(100)));
    Files.write(files.privateKey(), kept);

    assertThat(ends()).containsEntry("transport", (double) END.getEpochSecond());
  }

  private Map<String, Double> ends() {
    var registry = new PrometheusRegistry();
    certificates.show(registry);
    return registry.scrape().stream()
        .filter(
            metric ->
                metric
                    .getMetadata()
                    .getName()
                    .equals("sequitur_certificate_expiry_timestamp_seconds"))
        .flatMap(metric -> ((GaugeSnapshot) metric).getDataPoints().stream())
        .collect(
            Collectors.toMap(point -> point.getLabels().get("use"), point -> point.getValue()));
  }
}
