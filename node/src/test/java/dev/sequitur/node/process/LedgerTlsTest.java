package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.KeyForm;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.process.Starter.RunningLedger;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A ledger process as its file configures it, and who is served by it. */
class LedgerTlsTest {
  private static final NodeName LEDGER = new NodeName("ledger");
  private static final NodeName NODE1 = new NodeName("node1");
  private static final NodeName NODE2 = new NodeName("node2");
  private static final TransactionHash NONE = new TransactionHash(new Hash(0, 0, 0, 0));
  private static final Certificates.Validity VALID =
      new Certificates.Validity(
          Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plus(Duration.ofDays(30)));

  @TempDir Path directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void aNodeOnTheListIsServedAndNobodyElse() throws Exception {
    certificates("certificates");
    certificates("strangers");
    try (var running = start("ledger.tls.nodes = [node1]")) {
      assertThat(head(running, calling("certificates", NODE1, LEDGER))).isNotNull();

      assertThatThrownBy(() -> head(running, calling("certificates", NODE2, LEDGER)))
          .hasCauseInstanceOf(LedgerUnreachableException.class)
          .hasMessageContaining("ledger.tls.nodes");
      assertThatThrownBy(() -> head(running, calling("strangers", NODE1, LEDGER)))
          .hasCauseInstanceOf(LedgerUnreachableException.class)
          .hasMessageContaining("do not accept each other's certificates");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nodesAndLedgerSpeakWhateverTheFormOfTheirKeys(KeyForm form) throws Exception {
    certificates("certificates");
    form.replace(directory.resolve("certificates"), LEDGER);
    form.replace(directory.resolve("certificates"), NODE1);
    try (var running = start("")) {
      assertThat(head(running, calling("certificates", NODE1, LEDGER))).isNotNull();
    }
  }

  @Test
  void whoHasAnotherNameIsNotBelievedToBeTheLedger() throws Exception {
    certificates("certificates");
    try (var running = start("")) {
      assertThatThrownBy(() -> head(running, calling("certificates", NODE1, NODE2)))
          .hasCauseInstanceOf(LedgerUnreachableException.class)
          .hasMessageContaining("the certificate is for [ledger], not for 'node2'");
    }
  }

  @Test
  void replacedCertificatesAreUsedWithoutARestart() throws Exception {
    certificates("certificates");
    try (var running = start("")) {
      var before = calling("certificates", NODE1, LEDGER);
      try (var remote = remote(running, before)) {
        assertThat(receipt(remote)).isEmpty();
        var old = before.get();
        replaceAll();

        assertThat(receipt(remote)).isEmpty();
        assertThat(before.get()).isNotSameAs(old);
      }
    }
  }

  @Test
  void aFileThatIsNotThereStopsTheStartWithASentence() {
    assertThatThrownBy(() -> start(""))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("make one with './sequitur certificates'");
  }

  /** With another authority, so that the old ones are worth nothing. */
  private void replaceAll() throws IOException {
    for (var file : files("certificates")) {
      Files.delete(file);
    }
    certificates("certificates");
    var later = FileTime.from(Instant.now().plusSeconds(5));
    for (var file : files("certificates")) {
      Files.setLastModifiedTime(file, later);
    }
  }

  private List<Path> files(String name) throws IOException {
    try (var files = Files.list(directory.resolve(name))) {
      return files.toList();
    }
  }

  private void certificates(String name) throws IOException {
    Certificates.writeNetwork(directory.resolve(name), List.of(LEDGER, NODE1, NODE2), VALID);
  }

  private RunningLedger start(String more) {
    var file =
        """
        ledger {
          data-directory = "%1$s/ledger"
          port = 0
          tls {
            enabled = true
            certificate = "%1$s/certificates/ledger.pem"
            private-key = "%1$s/certificates/ledger.key.pem"
            authority = "%1$s/certificates/authority.pem"
          }
        }
        """
            .formatted(directory);
    return new ProcessStarter()
        .startLedger(
            LedgerConfiguration.read(Optional.empty(), ConfigFactory.parseString(file + more)));
  }

  private FileContexts calling(String certificates, NodeName self, NodeName ledger) {
    var files = Certificates.files(directory.resolve(certificates), self);
    return FileContexts.calling(files, self, ledger);
  }

  private RemoteLedger remote(RunningLedger running, FileContexts contexts) {
    return RemoteLedger.at(
        URI.create("https://" + running.address()), Optional.of(contexts), threads);
  }

  private BlockHeight head(RunningLedger running, FileContexts contexts) throws Exception {
    try (var remote = remote(running, contexts)) {
      return remote.head().toCompletableFuture().get(60, SECONDS);
    }
  }

  private static Optional<?> receipt(RemoteLedger remote) throws Exception {
    return remote.receipt(NONE).toCompletableFuture().get(60, SECONDS);
  }
}
