package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule change}. */
@Command(
    name = "change",
    description = {
      "Changes when one schedule runs, what, and how, as its owner; what you leave out stays. It"
          + " keeps its id, and what was paid is paid.",
      "It is refused while the schedule runs and once its time has come: pause it then, and change"
          + " it when that run has its outcome."
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule change gas-priority:0x… --as alice --at '2030-01-31 9:30' --price 5",
      "  sequitur schedule change recurring:0x… --as alice --pay 30 --note 'new rent'",
      "  sequitur schedule change recurring:0x… --as alice --cron '0 10 * * 1-5' --zone Europe/Zurich",
      "  sequitur schedule change recurring:0x… --as alice --label rent --label flat=12"
    })
final class ChangeScheduleCommand extends ChangeCommand {
  @Mixin private IdParameter schedule;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "When it runs; of a task all times that are to come, each by its own --at.")
  private List<WrittenMoment.Time> times = List.of();

  @Option(
      names = "--gas",
      paramLabel = "N",
      description = "Of a gas-priority transaction: the most gas it may use.")
  private String gas;

  @Option(
      names = "--price",
      paramLabel = "N",
      description = "Of a gas-priority transaction: the most it pays for a unit of gas.")
  private String price;

  @Option(
      names = "--set-aside",
      negatable = true,
      description =
          "Of a gas-priority transaction: what it pays is set aside, or is taken when it runs.")
  private Boolean aside;

  @Mixin private SeriesOptions series;

  @Mixin private TargetOptions target;

  @Mixin private PolicyOptions.OfTransaction policy;

  @Mixin private DescriptionOptions description;

  @Option(names = "--no-labels", description = "It is to have no label any more.")
  private boolean unlabelled;

  @Mixin private ServiceCommands.Intervention intervention;

  @Override
  public void run() {
    var command = intervention.command(this, schedule.id());
    if (!times.isEmpty()) {
      var list = command.putArray("times");
      times.forEach(time -> list.add(node().time(time)));
    }
    NodeOptions.put(command, "maxGasAmount", gas);
    NodeOptions.put(command, "maxGasUnitPrice", price);
    if (aside != null) {
      command.put("setAside", aside);
    }
    series.addChangeTo(command, node());
    if (target.isNamed()) {
      command.set("target", target.changed(this::former));
    }
    policy.addTo(command);
    description.addTo(command);
    if (unlabelled) {
      command.putArray("labels");
    }
    print(node().call("schedule_change", command), result -> "Changed " + schedule.id() + ".");
  }

  /** What it runs so far. */
  private JsonNode former() {
    var found = node().ask("schedule_get", schedule.id());
    if (!found.has("target")) {
      throw schedule.unknown(node());
    }
    return found.path("target");
  }
}
