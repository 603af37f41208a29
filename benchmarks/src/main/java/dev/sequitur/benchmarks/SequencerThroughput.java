package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.console.Console;
import dev.sequitur.laboratory.demo.DemoChain;
import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.node.process.LogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * The whole system under load: the nodes of a network in one process over the embedded ledger, real
 * signatures, stores that are fsynced, default range and block time. See {@code
 * docs/performance.md}.
 */
@Command(
    name = "run",
    description = "Measures sustained private transactions a second and what each costs.")
public final class SequencerThroughput implements Callable<Integer> {
  private static final Duration SIGNATURES = Duration.ofSeconds(4);
  private static final Duration BLOCK_TIME = Duration.ofSeconds(1);
  private static final long MEBIBYTE = 1 << 20;

  @Option(names = "--seconds", defaultValue = "30", description = "Measured.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "20", description = "Seconds before that.")
  private int warmUp;

  @Option(names = "--outstanding", defaultValue = "750", description = "At most, on each node.")
  private int outstanding;

  @Option(names = "--contracts", defaultValue = "1", description = "That share the load.")
  private int contracts;

  @Option(
      names = "--members",
      defaultValue = "4",
      description = "Of each group, all of whom endorse; each has a node.")
  private int members;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "Submitted each second over all nodes; 0: as much as is confirmed.")
  private double rate;

  @Option(names = "--hot", description = "All change one record: each spends the state before it.")
  private boolean hot;

  @Option(names = "--half-load", description = "Afterwards, measure latency at half that rate.")
  private boolean halfLoad;

  @Option(
      names = "--idle-contracts",
      defaultValue = "0",
      description = "Instead, make so many contracts and measure what they cost while idle.")
  private int idleContracts;

  @Option(
      names = "--coins",
      defaultValue = "1",
      description = "That each payment spends, and as many that it makes.")
  private int coins;

  @Option(
      names = "--ledger",
      defaultValue = "embedded",
      description = "embedded, or ethereum: a chain that anvil keeps, a block a second.")
  private Ledger ledger;

  @Option(
      names = "--batch",
      defaultValue = "64",
      description =
          "On a chain: assembled and endorsed together, and carried by one of its transactions.")
  private int batch;

  @Option(
      names = "--traced",
      defaultValue = "0",
      description =
          "The share of transactions whose spans are told to a collector in this process that"
              + " looks at nothing; 0: no spans are made. Of the embedded ledger.")
  private double traced;

  @Option(
      names = "--data",
      showDefaultValue = Visibility.NEVER,
      description = "New directory for the stores; else a temporary one.")
  private Optional<Path> data = Optional.empty();

  /** The values of {@code --ledger}. */
  private enum Ledger {
    EMBEDDED,
    ETHEREUM
  }

  @Override
  public Integer call() throws IOException {
    var directory =
        data.isPresent()
            ? Files.createDirectories(data.get())
            : Files.createTempDirectory("sequitur-benchmark-");
    LogFile.under(directory);
    print(
        "%s, heap at most %,d MiB, load average %.1f%ndata in %s",
        Resources.machine(),
        Runtime.getRuntime().maxMemory() / MEBIBYTE,
        Resources.loadAverage(),
        directory);
    if (ledger == Ledger.EMBEDDED) {
      try (var collector = new Collector();
          var network =
              BenchmarkNetwork.start(
                  directory,
                  members,
                  traced > 0 ? collector.taking(traced) : TracingSettings.OFF)) {
        measure(network);
        print("  requests with spans      %d", collector.requests());
      }
    } else {
      try (var chain = DemoChain.open(Optional.empty(), BLOCK_TIME, directory, Console.system());
          var network = BenchmarkNetwork.start(directory, members, chain, batch)) {
        measure(network);
      }
    }
    return 0;
  }

  private void measure(BenchmarkNetwork network) {
    if (idleContracts > 0) {
      IdleContracts.measure(network, idleContracts);
    } else {
      measureLoad(network);
    }
  }

  private void measureLoad(BenchmarkNetwork network) {
    var keys = network.nodes().get(0).keys();
    // Once unmeasured, to warm up.
    SignatureCost.measure(keys, SIGNATURES.dividedBy(4));
    var signatures = SignatureCost.measure(keys, SIGNATURES);
    print(
        "%nsignatures alone           %,.0f/s for 4 members one by one, on all processors;"
            + " %.2f ms of processor time",
        signatures.perSecond(), signatures.cpuMillis());

    var groups = network.createGroups(hot ? "record" : "token", contracts);
    var load = new Load(network, groups, outstanding);
    if (!hot) {
      load.fund(coins);
    }
    Load.Kind kind =
        hot ? NodeWorkload::increments : (all, owner) -> NodeWorkload.payments(all, owner, coins);
    var window = Duration.ofSeconds(seconds);
    var wanted = rate > 0 ? rate : Double.POSITIVE_INFINITY;
    var measured = load.measure(kind, wanted, Duration.ofSeconds(warmUp), window);
    double half = measured.rate() / 2; // now, since what is still to come counts too
    print(
        "%n%s, at most %d outstanding on each of %d nodes, %d contracts",
        rate > 0 ? "%.0f/s submitted".formatted(rate) : "full load",
        outstanding,
        members,
        contracts);
    report(measured);
    network.gas().ifPresent(gas -> print("  gas                      %s", gas));
    print(
        "  beside signatures alone  %.1f times the throughput, %.1f times the processor time",
        measured.rate() / signatures.perSecond(), measured.cpuMillis() / signatures.cpuMillis());
    load.drain();
    if (halfLoad) {
      var later = load.measure(kind, half, Duration.ofSeconds(Math.max(5, warmUp / 2)), window);
      print("%nhalf load, %.0f/s submitted", half);
      report(later);
      load.drain();
    }
  }

  private static void report(Load.Measured measured) {
    var totals = measured.totals();
    var used = measured.used();
    double done = Math.max(1, totals.confirmed());
    print("  confirmed                %,d in %.1f s", totals.confirmed(), used.seconds());
    print("  throughput               %,.0f/s", measured.rate());
    print(
        "  latency p50 / p95 / p99  %,.0f / %,.0f / %,.0f ms",
        totals.latencies().millis(50),
        totals.latencies().millis(95),
        totals.latencies().millis(99));
    print("  messages                 %.2f a transaction", measured.messages() / done);
    print(
        "  processor time           %.2f ms a transaction, %.2f processors busy",
        measured.cpuMillis(), used.cpuSeconds() / used.seconds());
    print(
        "  garbage collection       %d, %.1f %% of the time",
        used.collections(), used.collectionMillis() / used.seconds() / 10);
    print(
        "  reverted, re-assemblies  %d, %.0f%s",
        totals.reverted(),
        measured.reassemblies(),
        totals.firstRevert().map(failure -> " (" + failure + ")").orElse(""));
    print("  load average             %.1f", Resources.loadAverage());
  }
}
