package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule back-fill}. */
@Command(
    name = "back-fill",
    description = {
      "Runs a series again for past times, as its owner: each is a task of its own with the fee of a"
          + " time.",
      "The same back-fill again doubles nothing: what has run by one is passed over."
    },
    footer = {
      "",
      "Example:",
      "  sequitur schedule back-fill recurring:0x… --as alice --from 2d --until 1h --note 'lost files'"
    })
final class BackFillCommand extends ChangeCommand {
  @Mixin private IdParameter series;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "TIME",
      converter = WrittenMoment.Ago.class,
      description = "The first time, " + WrittenMoment.Ago.EXAMPLES + ".")
  private String from;

  @Option(
      names = "--until",
      required = true,
      paramLabel = "TIME",
      converter = WrittenMoment.Ago.class,
      description = "The last time, which must have passed.")
  private String until;

  @Mixin private ServiceCommands.Intervention intervention;

  @Override
  public void run() {
    var command = intervention.command(this, series.id()).put("from", from).put("until", until);
    print(node().call("schedule_backFill", command), BackFillCommand::told);
  }

  private static String told(JsonNode filling) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("TIME", "RUNS AS"));
    filling
        .path("runs")
        .forEach(run -> rows.add(List.of(run.path("time").asText(), run.path("taskId").asText())));
    var already = filling.path("already").asInt();
    var before = already == 0 ? "" : already + " filled before.";
    if (rows.size() == 1) {
      return already == 0 ? "No time of it lies there." : "Nothing new: " + before;
    }
    return (ScheduleText.table(rows) + "\n" + before).strip();
  }
}
