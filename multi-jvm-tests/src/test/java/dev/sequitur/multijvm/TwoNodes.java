package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network as a person runs it: a ledger process, node1 of two JVMs over PostgreSQL, node2 of one
 * JVM. Closes all that it has started.
 */
final class TwoNodes implements AutoCloseable {
  static final int JVMS = 2;

  private static final String UP = "JSON-RPC +(http://\\S+)";
  private static final int EACH = 3;

  private final Path directory;
  private final int ports;
  private final TestPostgres postgres;
  private final SequiturProcess ledger;
  private final List<SequiturProcess> node1 = new ArrayList<>();
  private final SequiturProcess node2;

  private TwoNodes(Path directory, TestPostgres postgres) throws IOException {
    this.directory = directory;
    this.postgres = postgres;
    this.ports = FreePorts.inARow((JVMS + 1) * EACH + 1);
    try (var certificates =
        start("certificates", "--directory", "certificates", "node1", "node2")) {
      assertThat(certificates.awaitExit()).as(certificates.output()).isZero();
    }
    ledger = start("ledger", "--config", write("ledger.conf", ledgerFile()));
    ledger.awaitLine("The ledger is up");
    node2 = start("start", "--config", write("node2.conf", node2File()));
    for (int jvm = 0; jvm < JVMS; jvm++) {
      node1.add(startJvm(jvm));
    }
    node2.awaitLine(UP);
    node1.forEach(jvm -> jvm.awaitLine(UP));
  }

  /** Waits until everything serves. */
  static TwoNodes start(Path directory, TestPostgres postgres) {
    try {
      return new TwoNodes(directory, postgres);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonRpcCaller node1(int jvm) {
    return new JsonRpcCaller("http://127.0.0.1:" + port(jvm, 0));
  }

  JsonRpcCaller node2() {
    return new JsonRpcCaller("http://127.0.0.1:" + port(JVMS, 0));
  }

  URI ledger() {
    return URI.create("http://127.0.0.1:" + ledgerPort());
  }

  SequiturProcess jvm(int jvm) {
    return node1.get(jvm);
  }

  /** Starts a JVM of node1 anew and waits until it serves. */
  void restart(int jvm) throws IOException {
    node1.set(jvm, startJvm(jvm));
    node1.get(jvm).awaitLine(UP);
  }

  private SequiturProcess startJvm(int jvm) throws IOException {
    return start("start", "--config", write("node1-" + jvm + ".conf", node1File(jvm)));
  }

  private int port(int process, int which) {
    return ports + process * EACH + which;
  }

  private int ledgerPort() {
    return port(JVMS + 1, 0);
  }

  private String ledgerFile() {
    return "ledger { data-directory = ledger, port = %d, block-time = 200ms }"
        .formatted(ledgerPort());
  }

  private String node1File(int jvm) {
    return common("node1", jvm, "node2 = \"127.0.0.1:" + port(JVMS, 1) + "\"")
        + """
        node { data-directory = node1-%d, key-directory = node1-keys }
        cluster {
          enabled = true
          port = %d
          seed-nodes = ["127.0.0.1:%d", "127.0.0.1:%d"]
          tls {
            certificate = certificates/node1.pem
            private-key = certificates/node1.key.pem
            authority = certificates/authority.pem
          }
        }
        postgresql { url = "%s", user = %s, schema = node1 }
        """
            .formatted(jvm, port(jvm, 2), port(0, 2), port(1, 2), postgres.url(), postgres.user());
  }

  private String node2File() {
    var addresses = "127.0.0.1:" + port(0, 1) + ", 127.0.0.1:" + port(1, 1);
    return common("node2", JVMS, "node1 = \"" + addresses + "\"") + "node.data-directory = node2\n";
  }

  private String common(String node, int process, String peers) {
    return """
        node.name = %1$s
        rpc.port = %2$d
        transport {
          enabled = true
          port = %3$d
          tls {
            certificate = certificates/%1$s.pem
            private-key = certificates/%1$s.key.pem
            authority = certificates/authority.pem
          }
          peers { %4$s }
        }
        ledger { mode = remote, remote.port = %5$d }
        sequencer.selection.range-size = 20
        # The multi-node test kit, which is of another version, is on the class path.
        akka.fail-mixed-versions = off
        """
        .formatted(node, port(process, 0), port(process, 1), peers, ledgerPort());
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  private SequiturProcess start(String... line) {
    return SequiturProcess.start(directory, line);
  }

  /** What all processes have said, for a failure. */
  String output() {
    var all = new StringBuilder();
    node1.forEach(jvm -> all.append("\n--- node1\n").append(jvm.output()));
    return all.append("\n--- node2\n").append(node2.output()).toString();
  }

  @Override
  public void close() {
    node1.forEach(SequiturProcess::close);
    if (node2 != null) {
      node2.close();
    }
    if (ledger != null) {
      ledger.close();
    }
  }
}
