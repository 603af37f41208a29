package dev.sequitur.console;

import java.util.List;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/**
 * {@code sequitur} itself: shows what there is. Which commands it has, each program says; a wrong
 * command line and a failure are told alike in all of them.
 */
@Command(
    name = "sequitur",
    description = "Puts private transactions of several parties in order.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Each command explains itself:  sequitur COMMAND --help, or sequitur help COMMAND",
      "",
      "The exit code is 0 for success, 1 if something could not be done or does not hold, and 2 for a"
          + " wrong command line or configuration; start has one more. A command that Ctrl-C ends has"
          + " 130, and one that SIGTERM ends 143, also where it has stopped in order."
    })
public final class SequiturCommand implements Runnable {
  @Spec private CommandSpec spec;

  /**
   * A command that only asks other processes and has nothing to stop in order: Ctrl-C ends it at
   * once, however long the answer takes.
   */
  public interface EndsAtOnce {}

  /**
   * The command line.
   *
   * @param commands each of picocli's, or a whole {@link CommandLine} with some of its own
   */
  public static CommandLine commandLine(Console console, StopSignal stop, List<?> commands) {
    var line = new CommandLine(new SequiturCommand());
    commands.forEach(line::addSubcommand);
    line.addSubcommand(completion());
    line.addSubcommand(new HelpCommand());
    line.setOut(console.out());
    line.setErr(console.err());
    line.setAbbreviatedSubcommandsAllowed(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    var mistakes = new Mistakes(console.err());
    line.setParameterExceptionHandler(mistakes::inParameters);
    line.setExecutionExceptionHandler(mistakes::inExecution);
    line.setExecutionStrategy(parsed -> run(stop, parsed));
    tellVersion(line);
    return line;
  }

  /** Picocli's own, under a name that people look for. */
  private static CommandLine completion() {
    var completion = new CommandLine(new GenerateCompletion());
    completion
        .getCommandSpec()
        .name("completion")
        .usageMessage()
        .description("Prints a script that completes commands and options in bash and zsh.")
        .footer("", "Example:", "  source <(sequitur completion)");
    return completion;
  }

  private static int run(StopSignal stop, ParseResult parsed) {
    if (parsed.hasSubcommand()
        && parsed.subcommand().commandSpec().userObject() instanceof EndsAtOnce) {
      stop.finished();
    }
    return new RunLast().execute(parsed);
  }

  private static void tellVersion(CommandLine line) {
    line.getCommandSpec().versionProvider(() -> new String[] {"sequitur " + Release.name()});
    line.getSubcommands().values().forEach(SequiturCommand::tellVersion);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
