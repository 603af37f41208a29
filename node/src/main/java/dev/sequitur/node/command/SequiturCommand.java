package dev.sequitur.node.command;

import dev.sequitur.node.command.schedule.ScheduleCommand;
import dev.sequitur.node.process.StopSignal;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/**
 * {@code sequitur} itself: shows what there is. A node's own commands are here; a module below adds
 * its own.
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
      "The exit code is 0 for success, 1 if something could not be done, and 2 for a wrong command"
          + " line or configuration; start has one more. A command that Ctrl-C ends has 130, and one"
          + " that SIGTERM ends 143, also where it has stopped in order."
    })
public final class SequiturCommand implements Runnable {
  @Spec private CommandSpec spec;

  /**
   * Runs a command line to its end.
   *
   * @return the exit code: 0 for success, 1 if something could not be done, 2 for a wrong command
   *     line or configuration
   */
  public static int execute(CommandContext context, String... args) {
    return commandLine(context).execute(args);
  }

  /**
   * The command line.
   *
   * @param added commands besides a node's own
   */
  public static CommandLine commandLine(CommandContext context, Object... added) {
    ProcessorAdvice.ofProcess().ifPresent(context.console().err()::println);
    var line =
        new CommandLine(new SequiturCommand())
            .addSubcommand(new StartCommand(context))
            .addSubcommand(new LedgerCommand(context))
            .addSubcommand(new ProviderCommand(context))
            .addSubcommand(ScheduleCommand.commandLine(context.console()))
            .addSubcommand(new DeployFactoryCommand(context))
            .addSubcommand(new VerifyProofCommand(context))
            .addSubcommand(new CertificatesCommand(context));
    for (var command : added) {
      line.addSubcommand(command);
    }
    line.addSubcommand(new HelpCommand());
    line.setOut(context.console().out());
    line.setErr(context.console().err());
    line.setAbbreviatedSubcommandsAllowed(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    var mistakes = new Mistakes(context.console().err());
    line.setParameterExceptionHandler(mistakes::inParameters);
    line.setExecutionExceptionHandler(mistakes::inExecution);
    line.setExecutionStrategy(parsed -> run(context.stop(), parsed));
    tellVersion(line);
    return line;
  }

  /**
   * What only asks another process has nothing to stop in order: Ctrl-C ends it at once, however
   * long the answer takes.
   */
  private static int run(StopSignal stop, ParseResult parsed) {
    if (parsed.hasSubcommand()
        && parsed.subcommand().commandSpec().userObject() instanceof ScheduleCommand) {
      stop.finished();
    }
    return new RunLast().execute(parsed);
  }

  private static void tellVersion(CommandLine line) {
    line.getCommandSpec().versionProvider(new Version());
    line.getSubcommands().values().forEach(SequiturCommand::tellVersion);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** The version is the jar's own, so that there is one place for it: the root pom. */
  private static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var version =
          Optional.ofNullable(SequiturCommand.class.getPackage().getImplementationVersion());
      return new String[] {"sequitur " + version.orElse("(not packaged)")};
    }
  }
}
