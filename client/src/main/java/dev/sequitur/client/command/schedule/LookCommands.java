package dev.sequitur.client.command.schedule;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What only looks. */
final class LookCommands {
  private LookCommands() {}

  @Command(
      name = "show",
      description = "Where a schedule stands, and how it ended last.",
      footer = {"", "Example:", "  sequitur schedule show gas-priority:0x…"})
  static final class Show extends NodeCommand {
    @Mixin private IdParameter schedule;

    @Override
    public void run() {
      var found = node().ask("schedule_get", schedule.id());
      if (found.isNull()) {
        throw schedule.unknown(node());
      }
      print(found, ScheduleDetails::schedule);
    }
  }

  @Command(
      name = "explain",
      description = "Why a schedule has not run, and what happened to it.",
      footer = {"", "Example:", "  sequitur schedule explain 0.0.1005"})
  static final class Explain extends NodeCommand {
    @Mixin private IdParameter schedule;

    @Override
    public void run() {
      var explanation = node().ask("schedule_explain", schedule.id());
      // What has no history yet may be waiting for its first time, or be nothing at all.
      if (explanation.path("history").isEmpty()
          && node().ask("schedule_get", schedule.id()).isNull()) {
        throw schedule.unknown(node());
      }
      print(explanation, ScheduleText::explanation);
    }
  }

  @Command(
      name = "outcomes",
      description = "What has ended in a queue, of all schedules, in the order in which it did.",
      footer = {
        "",
        "Examples:",
        "  sequitur schedule outcomes --from 250 --limit 1000",
        "  sequitur schedule outcomes --owner alice --outcome failed --since 7d"
      })
  static final class Ended extends NodeCommand {
    @Mixin private PageOptions range;

    @Mixin private EndedOptions which;

    @Override
    public void run() {
      var page = node().command();
      range.addTo(page);
      which.addTo(page);
      print(node().call("schedule_getOutcomes", page), ScheduleText::outcomes);
    }
  }

  @Command(
      name = "forecast",
      description = "How full a family is at a time, and what a place costs there.",
      footer = {"", "Example:", "  sequitur schedule forecast --family recurring --at +1d"})
  static final class Forecast extends NodeCommand {
    @Option(
        names = "--family",
        required = true,
        paramLabel = "FAMILY",
        completionCandidates = ServiceCommands.Families.class,
        description = "One of ${COMPLETION-CANDIDATES}.")
    private String family;

    @Option(
        names = "--at",
        required = true,
        paramLabel = "TIME",
        converter = WrittenMoment.At.class,
        description = "When, " + WrittenMoment.EXAMPLES + ".")
    private WrittenMoment.Time at;

    @Option(
        names = "--as",
        paramLabel = "ACCOUNT",
        description = "Of plan-execution: how many executions of --plan this account has left.")
    private String requestor;

    @Option(names = "--plan", paramLabel = "N", description = "The plan's number, with --as.")
    private String plan;

    @Override
    public void run() {
      var place = node().command().put("family", family).put("at", at.text());
      NodeOptions.put(place, "requestor", requestor);
      NodeOptions.put(place, "plan", plan);
      print(
          node().call("schedule_forecast", place), result -> ForecastText.forecast(family, result));
    }
  }

  @Command(
      name = "overview",
      description = "How much waits and runs, and which families are served.",
      footer = {"", "Example:", "  sequitur schedule overview"})
  static final class Overview extends NodeCommand {
    @Override
    public void run() {
      print(node().ask("schedule_overview"), ScheduleText::overview);
    }
  }

  @Command(
      name = "audit",
      description =
          "Counts all money of a queue anew; the exit code is 0 only if none was made or lost.",
      footer = {"", "Example:", "  sequitur schedule audit"})
  static final class Audit implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private NodeOptions node;

    @Override
    public Integer call() {
      var audit = node.ask("schedule_audit");
      boolean conserved = audit.path("conserved").asBoolean();
      node.print(
          spec.commandLine().getOut(),
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
