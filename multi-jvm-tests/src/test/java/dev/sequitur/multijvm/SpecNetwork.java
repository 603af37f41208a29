package dev.sequitur.multijvm;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One node of three JVMs over a ledger process, as files that the JVMs of a specification read.
 *
 * @param firstPort of all
 */
record SpecNetwork(Path directory, int firstPort) implements Parties {
  static final String DIRECTORY = "multijvm.directory";
  static final String PORT = "multijvm.port";

  private static final int NODE = 1;
  private static final String LEDGER = "ledger.pid";

  static NetworkPlan plan() {
    return NetworkPlan.of(NetworkPlan.ONE_RANGE, NodeMember.JVMS);
  }

  static SpecNetwork ofThisProcess() {
    return new SpecNetwork(Path.of(System.getProperty(DIRECTORY)), Integer.getInteger(PORT));
  }

  /** Writes everybody's files; the ledger's is the one that is returned. */
  Path write(NetworkPlan plan, TestPostgres postgres) throws IOException {
    var files = new NetworkPlan.Files(plan, firstPort);
    var now = Instant.now();
    Certificates.writeNetwork(
        directory.resolve("certificates"),
        List.of(new NodeName("node1")),
        new Validity(now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(90))));
    for (int number = 0; number < NodeMember.JVMS; number++) {
      Files.writeString(file(number), files.jvm(NODE, number + 1, postgres));
    }
    return Files.writeString(directory.resolve("ledger.conf"), files.ledger());
  }

  /** For the JVMs, which did not start it. */
  void ledgerIs(long pid) throws IOException {
    Files.writeString(directory.resolve(LEDGER), Long.toString(pid));
  }

  /** Nobody's transactions get into a block until it is thawed. */
  void freezeLedger() throws IOException {
    signalLedger("STOP");
  }

  void thawLedger() throws IOException {
    signalLedger("CONT");
  }

  private void signalLedger(String name) throws IOException {
    SequiturProcess.signal(name, Long.parseLong(Files.readString(directory.resolve(LEDGER))));
  }

  /** Of a JVM, counted from 0. */
  Path file(int number) {
    return directory.resolve("jvm" + number + ".conf");
  }

  @Override
  public int nodes() {
    return NODE;
  }

  @Override
  public List<JsonRpcCaller> callers(int node) {
    var files = new NetworkPlan.Files(plan(), firstPort);
    return IntStream.rangeClosed(1, NodeMember.JVMS)
        .mapToObj(number -> new JsonRpcCaller("http://127.0.0.1:" + files.rpcPort(NODE, number)))
        .toList();
  }

  @Override
  public URI ledger() {
    return URI.create("http://127.0.0.1:" + firstPort);
  }
}
