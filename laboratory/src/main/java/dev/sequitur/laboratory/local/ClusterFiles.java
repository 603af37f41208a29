package dev.sequitur.laboratory.local;

import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.ledger.remote.LedgerServerSettings.Limits;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The configurations and certificates of a network on this machine, as a person would write them.
 */
record ClusterFiles(ClusterPlan plan) {
  private static final Duration A_YEAR = Duration.ofDays(365);
  private static final Duration CLOCKS = Duration.ofMinutes(5);

  /** Made once: a network that is started again keeps them. */
  void certificates() throws IOException {
    var directory = plan.directory().resolve("certificates");
    if (!Files.exists(directory)) {
      var now = Instant.now();
      Certificates.writeNetwork(
          directory, plan.names(), new Validity(now.minus(CLOCKS), now.plus(A_YEAR)));
    }
  }

  Path ledger() throws IOException {
    return write(
        "ledger",
        Map.of(
            "ledger.data-directory",
            "ledger",
            "ledger.port",
            plan.ledgerPort(),
            // All come from one address here.
            "ledger.limits.connections-per-address",
            Limits.DEFAULT.connections(),
            "ledger.block-time",
            plan.blockTime().toMillis() + "ms",
            "ledger.rehearsals",
            "true".equals(plan.settings().get("chaos.enabled"))));
  }

  /**
   * @param database where the schema of the node is; unused if the plan needs none
   */
  Path jvm(Jvm jvm, PostgresSettings database) throws IOException {
    var values = new HashMap<String, Object>(plan.settings());
    values.put("node.name", jvm.nodeName());
    values.put("node.data-directory", jvm.fileName());
    // It would give up by itself before the person's time is over.
    values.put("node.start-timeout", plan.mostStart().toMillis() + "ms");
    values.put("rpc.port", plan.rpcPort(jvm));
    values.put("transport.enabled", true);
    values.put("transport.port", plan.transportPort(jvm));
    tls("transport.tls.", jvm, values);
    values.put("transport.peers", peers(jvm));
    values.put("ledger.mode", "remote");
    values.put("ledger.remote.port", plan.ledgerPort());
    if (plan.needsDatabase()) {
      values.put("node.key-directory", jvm.nodeName() + "-keys");
      values.put("cluster.enabled", true);
      values.put("cluster.port", plan.remotingPort(jvm));
      values.put(
          "cluster.seed-nodes",
          plan.jvmsOf(jvm.node()).stream().map(j -> "127.0.0.1:" + plan.remotingPort(j)).toList());
      // No load balancer watches, and whoever stops all of them waits.
      values.put("cluster.drain.notice", "500ms");
      values.put("cluster.drain.at-most", "3s");
      tls("cluster.tls.", jvm, values);
      values.put("postgresql.url", database.url());
      values.put("postgresql.user", database.user());
      values.put("postgresql.password", database.password());
      values.put("postgresql.schema", jvm.nodeName());
    }
    return write(jvm.fileName(), values);
  }

  private static void tls(String section, Jvm jvm, Map<String, Object> values) {
    values.put(section + "certificate", "certificates/" + jvm.nodeName() + ".pem");
    values.put(section + "private-key", "certificates/" + jvm.nodeName() + ".key.pem");
    values.put(section + "authority", "certificates/authority.pem");
  }

  private Map<String, Object> peers(Jvm self) {
    Map<Integer, List<Jvm>> others =
        plan.jvms().stream()
            .filter(jvm -> jvm.node() != self.node())
            .collect(Collectors.groupingBy(Jvm::node));
    var peers = new HashMap<String, Object>();
    others.forEach(
        (node, jvms) ->
            peers.put(
                "node" + node,
                jvms.stream()
                    .map(jvm -> "127.0.0.1:" + plan.transportPort(jvm))
                    .collect(Collectors.joining(", "))));
    return peers;
  }

  private Path write(String name, Map<String, Object> values) throws IOException {
    return PrivateFile.configuration(plan.directory().resolve(name + ".conf"), values);
  }
}
