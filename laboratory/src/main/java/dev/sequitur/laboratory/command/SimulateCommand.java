package dev.sequitur.laboratory.command;

import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.simulate.SeedSeries;
import dev.sequitur.laboratory.simulate.Simulate;
import dev.sequitur.node.command.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur simulate}. */
@Command(
    name = "simulate",
    description = {
      "Runs whole networks of the rules on a virtual clock, lets everything go wrong that can, and"
          + " checks that nothing is lost, doubled or left over.",
      "",
      "One seed is one network and one exact replay. The exit code is 1 if a network fails; the"
          + " seed is printed, and how to see what happened. docs/simulation.md says what goes"
          + " wrong and what must hold.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur simulate --seeds 1000",
      "  sequitur simulate --seeds 1000 --seed 5001 --nodes 7",
      "  sequitur simulate --seeds 20 --nodes 30",
      "  sequitur simulate --seeds 100 --jvms 3",
      "  sequitur simulate --seed 42 --trace"
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long DEFAULT_SEEDS = 1_000;

  private final CommandContext context;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      converter = Quantities.Seeds.class,
      description = "How many networks (default: 1000, or 1 with --seed).")
  private Long seeds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Quantities.Seeds.class,
      description = "The first seed, and without --seeds the only one (default: 1).")
  private Long seed;

  @Option(names = "--trace", description = "Print all that happens; only for one seed.")
  private boolean trace;

  @Option(
      names = "--nodes",
      paramLabel = "N[..M]",
      defaultValue = "3..7",
      converter = Quantities.NetworkSizes.class,
      description = "How many nodes a network has, 3 to 30 (default: 3..7).")
  private SeedSeries.Sizes nodes;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      defaultValue = "50",
      converter = Quantities.RunTransactions.class,
      description = "How many transactions compete in a network (default: 50).")
  private int transactions;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      defaultValue = "1",
      converter = Quantities.JvmsOfANode.class,
      description =
          "The most JVMs that a node has, 1 to 3 (default: 1). They join, move what they have, die"
              + " and are left out.")
  private int jvms;

  @Option(
      names = "--changes",
      description =
          "Committees change meanwhile, up to four times in each network: members get other keys, are"
              + " removed and come back; thresholds change.")
  private boolean changes;

  @Option(
      names = "--restores",
      description =
          "Nodes are set back to older copies of their records meanwhile; there are neither"
              + " schedules nor messages then.")
  private boolean restores;

  SimulateCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    long many = seeds != null ? seeds : seed != null ? 1 : DEFAULT_SEEDS;
    if (trace && many > 1) {
      throw new WrongOption("--trace is for one network: name its seed with --seed N.");
    }
    var series =
        new SeedSeries(seed == null ? 1 : seed, many, transactions, nodes, jvms, changes, restores);
    boolean held = new Simulate(context.console(), context.stop()).run(series, trace);
    return held ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
