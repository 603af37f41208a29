package dev.sequitur.console;

import java.io.PrintWriter;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong, in a sentence, to the person at the terminal. */
record Mistakes(PrintWriter err) {
  /** As picocli calls what an option wants. */
  private static final Pattern NUMBER = Pattern.compile("is not an? (int|long)$");

  int inParameters(ParameterException exception, String[] args) {
    var command = exception.getCommandLine().getCommandSpec().qualifiedName();
    var sentence = sentence(exception).strip().replaceAll("\\s*\\R\\s*", " ");
    var end = sentence.matches(".*[.?!]") ? "" : ".";
    err.println(command + ": " + sentence + end + " Try '" + command + " --help'.");
    return ExitCode.USAGE;
  }

  /** A group takes no arguments, so that one which is there was meant for a command of it. */
  private static String sentence(ParameterException exception) {
    var line = exception.getCommandLine();
    if (exception instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      if (!(line.getCommandSpec().userObject() instanceof CommandGroup)) {
        return "Nothing is expected in the place of '%s': put into quotation marks what has spaces."
            .formatted(unmatched.getUnmatched().get(0));
      }
      var suggestions = unmatched.getSuggestions();
      return "There is no command '%s'.".formatted(unmatched.getUnmatched().get(0))
          + (suggestions.isEmpty() ? "" : " Did you mean '%s'?".formatted(suggestions.get(0)));
    }
    return NUMBER
        .matcher(exception.getMessage())
        .replaceFirst("is not a whole number, or too large");
  }

  int inExecution(Exception exception, CommandLine line, ParseResult parsed) {
    var command = line.getCommandSpec().qualifiedName();
    if (exception instanceof WrongOption wrong) {
      wrong.sentences().forEach(sentence -> err.println(command + ": " + sentence));
      return ExitCode.USAGE;
    }
    if (exception instanceof EndedEarly) {
      err.println(command + ": " + exception.getMessage());
      // Who ends at once has no log, and to begin one takes longer than to say this.
      if (!SequiturCommand.endsAtOnce(parsed)) {
        LoggerFactory.getLogger(Mistakes.class).info("The command ended early.", exception);
      }
      return ExitCode.SOFTWARE;
    }
    err.println(command + ": this should not have happened and is a fault of Sequitur's.");
    LoggerFactory.getLogger(Mistakes.class).error("An unexpected failure.", exception);
    return ExitCode.SOFTWARE;
  }
}
