package dev.sequitur.node;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import dev.sequitur.node.command.ProcessorAdvice;
import dev.sequitur.node.process.ParentProcess;
import dev.sequitur.node.process.ProcessStarter;
import java.util.function.BiFunction;
import picocli.CommandLine;

/** Where the process of a node begins: it knows what a node needs, and no laboratory. */
public final class NodeMain {
  private NodeMain() {}

  public static void main(String[] args) {
    run(NodeCommands::commandLine, args);
  }

  /**
   * Runs a command line, and ends the process with its exit code.
   *
   * @param made from what the process gives to commands, for these arguments
   */
  public static void run(BiFunction<CommandContext, String[], CommandLine> made, String... args) {
    var stop = StopSignal.ofProcess();
    ParentProcess.watch();
    var context = new CommandContext(Console.system(), stop, new ProcessStarter());
    ProcessorAdvice.ofProcess().ifPresent(context.console().err()::println);
    int exitCode = made.apply(context, args).execute(args);
    stop.finished();
    System.exit(exitCode);
  }
}
