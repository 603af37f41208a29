package dev.sequitur.laboratory.command;

import dev.sequitur.client.command.ClientCommands;
import dev.sequitur.console.SequiturCommand;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import java.util.ArrayList;
import picocli.CommandLine;

/** All that {@code ./sequitur} can do: what runs a node, what asks one, and what tries them. */
public final class LaboratoryCommands {
  private LaboratoryCommands() {}

  /** The command line that has all of them. */
  public static CommandLine commandLine(CommandContext context) {
    var commands = new ArrayList<Object>(NodeCommands.of(context));
    commands.addAll(ClientCommands.of(context.console()));
    commands.add(new DemoCommand(context));
    commands.add(new ClusterCommand(context));
    commands.add(new SoakCommand(context));
    commands.add(new ChaosCommand(context));
    commands.add(new SimulateCommand(context));
    var line = SequiturCommand.commandLine(context.console(), context.stop(), commands);
    line.getCommandSpec().usageMessage().footerHeading("%nBegin with:  sequitur demo");
    return line;
  }
}
