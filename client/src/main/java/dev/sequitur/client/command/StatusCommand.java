package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/**
 * {@code sequitur status}: {@code /health} for a person, and the oldest transactions that wait,
 * which {@code /health} does not name, since everybody may read it.
 */
@Command(
    name = "status",
    description = {
      "How a running node is, what to do about it, and which of its transactions have waited for more than a minute: the ten oldest, with whom each waits for. The exit code is 0 only if calls can succeed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur status --node http://127.0.0.1:8545",
      "  sequitur status --jvms"
    })
final class StatusCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int OLDEST = 10;

  @Option(
      names = "--jvms",
      description =
          "Also each JVM of the node: what it has of each kind of entities (shards, entities in"
              + " memory, what is to move), what it does for the whole node, and what has come and"
              + " gone since its start.")
  private boolean jvms;

  @Override
  public Integer call() {
    var health = (ObjectNode) node().get("/health");
    addOldest(health);
    if (jvms) {
      health.set("jvms", node().call("node_jvms"));
    }
    print(health, StatusCommand::text);
    return health.path("ready").asBoolean() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Who may read health need not be one who may read transactions. */
  private void addOldest(ObjectNode health) {
    try {
      health.set("oldest", TransactionsCommand.open(node(), LONG, OLDEST));
    } catch (CallFailure refused) {
      health.put("oldestNotTold", refused.getMessage());
    }
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
    health.path("jvms").forEach(jvm -> addJvm(lines, jvm));
    health.path("oldest").forEach(one -> lines.add("  open     " + TransactionsCommand.line(one)));
    if (health.has("oldestNotTold")) {
      lines.add("  open     not told: " + health.get("oldestNotTold").asText());
    }
    return String.join("\n", lines);
  }

  private static void addJvm(List<String> lines, JsonNode jvm) {
    var name = nameOf(jvm.path("jvm").asText()) + (jvm.path("asked").asBoolean() ? " (asked)" : "");
    if (!jvm.path("answers").asBoolean()) {
      lines.add(
          "  jvm      %s is %s and does not answer".formatted(name, jvm.path("state").asText()));
      return;
    }
    var singletons = texts(jvm.path("singletons"));
    lines.add(
        "  jvm      %s is %s since %s%s"
            .formatted(
                name,
                jvm.path("state").asText(),
                jvm.path("joined").asText(),
                singletons.isEmpty() ? "" : "; it has " + String.join(", ", singletons)));
    lines.add(
        "             %s envelopes in, %s out; %s messages passed on to another JVM; %d s of writes"
            .formatted(
                jvm.path("received").asText(),
                jvm.path("sent").asText(),
                jvm.path("passedOn").asText(),
                Duration.ofMillis(jvm.path("writeMillis").asLong()).toSeconds()));
    for (var kind : jvm.path("kinds")) {
      lines.add(
          "             %-16s %s, %s in memory%s"
              .formatted(
                  kind.path("kind").asText(),
                  Counted.of(kind.path("shards").asLong(), "shard"),
                  Counted.of(kind.path("entities").asLong(), "entity", "entities"),
                  moves(kind)));
    }
  }

  /** Where it is reached, without the words of a cluster's address. */
  private static String nameOf(String address) {
    var at = address.substring(address.indexOf('@') + 1);
    return at.endsWith(":0") ? "the only one" : at;
  }

  private static String moves(JsonNode kind) {
    long toGo = kind.path("toGo").asLong();
    long toCome = kind.path("toCome").asLong();
    return (toGo == 0 ? "" : "; " + Counted.of(toGo, "shard") + " to go")
        + (toCome == 0 ? "" : "; " + Counted.of(toCome, "shard") + " to come");
  }

  private static void addAll(List<String> lines, String label, JsonNode sentences) {
    sentences.forEach(sentence -> lines.add("  %-8s %s".formatted(label, sentence.asText())));
  }
}
