package dev.sequitur.node.command;

import picocli.CommandLine.Option;

/** What a command that starts a network of processes is told of it. */
final class NetworkOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      converter = Values.Nodes.class,
      description = "How many nodes there are, 1 to 32 (default: 4).")
  private int nodes;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "18500",
      converter = Values.Port.class,
      description = "The first of the ports that it takes, one after another (default: 18500).")
  private int port;

  int nodes() {
    return nodes;
  }

  /** The first of its ports. */
  int port() {
    return port;
  }
}
