package dev.sequitur.laboratory.command;

import dev.sequitur.console.Values;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a command that starts a network of processes is told of it. */
final class NetworkOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      converter = Quantities.Nodes.class,
      description = "How many nodes there are, 1 to 32 (default: 4).")
  private int nodes;

  @Option(
      names = "--jvms-per-node",
      paramLabel = "N",
      converter = Quantities.Jvms.class,
      description =
          "How many JVMs each has, 1 to 8 (default: ${DEFAULT-VALUE}); more than one need"
              + " PostgreSQL.")
  private int jvmsPerNode;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "18500",
      converter = Values.Port.class,
      description = "The first of the ports that it takes, one after another (default: 18500).")
  private int port;

  @Option(
      names = "--start-timeout",
      paramLabel = "TIME",
      defaultValue = "3m",
      converter = Values.Time.class,
      description =
          "How long each process may take until it serves, such as 5m on a busy machine (default:"
              + " 3m).")
  private Duration startTimeout;

  @Option(names = "--chaos", description = "Let ./sequitur chaos set faults on the nodes.")
  private boolean chaos;

  /**
   * @param jvmsPerNode unless the person says otherwise
   */
  NetworkOptions(int jvmsPerNode) {
    this.jvmsPerNode = jvmsPerNode;
  }

  int nodes() {
    return nodes;
  }

  int jvmsPerNode() {
    return jvmsPerNode;
  }

  /** The first of its ports. */
  int port() {
    return port;
  }

  /** For each process. */
  Duration startTimeout() {
    return startTimeout;
  }

  /** What every JVM's configuration has beside the usual, by path. */
  Map<String, String> settings() {
    return chaos ? Map.of("chaos.enabled", "true") : Map.of();
  }
}
