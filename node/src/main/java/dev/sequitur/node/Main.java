package dev.sequitur.node;

import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.SequiturCommand;
import dev.sequitur.node.console.Console;
import dev.sequitur.node.process.ParentProcess;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.StopSignal;

/** Where the process begins. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var stop = StopSignal.ofProcess();
    ParentProcess.watch();
    var context = new CommandContext(Console.system(), stop, new ProcessStarter());
    int exitCode = SequiturCommand.execute(context, args);
    stop.finished();
    System.exit(exitCode);
  }
}
