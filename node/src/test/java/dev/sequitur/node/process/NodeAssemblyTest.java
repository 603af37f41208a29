package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.LedgerConnector;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeAssemblyTest {
  private static final NodeName NODE = new NodeName("node1");

  @TempDir private Path directory;

  @Test
  void whyANodeCannotStartIsSaidAlsoIfWhatHadBegunCannotBeEnded() throws IOException {
    Files.createDirectories(directory.resolve(NODE.value()));
    Files.writeString(directory.resolve(NODE.value()).resolve("keys.seed"), "damaged");
    var configuration = NodeConfiguration.embedded(NODE, directory.resolve(NODE.value()));
    StartFailure failure;
    try (var network = LedgerInProcess.open(directory.resolve("ledger"), LedgerSettings.DEFAULT)) {
      var outside =
          new NodeAssembly.Outside(
              new StuckTransport(),
              Optional.empty(),
              LedgerConnector.of(network.view(NODE)),
              new TraceRing(TraceLimits.DEFAULT, InstantSource.system()),
              new PrometheusRegistry());

      failure =
          catchThrowableOfType(
              StartFailure.class, () -> NodeAssembly.start(configuration, outside));
    }

    assertThat(failure).hasMessageStartingWith("Node node1 cannot start: The key seed");
    assertThat(failure.getSuppressed())
        .singleElement()
        .satisfies(ending -> assertThat(ending).hasMessage(StuckTransport.SENTENCE));
  }

  /** And not as the operating system calls what it listens on. */
  @Test
  void whereANodeIsCalledIsToldAsItIsConfigured() {
    var embedded = NodeConfiguration.embedded(NODE, directory);
    var everywhere =
        embedded
            .withRpc(embedded.rpc().withHost("0.0.0.0"))
            .withGuard(embedded.guard().withAuthentication(GuardSettings.Authentication.NONE));

    try (var node = new ProcessStarter().startNode(everywhere)) {
      assertThat(node.url()).matches("http://0\\.0\\.0\\.0:[1-9][0-9]*");
    }
  }

  /** Cannot be closed in time. */
  private static final class StuckTransport implements Transport {
    private static final String SENTENCE = "It took longer than 60 seconds.";

    @Override
    public void send(List<Envelope> envelopes) {}

    @Override
    public void receive(Consumer<List<Envelope>> receiver) {}

    @Override
    public Set<NodeName> peers() {
      return Set.of();
    }

    @Override
    public void close() {
      throw new StartFailure(SENTENCE);
    }
  }
}
