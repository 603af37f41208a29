package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule days-off}. */
@Command(
    name = "days-off",
    description = {
      "Shows the lists of days on which series do not run; with days it sets one, as the"
          + " administrator.",
      "A series stands on a list by --days-off NAME. Those that do are planned anew at once."
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule days-off",
      "  sequitur schedule days-off swiss 2030-12-25 2030-12-26 --zone Europe/Zurich",
      "  sequitur schedule days-off swiss --remove"
    })
final class DaysOffCommand extends ChangeCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Of one list.")
  private String name;

  @Parameters(
      index = "1..*",
      paramLabel = "DAY",
      description = "All days of it, such as 2030-12-25, in the place of those that were.")
  private List<String> days = List.of();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Whose midnights begin and end the days (default: this machine's).")
  private String zone;

  @Option(names = "--clear", description = "Leaves it without a day.")
  private boolean clear;

  @Option(names = "--remove", description = "Deletes it, if nothing stands on it.")
  private boolean remove;

  @Override
  public void run() {
    if (name == null && (clear || remove)) {
      throw new WrongOption("Name the list.");
    } else if ((remove && (clear || !days.isEmpty())) || (clear && !days.isEmpty())) {
      throw new WrongOption("Give the days of the list, or --clear, or --remove.");
    } else if (remove) {
      var command = node().command().put("name", name);
      print(node().call("recurring_removeDaysOff", command), any -> "Removed " + name + ".");
    } else if (clear || !days.isEmpty()) {
      print(node().call("recurring_setDaysOff", list()), any -> "Set " + name + ".");
    } else {
      print(named(node().call("recurring_daysOff", node().command())), DaysOffCommand::table);
    }
  }

  private ObjectNode list() {
    var command = node().command().put("name", name);
    command.put("zone", zone == null ? WrittenMoment.zone(Optional.empty()).getId() : zone);
    var all = command.putArray("days");
    days.forEach(all::add);
    return command;
  }

  private ArrayNode named(JsonNode lists) {
    var found = NodeCalls.JSON.createArrayNode();
    lists.forEach(
        list -> {
          if (name == null || name.equals(list.path("name").asText())) {
            found.add(list);
          }
        });
    return found;
  }

  private static String table(JsonNode lists) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("NAME", "ZONE", "SERIES", "DAYS"));
    lists.forEach(
        list ->
            rows.add(
                List.of(
                    list.path("name").asText(),
                    list.path("zone").asText(),
                    list.path("series").asText(),
                    StreamSupport.stream(list.path("days").spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(" ")))));
    return rows.size() == 1 ? "There is no such list." : ScheduleText.table(rows);
  }
}
