package dev.sequitur.node.command;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.console.Values;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.NativeCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur ledger}. */
@Command(
    name = "ledger",
    description = {
      "Runs the embedded base ledger as a process of its own, for nodes in several processes,"
          + " until Ctrl-C or SIGTERM.",
      "",
      "An option wins over the configuration.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur ledger --data ledger-data --block-time 1s",
      "  sequitur ledger --config examples/two-nodes/ledger.conf"
    })
final class LedgerCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The ledger's configuration, in HOCON.")
  private Path config;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The interface that nodes reach it on (default: 127.0.0.1).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = Values.Port.class,
      description = "The port that nodes reach it on; 0 takes a free one (default: 8600).")
  private Integer port;

  @Option(
      names = "--block-time",
      paramLabel = "TIME",
      converter = Values.Time.class,
      description = "Between two blocks, such as 500ms or 2s (default: 1s).")
  private Duration blockTime;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the blocks are kept; needed here or in the configuration.")
  private Path data;

  LedgerCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var options = ConfigFactory.parseMap(options(), "the command line");
    var configuration = LedgerConfiguration.read(Optional.ofNullable(config), options);
    LogFile.under(configuration.directory(), "ledger", configuration.logging());
    NativeCode.under(configuration.directory());
    var out = context.console().out();
    try (var ledger =
        context
            .stop()
            .whileStarting(
                "The ledger was stopped before it was up.",
                () -> context.starter().startLedger(configuration))) {
      out.println("The ledger is up; its blocks and log are in " + configuration.directory());
      out.println("  nodes reach it at " + ledger.address());
      out.println("  a block each      " + configuration.blocks().blockTime().toMillis() + " ms");
      out.flush();
      context.stop().await();
    }
    out.println("The ledger is stopped.");
    out.flush();
    return ExitCode.OK;
  }

  private Map<String, Object> options() {
    var options = new HashMap<String, Object>();
    put(options, "ledger.host", host);
    put(options, "ledger.port", port);
    put(options, "ledger.block-time", blockTime == null ? null : blockTime.toMillis() + "ms");
    // Paths of a command line start where the person is, those of a file where the file is.
    put(options, "ledger.data-directory", data == null ? null : data.toAbsolutePath().toString());
    return options;
  }

  private static void put(Map<String, Object> options, String key, Object value) {
    if (value != null) {
      options.put(key, value);
    }
  }
}
