package dev.sequitur.laboratory.demo;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.demo.DemoOptions.Ledger;
import dev.sequitur.laboratory.demo.Driver.Work;
import dev.sequitur.laboratory.report.ReportFile;
import dev.sequitur.ledger.LedgerAudit.Keeper;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.text.Counted;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The demonstration from beginning to end. Blocks the caller; confined to one thread.
 *
 * <p>Survives kill -9: the run file says which run is under way, its operations follow from that
 * file, and each has an idempotency key. A later start submits all of them again, is given the ids
 * of those that were accepted, and waits for the rest.
 */
public final class Demo {
  private static final int INTENT_PAGE = 1000;

  private final Starter starter;
  private final Console console;
  private final StopSignal stop;

  public Demo(Starter starter, Console console, StopSignal stop) {
    this.starter = starter;
    this.console = console;
    this.stop = stop;
  }

  /**
   * @return whether the double-check holds
   * @throws WrongOption if the options do not fit the data directory
   * @throws StartFailure with a sentence for the person
   * @throws DemoFailure if it cannot go on
   * @throws DemoStopped if a person ends it before the work is done
   */
  public boolean run(DemoOptions options) {
    options.report().ifPresent(Demo::mustBeWritable);
    if (options.data().isPresent() && options.ledger() instanceof Ledger.Ethereum) {
      throw new WrongOption("A demo on a chain keeps no data: leave --data out.");
    }
    var directory = DemoDirectory.open(options.data());
    boolean keep = true;
    try {
      boolean holds = run(options, directory);
      keep = !holds;
      return holds;
    } catch (WrongOption | DemoStopped e) {
      keep = false;
      if (e instanceof DemoStopped && !directory.temporary()) {
        console.err().println("Started again on the same --data, it goes on where it was.");
      }
      throw e;
    } finally {
      if (!keep) {
        directory.release();
      } else if (directory.temporary()) {
        console.err().println("The data and the log stay in " + directory.path());
      }
    }
  }

  private boolean run(DemoOptions options, DemoDirectory directory) {
    var known = RunFile.read(directory.path());
    var run = plan(options, known);
    boolean resumed = known.filter(before -> !before.finished()).isPresent();
    announce(directory, run, resumed);
    LogFile.under(directory.path());
    NativeCode.under(directory.path());
    var chain =
        switch (options.ledger()) {
          case Ledger.Embedded ignored -> Optional.<DemoChain>empty();
          case Ledger.Ethereum(var rpc) ->
              Optional.of(DemoChain.open(rpc, options.blockTime(), directory.path(), console));
        };
    try (var network = start(options, directory, run, chain)) {
      // Only now, since only now no other process has the directory.
      run.write(directory.path());
      var summary = work(network, run, resumed, chain.map(on -> Keeper.CHAIN).orElse(Keeper.OURS));
      if (!summary.stuck()) {
        run.withFinished().write(directory.path());
      }
      summary.lines().forEach(console.out()::println);
      options
          .report()
          .ifPresent(file -> ReportFile.write(file.toAbsolutePath(), summary.report(), console));
      if (!directory.temporary()) {
        console.out().println();
        console.out().println("The data stays in " + directory.path());
      }
      console.out().flush();
      if (options.keepRunning()) {
        keepRunning(network, run);
      }
      return summary.holds();
    } finally {
      chain.ifPresent(DemoChain::close);
    }
  }

  /** The unfinished run of the directory, the next one of the directory, or the first. */
  private static RunFile plan(DemoOptions options, Optional<RunFile> known) {
    int transactions = options.transactions().orElse(DemoOptions.DEFAULT_TRANSACTIONS);
    if (known.isEmpty()) {
      return RunFile.first(
          options.nodes().orElse(DemoOptions.DEFAULT_NODES),
          options.contracts().orElse(DemoOptions.DEFAULT_CONTRACTS),
          transactions);
    }
    var before = known.get();
    mustBe("--nodes", options.nodes(), before.nodes());
    mustBe("--contracts", options.contracts(), before.contracts());
    return before.finished() ? before.next(transactions) : before;
  }

  /** Told before the work and not after it. */
  private static void mustBeWritable(Path report) {
    var directory = report.toAbsolutePath().normalize().getParent();
    if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new WrongOption(
          "The report " + report + " cannot be written: name a file in a directory that is there.");
    }
    if (Files.isDirectory(report)) {
      throw new WrongOption("The report " + report + " is a directory: name a file.");
    }
  }

  private static void mustBe(String option, OptionalInt asked, int before) {
    if (asked.isPresent() && asked.getAsInt() != before) {
      throw new WrongOption(
          "The data directory was made with "
              + option
              + " "
              + before
              + ", which stays so: leave "
              + option
              + " out, or name another directory with --data.");
    }
  }

  private void announce(DemoDirectory directory, RunFile run, boolean resumed) {
    console
        .out()
        .printf(
            "%s, %s, %s; data in %s%s%n",
            Counted.of(run.nodes(), "node"),
            Counted.of(run.workload().groups().size(), "privacy group"),
            Counted.of(run.transactions(), "transaction"),
            directory.path(),
            directory.temporary() ? ", removed at the end (--data DIR keeps it)" : "");
    if (resumed) {
      console
          .out()
          .printf(
              "Run %d was not finished: it is resumed, with its own number of transactions.%n",
              run.run());
    }
    console.out().flush();
  }

  private RunningNetwork start(
      DemoOptions options, DemoDirectory directory, RunFile run, Optional<DemoChain> chain) {
    var rules = chain.map(on -> on.rules(rules(options))).orElseGet(() -> rules(options));
    var nodes =
        IntStream.rangeClosed(1, run.nodes())
            .mapToObj(GroupPlan::nodeName)
            .map(
                name ->
                    NodeConfiguration.embedded(name, directory.node(name.value())).withRules(rules))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(options.blockTime());
    var ledger =
        chain
            .<NetworkLedger>map(DemoChain::ledger)
            .orElseGet(() -> new NetworkLedger.InProcess(directory.ledger(), blocks));
    var plan = new NetworkPlan(ledger, nodes);
    try (var progress = console.progress("Nodes", nodes.size())) {
      var up = new HashSet<String>();
      return starter.startNetwork(
          plan,
          node -> {
            up.add(node.sequencer().name().value());
            progress.update(up.size(), "");
          });
    }
  }

  private static NodeSetup.Rules rules(DemoOptions options) {
    var defaults = NodeSetup.Rules.DEFAULT;
    return defaults
        .withSelection(
            new SelectionPolicy(options.rangeSize(), defaults.selection().virtualNodes()))
        .withConfirmations(options.confirmations());
  }

  private DemoSummary work(RunningNetwork network, RunFile run, boolean resumed, Keeper keeper) {
    var workload = run.workload();
    var before = acceptedBefore(network);
    var contracts = new DemoGroups(network, console, stop).ensure(workload.groups());
    var intents = new Intents(contracts);
    var driver = new Driver(network, console, stop);
    var mints = Workload.funding(workload.groups());
    var funded =
        driver.run(
            new Work("Minting", new NodeOperations.All(mints.size(), mints::get), intents, before));
    if (funded.stuck() || funded.totals().confirmed() < mints.size()) {
      throw new DemoFailure(
          "Only %d of %d mints were confirmed: see the nodes' log. %s"
              .formatted(
                  funded.totals().confirmed(),
                  mints.size(),
                  funded
                      .totals()
                      .firstRefusal()
                      .or(() -> funded.totals().lastFailure())
                      .orElse("")));
    }
    var counters = counts(network);
    var done =
        driver.run(
            new Work(
                "Transactions",
                new NodeOperations.All(workload.transactions(), workload::operation),
                intents,
                before));
    var during = counts(network).since(counters);
    var accepted = new HashSet<>(funded.totals().accepted());
    accepted.addAll(done.totals().accepted());
    var check = new DoubleCheck(network, contracts, keeper).run(accepted);
    return DemoSummary.of(run, resumed, done, during, check);
  }

  private static Set<TransactionId> acceptedBefore(RunningNetwork network) {
    var ids = new HashSet<TransactionId>();
    for (var node : network.nodes()) {
      var pages = new IntentPages(node.sequencer().store(), INTENT_PAGE);
      pages.forEach(intent -> ids.add(intent.transaction().id()));
    }
    return ids;
  }

  private void keepRunning(RunningNetwork network, RunFile run) {
    var group = run.workload().groups().get(0);
    KeepRunning.lines(network, group).forEach(console.out()::println);
    console.out().flush();
    stop.await();
  }

  /** Of all nodes together, since their processes began. */
  private static SequencerMetrics.Counts counts(RunningNetwork network) {
    return network.nodes().stream()
        .map(node -> node.sequencer().counts())
        .reduce(SequencerMetrics.Counts.NONE, SequencerMetrics.Counts::plus);
  }
}
