package dev.sequitur.laboratory.command;

import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.SequiturCommand;
import picocli.CommandLine;

/** All that {@code ./sequitur} can do: a node's own commands, and those that try nodes. */
public final class LaboratoryCommands {
  private LaboratoryCommands() {}

  /** The command line that has all of them. */
  public static CommandLine commandLine(CommandContext context) {
    var line =
        SequiturCommand.commandLine(
            context,
            new DemoCommand(context),
            new ClusterCommand(context),
            new SoakCommand(context),
            new ChaosCommand(context),
            new SimulateCommand(context));
    line.getCommandSpec().usageMessage().footerHeading("%nBegin with:  sequitur demo");
    return line;
  }
}
