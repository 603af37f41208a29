package dev.sequitur.node.command;

import dev.sequitur.node.configuration.NodeConfiguration;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option of the commands that need the configuration of a node of this machine. */
final class ConfigurationOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The node's configuration, in HOCON.")
  private Path file;

  Path file() {
    return file;
  }

  NodeConfiguration read() {
    return NodeConfiguration.read(file);
  }
}
