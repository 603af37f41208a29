package dev.sequitur.laboratory.command;

import dev.sequitur.console.Values;
import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.demo.Demo;
import dev.sequitur.laboratory.demo.DemoOptions;
import dev.sequitur.laboratory.demo.DemoOptions.Ledger;
import dev.sequitur.laboratory.demo.schedule.ScheduleDemo;
import dev.sequitur.node.command.ChainAddress;
import dev.sequitur.node.command.CommandContext;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur demo}. */
@Command(
    name = "demo",
    description = {
      "Shows what Sequitur does, in one process and about half a minute.",
      "",
      "Starts several nodes over an embedded ledger, makes privacy groups of one member on each,"
          + " lets all of them compete for the same private states, and ends with a summary and a"
          + " double-check told from the ledger's blocks. The exit code is 0 only if that holds.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur demo",
      "  sequitur demo --transactions 50000 --range-size 5 --report summary.json",
      "  sequitur demo --data demo-data --keep-running",
      "  sequitur demo --ledger ethereum",
      "  sequitur demo --schedules",
      "",
      "Killed in the middle, a demo with --data goes on where it was when it is started again."
    })
final class DemoCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      converter = Quantities.Transactions.class,
      description =
          "How many transactions compete (default: " + DemoOptions.DEFAULT_TRANSACTIONS + ").")
  private Integer transactions;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = Quantities.Nodes.class,
      description =
          "How many nodes there are, 1 to 32 (default: " + DemoOptions.DEFAULT_NODES + ").")
  private Integer nodes;

  @Option(
      names = "--contracts",
      paramLabel = "N",
      converter = Quantities.Contracts.class,
      description =
          "How many privacy groups there are, tokens and records in turn and at least one of each"
              + " (default: "
              + DemoOptions.DEFAULT_CONTRACTS
              + ").")
  private Integer contracts;

  @Option(
      names = "--block-time",
      paramLabel = "TIME",
      defaultValue = "500ms",
      converter = Values.Time.class,
      description = "Between two blocks of the ledger, such as 500ms or 2s (default: 500ms).")
  private Duration blockTime;

  @Option(
      names = "--range-size",
      paramLabel = "BLOCKS",
      defaultValue = "10",
      converter = Quantities.RangeSize.class,
      description =
          "Blocks after which the coordinator is chosen anew (default: 10; a node's own default is"
              + " 100, which half a minute would not show).")
  private long rangeSize;

  @Option(
      names = "--confirmations",
      paramLabel = "BLOCKS",
      defaultValue = "0",
      converter = Quantities.Confirmations.class,
      description =
          "Blocks upon a block until it counts as final, which a chain may replace until then"
              + " (default: 0).")
  private int confirmations;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Where the nodes keep their data, to be started again on it. Without it they use a"
              + " temporary directory that is removed at the end.")
  private Path data;

  @Option(names = "--report", paramLabel = "FILE", description = "Also write the summary as JSON.")
  private Path report;

  @Option(
      names = "--ledger",
      paramLabel = "KIND",
      defaultValue = "embedded",
      description =
          "embedded: a ledger in this process. ethereum: a chain, which --rpc names, or which is"
              + " started with anvil if that is installed (default: embedded).")
  private LedgerKind ledger;

  @Option(
      names = ChainAddress.RPC,
      paramLabel = "URL",
      converter = ChainAddress.class,
      description =
          "With --ledger ethereum: the JSON-RPC of a chain that runs and takes gas for free.")
  private URI rpc;

  @Option(
      names = "--schedules",
      description =
          "Tell one story of each family of scheduled transactions instead, in about a minute; one"
              + " of them runs in a process of its own that is killed in the middle. Takes --data"
              + " and --keep-running, and no other option.")
  private boolean schedules;

  @Option(
      names = "--keep-running",
      description =
          "Afterwards keep the nodes up until Ctrl-C, and print where their JSON-RPC listens.")
  private boolean keepRunning;

  /** The values of {@code --ledger}. */
  enum LedgerKind {
    EMBEDDED,
    ETHEREUM
  }

  DemoCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (schedules) {
      return showSchedules();
    }
    var options =
        new DemoOptions(
            optional(transactions),
            optional(nodes),
            optional(contracts),
            blockTime,
            rangeSize,
            confirmations,
            Optional.ofNullable(data),
            Optional.ofNullable(report),
            keepRunning,
            ledger());
    var demo = new Demo(context.starter(), context.console(), context.stop());
    return demo.run(options) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Ledger ledger() {
    if (ledger == LedgerKind.EMBEDDED && rpc != null) {
      throw new WrongOption("--rpc names a chain: add --ledger ethereum, or leave it out.");
    }
    return ledger == LedgerKind.EMBEDDED
        ? new Ledger.Embedded()
        : new Ledger.Ethereum(Optional.ofNullable(rpc));
  }

  private int showSchedules() {
    if (transactions != null
        || nodes != null
        || contracts != null
        || report != null
        || ledger != LedgerKind.EMBEDDED
        || rpc != null) {
      throw new WrongOption(
          "--schedules has stories of its own: leave all but --data and --keep-running out.");
    }
    var demo = new ScheduleDemo(context.starter(), context.console(), context.stop());
    return demo.run(Optional.ofNullable(data), keepRunning) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static OptionalInt optional(Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
