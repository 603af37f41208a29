package dev.sequitur.node.command;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.Guard;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur config}: shows what there is. */
@Command(
    name = "config",
    description = "Looks at configuration files. Starts nothing, and asks no node.",
    footer = {"", "Example:", "  sequitur config check /etc/sequitur/node.conf"})
final class ConfigCommand extends CommandGroup {
  private ConfigCommand() {}

  /** With all its own commands. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new ConfigCommand()).addSubcommand(new Check(context));
  }

  @Command(
      name = "check",
      description = {
        "Reads a configuration as 'start' does, and lists every mistake.",
        "",
        "Exit code 0: 'start' takes it. 2: it has mistakes, which are told with what to do about"
            + " each.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  sequitur config check node1.conf",
        "  sequitur config check --ledger examples/two-nodes/ledger.conf"
      })
  private static final class Check implements Runnable {
    private final CommandContext context;

    @Parameters(paramLabel = "FILE", description = "The configuration, in HOCON.")
    private Path file;

    @Option(
        names = "--ledger",
        description = "It is of a ledger process, which 'sequitur ledger' starts, and of no node.")
    private boolean ledger;

    @Mixin private final AnswerOption answer = new AnswerOption();

    private Check(CommandContext context) {
      this.context = context;
    }

    @Override
    public void run() {
      answer.print(context.console().out(), ledger ? ofLedger() : ofNode(), Right::text);
    }

    private Right ofLedger() {
      var read = LedgerConfiguration.read(Optional.of(file), ConfigFactory.empty());
      var listen = read.listen();
      return new Right(file, null, listen.host(), listen.port(), read.directory());
    }

    private Right ofNode() {
      var read = NodeConfiguration.read(file);
      var rpc = read.rpc();
      Guard.check(read.guard(), rpc, read.health());
      read.hapi().ifPresent(front -> Guard.check(read.guard(), front.host(), "hapi.host"));
      return new Right(file, read.name().value(), rpc.host(), rpc.port(), read.directory());
    }
  }

  /**
   * What a configuration without mistakes says.
   *
   * @param node null for a ledger process
   */
  private record Right(String file, String node, String host, int port, String data) {
    Right(Path file, String node, String host, int port, Path data) {
      this(file.toString(), node, host, port, data.toString());
    }

    String text() {
      return node == null
          ? "%s is right. The ledger listens at %s:%d and keeps its blocks in %s."
              .formatted(file, host, port, data)
          : "%s is right. Node %s serves JSON-RPC at %s:%d and keeps its data in %s."
              .formatted(file, node, host, port, data);
    }
  }
}
