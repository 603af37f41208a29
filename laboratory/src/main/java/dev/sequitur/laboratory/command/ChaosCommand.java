package dev.sequitur.laboratory.command;

import dev.sequitur.client.CredentialOptions;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.laboratory.chaos.Chaos;
import dev.sequitur.laboratory.chaos.ChaosOptions;
import dev.sequitur.node.command.CommandContext;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur chaos}. */
@Command(
    name = "chaos",
    description = {
      "Rehearses failures on nodes that run: sets faults at random, clears them, and reports.",
      "",
      "The nodes must allow it: chaos.enabled in their configuration, and, where a node asks who"
          + " calls, a role with methods = [read, chaos] and groups = [\"*\"]. Messages are dropped,"
          + " delayed, duplicated or cut off, the view of the ledger lags, transactions revert."
          + " Every fault ends by itself, whatever becomes of this command.",
      "",
      "All nodes are shown the same token or certificate.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur chaos http://127.0.0.1:8545 http://127.0.0.1:8546 --seconds 60 --seed 7"
    })
final class ChaosCommand implements Callable<Integer> {
  private static final Duration WATCH = Duration.ofSeconds(10);

  private final CommandContext context;

  @Parameters(
      paramLabel = "URL",
      arity = "1..*",
      converter = NodeAccess.NodeUrl.class,
      description = "Where the nodes' JSON-RPC listens.")
  private List<URI> nodes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      converter = Quantities.Seconds.class,
      description = "How long faults are set (default: 60), with 10 more before and after.")
  private Duration duration;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the faults: the same seed sets the same ones (default: 1).")
  private long seed;

  @Mixin private final CredentialOptions credentials = new CredentialOptions();

  ChaosCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var options = new ChaosOptions(nodes, credentials.read(), seed, duration, WATCH);
    return new Chaos(options, context.console(), context.stop()).run()
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }
}
