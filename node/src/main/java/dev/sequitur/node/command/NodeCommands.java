package dev.sequitur.node.command;

import dev.sequitur.console.SequiturCommand;
import dev.sequitur.console.SequiturCommand.Offer;
import java.util.List;
import picocli.CommandLine;

/** What a node's own program can do: run its processes, and prepare and check what they need. */
public final class NodeCommands {
  private NodeCommands() {}

  /** The commands, for {@link SequiturCommand}. */
  public static List<Offer> of(CommandContext context) {
    return List.of(
        new Offer(StartCommand.class, () -> new StartCommand(context)),
        new Offer(LedgerCommand.class, () -> new LedgerCommand(context)),
        new Offer(ProviderCommand.class, () -> new ProviderCommand(context)),
        new Offer(DeployFactoryCommand.class, () -> new DeployFactoryCommand(context)),
        new Offer(ConfigCommand.class, () -> ConfigCommand.commandLine(context)),
        new Offer(CheckStoreCommand.class, () -> new CheckStoreCommand(context)),
        new Offer(RestoreCommand.class, () -> new RestoreCommand(context)),
        new Offer(VerifyProofCommand.class, () -> new VerifyProofCommand(context)),
        new Offer(CertificatesCommand.class, () -> CertificatesCommand.commandLine(context)),
        new Offer(KeysCommand.class, () -> KeysCommand.commandLine(context)),
        new Offer(TokenCommand.class, () -> TokenCommand.commandLine(context)),
        new Offer(AuditCommand.class, () -> AuditCommand.commandLine(context)));
  }

  /**
   * The command line that has them and no others.
   *
   * @param arguments as of {@link SequiturCommand#commandLine}
   */
  public static CommandLine commandLine(CommandContext context, String... arguments) {
    return SequiturCommand.commandLine(context.console(), context.stop(), of(context), arguments);
  }
}
