package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sequitur status}: {@code /health} for a person. */
@Command(
    name = "status",
    description = {
      "How a running node is, and what to do about it. The exit code is 0 only if calls can succeed.",
      ""
    },
    footer = {"", "Example:", "  sequitur status --node http://127.0.0.1:8545"})
final class StatusCommand implements Callable<Integer>, EndsAtOnce {
  @Spec private CommandSpec spec;

  @Mixin private NodeAccess node;

  @Override
  public Integer call() {
    var health = node.get("/health");
    node.print(spec.commandLine().getOut(), health, StatusCommand::text);
    return health.path("ready").asBoolean() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String text(JsonNode health) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s is %s. It has read block %s, and the ledger is at %s; it is in %s."
            .formatted(
                health.path("node").asText(),
                health.path("ready").asBoolean() ? "ready" : "NOT READY",
                health.path("blockHeight").asText(),
                health.at("/ledger/reachable").asBoolean()
                    ? "block " + health.at("/ledger/head").asText()
                    : "an unknown block, since it cannot be reached",
                Counted.of(health.path("groups").asLong(), "privacy group")));
    addAll(lines, "trouble", health.path("troubles"));
    addAll(lines, "remark", health.path("remarks"));
    for (var peer : health.path("peers")) {
      var trouble = peer.path("trouble").asText();
      lines.add(
          "  peer     %s: %s%s"
              .formatted(
                  peer.path("node").asText(),
                  peer.path("link").asText(),
                  trouble.isEmpty() ? "" : ". " + trouble));
    }
    return String.join("\n", lines);
  }

  private static void addAll(List<String> lines, String label, JsonNode sentences) {
    sentences.forEach(sentence -> lines.add("  %-8s %s".formatted(label, sentence.asText())));
  }
}
