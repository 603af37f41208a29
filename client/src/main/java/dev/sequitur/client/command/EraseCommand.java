package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.client.CallFailure;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** {@code sequitur erase}. */
@Command(
    name = "erase",
    description = {
      "Has a running node erase the contents of states for good, and ask the other members to do the"
          + " same. Their ids stay. An unspent state is refused.",
      "",
      "Without states it lists what was erased of the group, and which members have answered. Given"
          + " the same states again, it asks those once more who have not erased them.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur erase 0x1111111111111111111111111111111111111111",
      "  sequitur erase 0x1111111111111111111111111111111111111111 0x7620..."
    })
final class EraseCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  /** As many as the node answers at once. */
  private static final int PAGE = 100;

  @Parameters(index = "0", paramLabel = "CONTRACT", description = "The group's contract.")
  private String contract;

  @Parameters(index = "1..*", paramLabel = "STATE", description = "Ids of states.")
  private List<String> states = new ArrayList<>();

  @Override
  public Integer call() {
    if (states.isEmpty()) {
      print(all(), EraseCommand::text);
    } else {
      var parameters = JsonNodeFactory.instance.arrayNode().add(contract);
      var ids = parameters.addArray();
      states.forEach(ids::add);
      var found = called("pstate_eraseContents", parameters);
      print(found, EraseCommand::line);
    }
    return ExitCode.OK;
  }

  private JsonNode called(String method, ArrayNode parameters) {
    var found = node().call(method, parameters);
    if (found.isNull()) {
      throw new CallFailure("The node is not in a group of %s.".formatted(contract));
    }
    return found;
  }

  /** Page by page. */
  private JsonNode all() {
    var erasures = JsonNodeFactory.instance.arrayNode();
    JsonNode next = JsonNodeFactory.instance.nullNode();
    do {
      var parameters = JsonNodeFactory.instance.arrayNode().add(contract).add(PAGE);
      if (!next.isNull()) {
        parameters.add(next);
      }
      var page = called("pstate_listErasures", parameters);
      page.path("erasures").forEach(erasures::add);
      next = page.path("next");
    } while (next.isTextual());
    return erasures;
  }

  private static String text(JsonNode found) {
    if (found.isEmpty()) {
      return "Nothing of the group was erased at a call to this node.";
    }
    var lines = new ArrayList<String>();
    found.forEach(each -> lines.add(line(each)));
    return String.join("\n", lines);
  }

  private static String line(JsonNode erasure) {
    return "%s  %s%s%s%s"
        .formatted(
            erasure.path("at").asText(),
            Counted.of(erasure.path("states").size(), "state"),
            nodes(erasure, "erased", "erased by"),
            nodes(erasure, "refused", "not erased by"),
            nodes(erasure, "open", "not answered by"));
  }

  private static String nodes(JsonNode erasure, String field, String words) {
    var nodes = texts(erasure.path(field));
    return nodes.isEmpty() ? "" : "; " + words + " " + String.join(", ", nodes);
  }
}
