package dev.sequitur.laboratory.local;

import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.NodeName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a network on this machine looks like. Ports are counted from the first: the ledger's, the
 * database server's, then three for each JVM.
 *
 * @param directory of everything
 * @param database a server that is there already; its schemas are named like the nodes. Nodes of
 *     one JVM use it, too, and have none without it
 * @param settings of every JVM, by their path in its configuration, beside those that follow from
 *     its place in the network
 * @param mostStart how long one process may take until it serves
 */
public record ClusterPlan(
    int nodes,
    int jvmsPerNode,
    Path directory,
    int firstPort,
    Duration blockTime,
    Optional<PostgresSettings> database,
    Map<String, String> settings,
    Duration mostStart) {
  private static final int EACH = 3;
  private static final int BEFORE = 2;

  public ClusterPlan {
    settings = Map.copyOf(settings);
  }

  int ledgerPort() {
    return firstPort;
  }

  int databasePort() {
    return firstPort + 1;
  }

  /** Where the ledger serves. */
  public URI ledger() {
    return URI.create("http://127.0.0.1:" + ledgerPort());
  }

  /** Where a JVM answers JSON-RPC. */
  public URI rpc(Jvm jvm) {
    return URI.create("http://127.0.0.1:" + rpcPort(jvm));
  }

  List<NodeName> names() {
    return IntStream.rangeClosed(1, nodes).mapToObj(i -> new NodeName("node" + i)).toList();
  }

  boolean needsDatabase() {
    return jvmsPerNode > 1 || database.isPresent();
  }

  /** All JVMs of all nodes. */
  public List<Jvm> jvms() {
    return IntStream.range(0, nodes * jvmsPerNode)
        .mapToObj(i -> new Jvm(i / jvmsPerNode + 1, i % jvmsPerNode + 1))
        .toList();
  }

  public List<Jvm> jvmsOf(int node) {
    return jvms().stream().filter(jvm -> jvm.node() == node).toList();
  }

  int rpcPort(Jvm jvm) {
    return port(jvm, 0);
  }

  int transportPort(Jvm jvm) {
    return port(jvm, 1);
  }

  int remotingPort(Jvm jvm) {
    return port(jvm, 2);
  }

  /** It takes all from the first to this one. */
  public int lastPort() {
    return firstPort + BEFORE + nodes * jvmsPerNode * EACH - 1;
  }

  private int port(Jvm jvm, int which) {
    int before = (jvm.node() - 1) * jvmsPerNode + jvm.number() - 1;
    return firstPort + BEFORE + before * EACH + which;
  }

  /**
   * One process of a node.
   *
   * @param node from 1
   * @param number within the node, from 1
   */
  public record Jvm(int node, int number) {
    public String nodeName() {
      return "node" + node;
    }

    /** Of its configuration, its data directory and its output. */
    public String fileName() {
      return nodeName() + "-" + number;
    }
  }
}
