package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur audit}. */
@Command(
    name = "audit",
    description = "Reads what a node has written down of the calls that changed something.",
    footer = {"", "Example:", "  sequitur audit verify --config node1.conf"})
final class AuditCommand extends CommandGroup implements EndsAtOnce {
  /** With its own commands. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new AuditCommand()).addSubcommand(new Verify(context));
  }

  /** {@code sequitur audit verify}. */
  @Command(
      name = "verify",
      description = {
        "Says whether each entry follows the one before it, over all files of a node.",
        "",
        "Whoever can write the files could write all of them anew, or leave out the last entries. Note"
            + " the last entry that this prints somewhere else, and give it the next time as --noted.",
        "",
        "The exit code is 1 if something is not as it was written.",
        ""
      })
  static final class Verify implements Callable<Integer> {
    private final CommandContext context;

    @Mixin private ConfigurationOption config;

    @Option(
        names = "--noted",
        paramLabel = "ENTRY",
        description = "A number and a hash that an earlier run has printed, in quotes.")
    private String noted;

    @Mixin private final AnswerOption answer = new AnswerOption();

    Verify(CommandContext context) {
      this.context = context;
    }

    @Override
    public Integer call() {
      var directory = config.read().guard().audit().directory();
      if (!Files.isDirectory(directory)) {
        throw new WrongOption("There is no audit in " + directory + ": the node has written none.");
      }
      try {
        var files = new AuditFiles(directory);
        var verified = files.verify(noted);
        var told =
            new Told(
                verified.last().number() - verified.first().number(),
                files.list().size(),
                verified.first().number() + 1,
                verified.last().number(),
                verified.last().toString(),
                verified.flaw().orElse(null));
        answer.print(context.console().out(), told, Told::text);
        return verified.flaw().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
      } catch (IOException e) {
        throw new StartFailure(
            "The audit in %s cannot be read: let this user read it.".formatted(directory), e);
      }
    }
  }

  /**
   * What the files of a node are.
   *
   * @param last the last entry, as it is to be noted
   * @param flaw null if there is none
   */
  private record Told(long entries, int files, long from, long to, String last, String flaw) {
    String text() {
      return "%s in %s, from %d to %d%nThe last entry is  %s%n%s"
          .formatted(
              Counted.of(entries, "entry", "entries"),
              Counted.of(files, "file"),
              from,
              to,
              last,
              flaw == null
                  ? "Each entry follows the one before it."
                  : "NOT as it was written. " + flaw);
    }
  }
}
