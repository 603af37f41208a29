package dev.sequitur.benchmarks;

import dev.sequitur.benchmarks.cluster.ClusterCost;
import dev.sequitur.benchmarks.cluster.GasMoneyWork;
import dev.sequitur.benchmarks.cluster.IndexerWork;
import dev.sequitur.benchmarks.hapi.HapiRate;
import dev.sequitur.benchmarks.schedules.MultiSignatureRate;
import dev.sequitur.benchmarks.schedules.QueueEngine;
import dev.sequitur.benchmarks.schedules.QueueMove;
import dev.sequitur.benchmarks.schedules.QueueRecovery;
import dev.sequitur.benchmarks.schedules.ScheduleLoad;
import dev.sequitur.benchmarks.schedules.SustainedBlocks;
import dev.sequitur.benchmarks.schedules.WebhookLoad;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** What {@code benchmarks/run} runs, each by its name. */
@Command(
    name = "benchmarks/run",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    subcommands = {
      SequencerThroughput.class,
      LinkLoad.class,
      RpcTurns.class,
      QueryLatency.class,
      BackupCost.class,
      DistantStore.class,
      ClusterCost.class,
      IndexerWork.class,
      GasMoneyWork.class,
      ScheduleLoad.class,
      QueueEngine.class,
      QueueRecovery.class,
      QueueMove.class,
      SustainedBlocks.class,
      MultiSignatureRate.class,
      HapiRate.class,
      WebhookLoad.class
    })
public final class Benchmarks {
  private Benchmarks() {}

  public static void main(String[] arguments) {
    var line = new CommandLine(new Benchmarks()).setCaseInsensitiveEnumValuesAllowed(true);
    System.exit(line.execute(arguments));
  }

  /** A line of a result. */
  public static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
