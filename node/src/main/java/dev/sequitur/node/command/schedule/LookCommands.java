package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What only looks. */
final class LookCommands {
  private LookCommands() {}

  @Command(
      name = "show",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Where a schedule stands, and how it ended last.")
  static final class Show implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Mixin private IdParameter schedule;

    Show(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      node.print(console.out(), node.ask("schedule_get", schedule.id()), ScheduleText::fields);
    }
  }

  @Command(
      name = "explain",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "Why a schedule has not run, and what happened to it.")
  static final class Explain implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Mixin private IdParameter schedule;

    Explain(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      node.print(
          console.out(), node.ask("schedule_explain", schedule.id()), ScheduleText::explanation);
    }
  }

  @Command(
      name = "outcomes",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "What has ended in a queue, of all schedules, in the order in which it did.",
      footer = {"", "Example:", "  sequitur schedule outcomes --from 250 --limit 1000"})
  static final class Ended implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Option(
        names = "--from",
        paramLabel = "N",
        defaultValue = "0",
        description = "The number of the first (default: 0), such as the page before ended with.")
    private String from;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "At most so many, 1 to 1000 (default: 100).")
    private String limit;

    Ended(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      var page = node.command().put("from", from).put("limit", limit);
      node.print(console.out(), node.call("schedule_getOutcomes", page), ScheduleText::outcomes);
    }
  }

  @Command(
      name = "forecast",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "How full a family is at a time, and what a place costs there.")
  static final class Forecast implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    @Option(
        names = "--family",
        required = true,
        paramLabel = "FAMILY",
        description = "gas-priority or recurring.")
    private String family;

    @Option(
        names = "--at",
        required = true,
        paramLabel = "TIME",
        converter = Moment.At.class,
        description = "When, " + Moment.EXAMPLES + ".")
    private Moment.Time at;

    Forecast(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      var place = node.command().put("family", family).put("at", at.text());
      node.print(
          console.out(),
          node.call("schedule_forecast", place),
          result ->
              result.isNull()
                  ? "This family has no prices and no slots."
                  : "From %s: %d of %d taken%s; a place costs at least %s."
                      .formatted(
                          result.path("from").asText(),
                          result.path("taken").asInt(),
                          result.path("capacity").asInt(),
                          result.path("full").asBoolean() ? ", full" : "",
                          result.path("price").asText()));
    }
  }

  @Command(
      name = "overview",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description = "How much waits and runs, and which families are served.")
  static final class Overview implements Runnable {
    private final Console console;

    @Mixin private NodeOptions node;

    Overview(Console console) {
      this.console = console;
    }

    @Override
    public void run() {
      node.print(console.out(), node.ask("schedule_overview"), ScheduleText::fields);
    }
  }

  @Command(
      name = "audit",
      sortOptions = false,
      mixinStandardHelpOptions = true,
      description =
          "Counts all money of a queue anew; the exit code is 0 only if none was made or lost.")
  static final class Audit implements Callable<Integer> {
    private final Console console;

    @Mixin private NodeOptions node;

    Audit(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      var audit = node.ask("schedule_audit");
      boolean conserved = audit.path("conserved").asBoolean();
      node.print(
          console.out(),
          audit,
          result ->
              (conserved ? "Conserved: " : "NOT CONSERVED: ")
                  + "held %s, holds %s, owed %s; all accounts sum to %s, %d overdrawn."
                      .formatted(
                          result.path("held").asText(),
                          result.path("sumOfHolds").asText(),
                          result.path("owed").asText(),
                          result.path("sumOfAccounts").asText(),
                          result.path("overdrawn").asInt()));
      return conserved ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }
}
