package dev.sequitur.laboratory.command;

import dev.sequitur.laboratory.soak.Soak;
import dev.sequitur.laboratory.soak.SoakOptions;
import dev.sequitur.node.command.CommandContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur soak}. */
@Command(
    name = "soak",
    description = {
      "Runs a network of processes under a steady load, kills one of its JVMs again and again, and"
          + " accounts for every transaction.",
      "",
      "The ledger is never killed. The report is told from its blocks; the exit code is 0 only if"
          + " every transaction completed exactly once.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur soak --minutes 20 --report soak.json",
      "  sequitur soak --minutes 5 --nodes 2 --jvms-per-node 2 --kill-every 60"
    })
final class SoakCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      required = true,
      converter = Quantities.Minutes.class,
      description = "How long transactions are sent, 1 to 10080.")
  private Duration load;

  @Mixin private NetworkOptions network = new NetworkOptions(1);

  @Option(
      names = "--kill-every",
      paramLabel = "SECONDS",
      defaultValue = "30",
      converter = Quantities.Seconds.class,
      description = "Between two kills (default: 30).")
  private Duration killEvery;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20",
      converter = Quantities.Rate.class,
      description = "Transactions a second over all nodes, 1 to 1000 (default: 20).")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the transactions and of which JVM is killed (default: 1).")
  private long seed;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "An empty directory where everything is kept. Without it a temporary one, removed if all"
              + " went well.")
  private Path data;

  @Option(names = "--report", paramLabel = "FILE", description = "Also write the report as JSON.")
  private Path report;

  SoakCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var options =
        new SoakOptions(
            network.nodes(),
            network.jvmsPerNode(),
            load,
            killEvery,
            seed,
            rate,
            Optional.ofNullable(data).map(directory -> directory.toAbsolutePath().normalize()),
            network.port(),
            Optional.ofNullable(report).map(Path::toAbsolutePath),
            network.settings(),
            network.startTimeout());
    return new Soak(context.console(), context.stop()).run(options)
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }
}
