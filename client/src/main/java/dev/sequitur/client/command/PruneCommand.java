package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sequitur prune}. */
@Command(
    name = "prune",
    description = {
      "Says how long a running node keeps what has ended, and up to where it has forgotten it. The"
          + " node forgets by itself, in the background, as room.keep of its configuration says.",
      "",
      "With --dry-run it counts what would be forgotten now by the configuration of the JVM that is"
          + " called, and nothing is. Set room.keep on one JVM to see what it would do there, or to"
          + " a longer time first.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur prune --node http://127.0.0.1:8545",
      "  sequitur prune --dry-run"
    })
final class PruneCommand implements Callable<Integer>, EndsAtOnce {
  private final Console console;

  @Spec private CommandSpec spec;

  @Mixin private NodeAccess node;

  @Option(names = "--dry-run", description = "Counts what would be forgotten now.")
  private boolean dryRun;

  PruneCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!dryRun) {
      node.print(spec.commandLine().getOut(), node.call("node_room"), PruneCommand::standing);
      return ExitCode.OK;
    }
    var call = new LongCall(node, console);
    var count =
        call.end(
            "node_estimateRoom",
            "node_roomEstimate",
            sofar -> amount(sofar, "transactions", "bytes") + " counted");
    return call.print(spec.commandLine().getOut(), count, PruneCommand::estimate);
  }

  private static String amount(JsonNode count, String rows, String bytes) {
    return "%s (%s)"
        .formatted(
            Counted.of(count.path(rows).asLong(), "transaction"),
            Counted.of(count.path(bytes).asLong(), "byte"));
  }

  private static String estimate(JsonNode count) {
    return LongCall.state(count).equals("failed")
        ? "The count has failed: " + count.path("trouble").asText()
        : "Now the node would forget %s, and the ids of %s: %s. Nothing was forgotten by this."
            .formatted(
                amount(count, "transactions", "bytes"),
                amount(count, "ids", "idBytes"),
                count.path("stop").asText());
  }

  private static String standing(JsonNode room) {
    if (room.path("keep").asText().equals("forever")) {
      return "The node keeps all that has ended: room.keep of its configuration is forever.";
    }
    return "The node keeps what has ended for %s, and its id for %s. %s"
        .formatted(
            room.path("keep").asText(),
            room.path("ids").asText(),
            room.has("contents")
                ? "Forgotten is what had ended by %s: all receipts below number %s."
                    .formatted(
                        room.path("contents").path("ended").asText(),
                        room.path("contents").path("before").asText())
                : "Nothing is forgotten yet.");
  }
}
