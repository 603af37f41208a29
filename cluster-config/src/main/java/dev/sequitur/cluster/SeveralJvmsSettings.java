package dev.sequitur.cluster;

import dev.sequitur.cluster.tls.RemotingTls;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

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
   * Where Akka remoting listens.
   *
   * @param host a name or address by which the other JVMs know this one; a seed node is spelled
   *     alike
   * @param bindHost the interface to listen on
   * @param tls empty only on loopback, for tests and benchmarks: whoever connects is then believed
   */
  public record Remoting(String host, int port, String bindHost, Optional<Tls> tls) {
    private static final Pattern LOOPBACK =
        Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|::1|\\[::1]");

    public Remoting {
      if (tls.isEmpty() && !(isLoopback(host) && isLoopback(bindHost))) {
        throw new InvalidConfigurationException(
            "The JVMs of a node trust whoever reaches %s:%d: give it certificates (cluster.tls)."
                .formatted(bindHost, port));
      }
      if (port < 1 || port > 65_535) {
        throw new InvalidConfigurationException(
            "The other JVMs of a node must know its port: choose 1 to 65535, not " + port + ".");
      }
    }

    /** Over mutual TLS. */
    public Remoting(String host, int port, String bindHost, Tls tls) {
      this(host, port, bindHost, Optional.of(tls));
    }

    /** Without TLS, on this machine. */
    public static Remoting onLoopback(int port) {
      return new Remoting("127.0.0.1", port, "127.0.0.1", Optional.empty());
    }

    private static boolean isLoopback(String host) {
      return LOOPBACK.matcher(host).matches();
    }
  }

  /**
   * Who is let in.
   *
   * @param node for which the certificate of each of its JVMs speaks
   * @param files of this JVM
   */
  public record Tls(NodeName node, TlsFiles files) {}

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
    // Here and not in the profile, so that no setting of Akka's takes it away.
    config.put("akka.actor.provider", "cluster");
    config.put(artery + "untrusted-mode", true);
    config.put(artery + "transport", remoting.tls().isPresent() ? "tls-tcp" : "tcp");
    config.put(artery + "ssl.ssl-engine-provider", RemotingTls.class.getName());
    remoting
        .tls()
        .ifPresent(
            tls -> {
              var section = "sequitur.remoting-tls.";
              config.put(section + "node", tls.node().value());
              config.put(section + "private-key", absolute(tls.files().privateKey()));
              config.put(section + "certificate", absolute(tls.files().certificate()));
              config.put(section + "authority", absolute(tls.files().trust()));
            });
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

  private static String absolute(Path file) {
    return file.toAbsolutePath().toString();
  }
}
