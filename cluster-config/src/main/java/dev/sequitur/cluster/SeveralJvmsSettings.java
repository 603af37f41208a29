package dev.sequitur.cluster;

import dev.sequitur.cluster.postgres.PostgresSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What tells one JVM of a node from another, and one such node from another.
 *
 * @param nodeName also the name to give its actor system, the same in each JVM: letters, digits,
 *     '-' and '_', the first a letter or digit
 * @param remoting where the other JVMs of the node reach this one
 * @param seedNodes {@code host:port} of the JVMs to join; the first of them may be this one, which
 *     then begins the cluster if nobody else is there
 * @param database what the JVMs share
 */
public record SeveralJvmsSettings(
    String nodeName, Remoting remoting, List<String> seedNodes, PostgresSettings database) {

  /**
   * Akka remoting over mutual TLS; the files are PEM.
   *
   * @param host a name or address by which the other JVMs know this one; a seed node is spelled
   *     alike
   * @param bindHost the interface to listen on
   * @param certificate shares a name with those of the node's other JVMs
   * @param privateKey PKCS#8
   * @param authority who has signed the certificates
   */
  public record Remoting(
      String host, int port, String bindHost, Path certificate, Path privateKey, Path authority) {
    public Remoting {
      if (port < 1 || port > 65_535) {
        throw new InvalidConfigurationException(
            "The other JVMs of a node must know its port: choose 1 to 65535, not " + port + ".");
      }
    }
  }

  /** Refuses what could not start. */
  public SeveralJvmsSettings {
    seedNodes = List.copyOf(seedNodes);
    SingleJvmSettings.requireValid(nodeName);
    if (seedNodes.isEmpty()) {
      throw new InvalidConfigurationException(
          "Node %s has no seed nodes: name at least the first of its JVMs, as host:port."
              .formatted(nodeName));
    }
  }

  Map<String, Object> toConfig() {
    var config = new HashMap<String, Object>();
    var artery = "akka.remote.artery.";
    config.put("sequitur.node-name", nodeName);
    config.put(artery + "canonical.hostname", remoting.host());
    config.put(artery + "canonical.port", remoting.port());
    config.put(artery + "bind.hostname", remoting.bindHost());
    config.put(artery + "bind.port", remoting.port());
    var tls = "sequitur.remoting-tls.";
    config.put(tls + "private-key", remoting.privateKey().toAbsolutePath().toString());
    config.put(tls + "certificate", remoting.certificate().toAbsolutePath().toString());
    config.put(tls + "authority", remoting.authority().toAbsolutePath().toString());
    config.put(
        "sequitur.seed-nodes",
        seedNodes.stream().map(seed -> "akka://" + nodeName + "@" + seed).toList());
    var postgresql = "sequitur.persistence.postgresql.";
    config.put(postgresql + "url", database.url());
    config.put(postgresql + "user", database.user());
    config.put(postgresql + "password", database.password());
    config.put(postgresql + "schema", database.schema());
    return config;
  }
}
