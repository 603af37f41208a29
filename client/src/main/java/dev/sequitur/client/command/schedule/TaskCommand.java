package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule task}. */
@Command(
    name = "task",
    description = "Schedules a recurring task: 1 to 24 times, or a series by a frequency or cron.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule task --owner alice --id rent --at 2030-01-31T12:00:00Z"
          + " --at 2030-02-28T12:00:00Z --pay 25 --to landlord",
      "  sequitur schedule task --owner alice --id news --cron '0 9 * * *' --zone Europe/Zurich"
          + " --say 'good morning'"
    })
final class TaskCommand extends ChangeCommand {
  @Option(
      names = "--owner",
      required = true,
      paramLabel = "ACCOUNT",
      description = "Who pays the fees, and may cancel.")
  private String owner;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "ID",
      description = "By which its owner tells its tasks apart.")
  private String id;

  @Mixin private CadenceOptions cadence;

  @Mixin private TargetOptions target;

  @Mixin private PolicyOptions.OfTask policy;

  @Mixin private DescriptionOptions description;

  @Mixin private DryRun dryRun;

  @Override
  public void run() {
    var runs = target.target();
    var command = node().command().put("owner", owner).put("providedId", id);
    cadence.addTo(command, node());
    policy.addTo(command);
    description.addTo(command);
    dryRun.addTo(command);
    print(
        node().call(TargetOptions.addTo(command, runs), command),
        dryRun.or(WrittenMoment.zoneOf(command), TaskCommand::scheduled));
  }

  private static String scheduled(JsonNode result) {
    var times = new ArrayList<String>();
    result.path("firstTimes").forEach(time -> times.add(time.asText()));
    return "Scheduled %s\nFirst times: %s"
        .formatted(result.path("taskId").asText(), String.join(", ", times));
  }
}
