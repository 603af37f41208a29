package dev.sequitur.node.command;

import dev.sequitur.console.Release;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.StartFailure.LeftOut;
import dev.sequitur.node.process.SupervisedProcess;
import dev.sequitur.protocol.id.Hash;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur start}. */
@Command(
    name = "start",
    description = {
      "Runs one process of a node until Ctrl-C or SIGTERM.",
      "",
      "The configuration names at least the node and its data directory; docs/configuration.md"
          + " lists every key with its default.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  sequitur start --config examples/two-nodes/node1.conf",
      "",
      "The exit code is 3 if the process ended although nobody had asked it to: the other JVMs of its"
          + " node have left it out. Start it again."
    })
final class StartCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private ConfigurationOption config;

  @Option(
      names = "--begin-empty",
      description = {
        "Start although the node has no records and the base ledger knows its keys: of a restored"
            + " node that has lost them for good."
      })
  private boolean beginEmpty;

  @Option(
      names = "--begin-older",
      description = {
        "Start although the base ledger has transactions of this node that its records do not have:"
            + " of a node of which there is no newer copy."
      })
  private boolean beginOlder;

  @Option(
      names = "--reindex",
      paramLabel = "BLOCK",
      description = {
        "Read the base ledger again from where it has parted from what the node has read, correct"
            + " receipts and rebuild groups: after a reorganisation below what counted as final."
            + " BLOCK is the hash of the block that the node has read last, as its log says; if it"
            + " has read another one last, nothing is done. All JVMs of the node must be stopped"
            + " before."
      })
  private String reindex;

  StartCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var configuration =
        config
            .read()
            .withMayBeginEmpty(beginEmpty)
            .withMayBeginOlder(beginOlder)
            .withReindex(Optional.ofNullable(reindex).map(StartCommand::block));
    logAs(configuration);
    LoggerFactory.getLogger(StartCommand.class)
        .info(
            "Sequitur {} on Java {} starts node {} by {}: data in {}, base ledger {}",
            Release.name(),
            Runtime.version(),
            configuration.name(),
            config.file().toAbsolutePath(),
            configuration.directory(),
            configuration.ledger().place());
    NativeCode.under(configuration.directory());
    Consumer<String> tell = telling(configuration);
    try (var node =
            context
                .stop()
                .whileStarting(
                    "Node " + configuration.name() + " was stopped before it was up.",
                    () -> context.starter().startNode(configuration));
        // Told before the node stops: it is closed first.
        var supervised = SupervisedProcess.ofProcess()) {
      tell.accept(
          "Node "
              + configuration.name()
              + " is up; its data and log are in "
              + configuration.directory());
      tell.accept("  JSON-RPC        " + node.url());
      tell.accept("  health, metrics " + node.url() + "/health, " + node.url() + "/metrics");
      node.transport().ifPresent(address -> tell.accept("  other nodes     " + address));
      node.hapi().ifPresent(address -> tell.accept("  Hedera's clients " + address));
      node.mirror().ifPresent(address -> tell.accept("  mirror's view   " + address));
      supervised.ready(() -> node.sequencer().store().hindrance());
      // A JVM that its node has left out must not look as if it served.
      node.ended().thenAccept(why -> context.stop().request());
      node.draining().whenAsked(context.stop()::request);
      context.stop().await();
      var ended = node.ended().toCompletableFuture();
      if (ended.isDone()) {
        return endedByItself(ended.join());
      }
    } catch (LeftOut e) {
      return endedByItself(e.getMessage());
    }
    tell.accept("Node " + configuration.name() + " is stopped.");
    return ExitCode.OK;
  }

  private static Hash block(String hash) {
    if (!hash.matches("0x[0-9a-fA-F]{64}")) {
      throw new StartFailure(
          "--reindex takes the hash of the block that the node has read last, 0x and 64 hexadecimal digits, as the node's log and /health say it.");
    }
    return Hash.hex(hash);
  }

  private static void logAs(NodeConfiguration configuration) {
    var directory = configuration.directory();
    var name = configuration.name().toString();
    switch (configuration.jvms()) {
      case NodeJvms.One() -> LogFile.under(directory, name, configuration.logging());
      case NodeJvms.Several ignored ->
          LogFile.ofOneOfSeveral(directory, name, configuration.logging());
    }
  }

  /** Where the standard output is for the log alone, what a person is told is a line of it too. */
  private Consumer<String> telling(NodeConfiguration configuration) {
    if (configuration.logging().isAllThatIsPrinted()) {
      var log = LoggerFactory.getLogger(StartCommand.class);
      return sentence -> log.info(sentence.strip());
    }
    var out = context.console().out();
    return sentence -> {
      out.println(sentence);
      out.flush();
    };
  }

  private int endedByItself(String why) {
    context.console().err().println("sequitur start: " + why);
    context.console().err().flush();
    LoggerFactory.getLogger(StartCommand.class).info("The process ends: {}", why);
    return LeftOut.EXIT_CODE;
  }
}
