package dev.sequitur.laboratory.command;

import dev.sequitur.client.command.ClientCommands;
import dev.sequitur.console.SequiturCommand;
import dev.sequitur.console.SequiturCommand.Offer;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import java.util.ArrayList;
import picocli.CommandLine;

/** All that {@code ./sequitur} can do: what runs a node, what asks one, and what tries them. */
public final class LaboratoryCommands {
  private LaboratoryCommands() {}

  /**
   * The command line that has all of them.
   *
   * @param arguments as of {@link SequiturCommand#commandLine}
   */
  public static CommandLine commandLine(CommandContext context, String... arguments) {
    var offers = new ArrayList<Offer>(NodeCommands.of(context));
    offers.addAll(ClientCommands.of(context.console()));
    offers.add(new Offer(DemoCommand.class, () -> new DemoCommand(context)));
    offers.add(new Offer(ClusterCommand.class, () -> new ClusterCommand(context)));
    offers.add(new Offer(SoakCommand.class, () -> new SoakCommand(context)));
    offers.add(new Offer(ChaosCommand.class, () -> new ChaosCommand(context)));
    offers.add(new Offer(SimulateCommand.class, () -> new SimulateCommand(context)));
    var line = SequiturCommand.commandLine(context.console(), context.stop(), offers, arguments);
    line.getCommandSpec().usageMessage().footerHeading("%nBegin with:  sequitur demo");
    return line;
  }
}
