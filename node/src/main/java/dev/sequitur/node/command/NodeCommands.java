package dev.sequitur.node.command;

import dev.sequitur.console.SequiturCommand;
import java.util.List;
import picocli.CommandLine;

/** What a node's own program can do: run its processes, and prepare and check what they need. */
public final class NodeCommands {
  private NodeCommands() {}

  /** The commands, for {@link SequiturCommand}. */
  public static List<Object> of(CommandContext context) {
    return List.of(
        new StartCommand(context),
        new LedgerCommand(context),
        new ProviderCommand(context),
        new DeployFactoryCommand(context),
        ConfigCommand.commandLine(context),
        new VerifyProofCommand(context),
        new CertificatesCommand(context),
        TokenCommand.commandLine(context),
        AuditCommand.commandLine(context));
  }

  /** The command line that has them and no others. */
  public static CommandLine commandLine(CommandContext context) {
    return SequiturCommand.commandLine(context.console(), context.stop(), of(context));
  }
}
