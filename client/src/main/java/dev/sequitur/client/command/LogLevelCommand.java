package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** {@code sequitur log-level}. */
@Command(
    name = "log-level",
    description = {
      "From which level on a running node writes lines into its log, or changes that until the"
          + " process ends.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur log-level",
      "  sequitur log-level dev.sequitur.transaction DEBUG",
      "  sequitur log-level dev.sequitur.transaction DEFAULT"
    })
final class LogLevelCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  @Parameters(
      index = "0",
      paramLabel = "LOGGER",
      arity = "0..1",
      description = "Whose lines; without it those that are set are listed.")
  private String logger;

  @Parameters(
      index = "1",
      paramLabel = "LEVEL",
      arity = "0..1",
      description =
          "OFF, ERROR, WARN, INFO, DEBUG, TRACE, or DEFAULT: the one that the process began with.")
  private String level;

  @Override
  public Integer call() {
    if (logger == null) {
      print(node().call("log_levels"), LogLevelCommand::lines);
      return ExitCode.OK;
    }
    if (level == null) {
      throw new WrongOption("Say which level, such as: sequitur log-level " + logger + " DEBUG");
    }
    print(node().call("log_setLevel", logger, level), LogLevelCommand::line);
    return ExitCode.OK;
  }

  private static String lines(JsonNode loggers) {
    return StreamSupport.stream(loggers.spliterator(), false)
        .map(LogLevelCommand::line)
        .collect(Collectors.joining("\n"));
  }

  private static String line(JsonNode one) {
    return "%-5s %s".formatted(one.path("level").asText(), one.path("logger").asText());
  }
}
