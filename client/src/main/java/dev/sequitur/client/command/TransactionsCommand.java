package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur transactions}: what has not ended, and for whom each waits. */
@Command(
    name = "transactions",
    description = {
      "Which transactions of a running node have not ended, the oldest first, and for whom each waits.",
      "The exit code is 0 only if there is none.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  sequitur transactions --stuck-for 1m --node http://127.0.0.1:8545"
    })
final class TransactionsCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private static final int MOST = 100;

  @Option(
      names = "--stuck-for",
      paramLabel = "TIME",
      converter = Values.Age.class,
      description = "Only those that were accepted longer ago, such as 1m (default: all).")
  private Duration stuckFor = Duration.ZERO;

  @Override
  public Integer call() {
    var found = open(node(), stuckFor, MOST);
    print(found, TransactionsCommand::text);
    return found.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** The oldest of those that were accepted longer ago, with their states. */
  static JsonNode open(NodeAccess node, Duration longer, int most) {
    var json = JsonNodeFactory.instance;
    var query = json.objectNode().put("limit", most);
    query.putArray("sort").add("created ASC");
    query
        .putArray("lte")
        .addObject()
        .put("field", "created")
        .put("value", Instant.now().minus(longer).toString());
    return node.call("ptx_queryPendingTransactions", json.arrayNode().add(query).add(true));
  }

  /** Since when one is open, and whom it waits for. */
  static String line(JsonNode transaction) {
    return "Since "
        + transaction.path("created").asText()
        + ": "
        + ReceiptCommand.where(transaction);
  }

  private static String text(JsonNode found) {
    if (found.isEmpty()) {
      return "No transaction that this node has accepted is open for that long.";
    }
    var lines = new ArrayList<String>();
    for (var each : found) {
      lines.add(line(each));
    }
    if (found.size() == MOST) {
      lines.add("There may be more: these are the %d oldest.".formatted(MOST));
    }
    return String.join("\n", lines);
  }
}
