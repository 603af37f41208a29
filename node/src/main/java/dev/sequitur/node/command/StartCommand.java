package dev.sequitur.node.command;

import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.LogFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur start}. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    versionProvider = SequiturCommand.Version.class,
    description = {
      "Runs one process of a node until Ctrl-C or SIGTERM.",
      "",
      "The configuration names at least the node and its data directory; docs/configuration.md"
          + " lists every key with its default.",
      ""
    },
    footer = {"", "Example:", "  sequitur start --config examples/two-nodes/node1.conf"})
final class StartCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The node's configuration, in HOCON.")
  private Path config;

  StartCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var configuration = NodeConfiguration.read(config);
    LogFile.under(configuration.directory());
    var out = context.console().out();
    try (var node = context.starter().startNode(configuration)) {
      out.println(
          "Node "
              + configuration.name()
              + " is up; its data and log are in "
              + configuration.directory());
      out.println("  JSON-RPC        " + node.url());
      out.println("  health, metrics " + node.url() + "/health, " + node.url() + "/metrics");
      node.transport().ifPresent(address -> out.println("  other nodes     " + address));
      out.flush();
      context.stop().await();
    }
    out.println("Node " + configuration.name() + " is stopped.");
    out.flush();
    return ExitCode.OK;
  }
}
