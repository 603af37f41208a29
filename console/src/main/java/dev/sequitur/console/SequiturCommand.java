package dev.sequitur.console;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * {@code sequitur} itself: shows what there is. Which commands it has, each program says; a wrong
 * command line and a failure are told alike in all of them.
 */
@Command(
    name = "sequitur",
    description = "Puts private transactions of several parties in order.",
    footer = {
      "",
      "Each command explains itself:  sequitur COMMAND --help, or sequitur help COMMAND",
      "",
      "The exit code is 0 for success, 1 if something could not be done or does not hold, and 2 for a"
          + " wrong command line or configuration; start has one more. A command that Ctrl-C ends has"
          + " 130, and one that SIGTERM ends 143, also where it has stopped in order."
    })
public final class SequiturCommand extends CommandGroup {
  /**
   * A command that only asks other processes and has nothing to stop in order: Ctrl-C ends it at
   * once, however long the answer takes.
   */
  public interface EndsAtOnce {}

  /**
   * A command that is made once it is asked for.
   *
   * @param type whose annotation has its name
   * @param make one of picocli's commands, or a whole {@link CommandLine} with some of its own
   */
  public record Offer(Class<?> type, Supplier<?> make) {
    private String name() {
      return type.getAnnotation(Command.class).name();
    }
  }

  /**
   * The command line. To make all commands takes half a second of a processor, so the one that is
   * called is made alone.
   *
   * @param arguments that it is to run; with none, or if they begin with no command, it has all
   */
  public static CommandLine commandLine(
      Console console, StopSignal stop, List<Offer> offers, String... arguments) {
    var line = new CommandLine(new SequiturCommand());
    var called =
        Arrays.stream(arguments)
            .limit(1)
            .flatMap(name -> offers.stream().filter(offer -> offer.name().equals(name)))
            .findFirst();
    if (called.isPresent()) {
      line.addSubcommand(called.get().make().get());
    } else {
      offers.forEach(offer -> line.addSubcommand(offer.make().get()));
      line.addSubcommand(completion());
      line.addSubcommand(new HelpCommand());
    }
    likeAll(line);
    line.setOut(console.out());
    line.setErr(console.err());
    line.setAbbreviatedSubcommandsAllowed(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    var mistakes = new Mistakes(console.err());
    line.setParameterExceptionHandler(mistakes::inParameters);
    line.setExecutionExceptionHandler(mistakes::inExecution);
    line.setExecutionStrategy(parsed -> run(stop, parsed));
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
    refuseUnmatched(parsed);
    if (endsAtOnce(parsed)) {
      stop.finished();
    }
    return new RunLast().execute(parsed);
  }

  /** Beside {@code --help} or {@code --version} picocli overlooks what it has not understood. */
  private static void refuseUnmatched(ParseResult parsed) {
    if (!parsed.unmatched().isEmpty()) {
      throw new UnmatchedArgumentException(parsed.commandSpec().commandLine(), parsed.unmatched());
    }
    if (parsed.hasSubcommand()) {
      refuseUnmatched(parsed.subcommand());
    }
  }

  /** Whether the command of a whole command line is {@link EndsAtOnce}. */
  static boolean endsAtOnce(ParseResult parsed) {
    return parsed.hasSubcommand()
        && parsed.subcommand().commandSpec().userObject() instanceof EndsAtOnce;
  }

  /** What every command has: help, the version, and its options in the order of its class. */
  private static void likeAll(CommandLine line) {
    var spec = line.getCommandSpec();
    spec.mixinStandardHelpOptions(true);
    spec.usageMessage().sortOptions(false);
    spec.versionProvider(() -> new String[] {"sequitur " + Release.name()});
    for (var below : line.getSubcommands().values()) {
      if (!below.getSubcommands().isEmpty()) {
        below.addSubcommand(new HelpCommand());
      }
      likeAll(below);
    }
  }
}
