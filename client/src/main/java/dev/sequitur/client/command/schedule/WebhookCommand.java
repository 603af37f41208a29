package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.CommandGroup;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Addresses to which a node sends what happens in its queues. */
@Command(
    name = "webhook",
    description = "Has a node send what happens in a queue to an address, signed.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule webhook create books https://books.example/events",
      "  sequitur schedule webhook list",
      "  sequitur schedule webhook replay books"
    })
final class WebhookCommand extends CommandGroup {
  static CommandLine commandLine() {
    return new CommandLine(new WebhookCommand())
        .addSubcommand(new Create())
        .addSubcommand(new Webhooks())
        .addSubcommand(new Halt())
        .addSubcommand(new Start())
        .addSubcommand(new Remove())
        .addSubcommand(new Rotate())
        .addSubcommand(new Dead())
        .addSubcommand(new Replay());
  }

  /** One that is there already. */
  abstract static class OfOne extends NodeCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Its name.")
    private String name;

    final String name() {
      return name;
    }

    final ArrayNode named() {
      return NodeCalls.JSON.createArrayNode().add(name);
    }
  }

  @Command(
      name = "create",
      description = "Makes one, and prints its key: it is told this once.",
      footer = {
        "",
        "Examples:",
        "  sequitur schedule webhook create books https://books.example/events --owner alice",
        "  sequitur schedule webhook create watch https://watch.example/parked --type parked"
      })
  static final class Create extends OfOne {
    @Parameters(index = "1", paramLabel = "URL", description = "Where it is sent to.")
    private String url;

    @Option(
        names = "--from",
        paramLabel = "N",
        defaultValue = "0",
        description = "The number of the first event (default: 0).")
    private String from;

    @Mixin private EventOptions which;

    @Override
    public void run() {
      var webhook = node().command().put("name", name()).put("url", url).put("from", from);
      which.addTo(webhook);
      print(node().call("events_createWebhook", webhook), WebhookCommand::key);
    }
  }

  private static String key(JsonNode key) {
    return "Its key, which is not shown again: " + key.asText();
  }

  @Command(
      name = "list",
      description = "Those that there are, and how far each is.",
      footer = {"", "Example:", "  sequitur schedule webhook list"})
  static final class Webhooks extends NodeCommand {
    @Override
    public void run() {
      var query = NodeCalls.JSON.createObjectNode().put("limit", 1_000);
      print(node().call("events_queryWebhooks", query), WebhookCommand::table);
    }
  }

  private static String table(JsonNode webhooks) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("NAME", "QUEUE", "TAKEN", "DEAD", "STARTED", "URL"));
    webhooks.forEach(
        webhook ->
            rows.add(
                List.of(
                    webhook.path("name").asText(),
                    webhook.at("/filters/queue").asText(),
                    webhook.path("acknowledged").asText(),
                    webhook.path("dead").asText(),
                    webhook.path("started").asText(),
                    webhook.path("url").asText())));
    return rows.size() == 1 ? "There is no webhook." : ScheduleText.table(rows);
  }

  @Command(
      name = "stop",
      description = "Has one sent nothing until it is started.",
      footer = {"", "Example:", "  sequitur schedule webhook stop books"})
  static final class Halt extends OfOne {
    @Override
    public void run() {
      print(node().call("events_stopWebhook", named()), any -> "Stopped.");
    }
  }

  @Command(
      name = "start",
      description = "Has one sent to again, from where it stands.",
      footer = {"", "Example:", "  sequitur schedule webhook start books"})
  static final class Start extends OfOne {
    @Override
    public void run() {
      print(node().call("events_startWebhook", named()), any -> "Started.");
    }
  }

  @Command(
      name = "remove",
      description = "Deletes one, and what is dead of it.",
      footer = {"", "Example:", "  sequitur schedule webhook remove books"})
  static final class Remove extends OfOne {
    @Override
    public void run() {
      print(
          node().call("events_deleteWebhook", named()),
          there -> there.asBoolean() ? "Removed." : "There was none.");
    }
  }

  @Command(
      name = "rotate",
      description = {
        "Gives one a new key beside the one that it has: both sign what is sent.",
        "With --alone the older one ends."
      },
      footer = {
        "",
        "Examples:",
        "  sequitur schedule webhook rotate books",
        "  sequitur schedule webhook rotate books --alone"
      })
  static final class Rotate extends OfOne {
    @Option(names = "--alone", description = "Ends the older of two keys, and makes none.")
    private boolean alone;

    @Override
    public void run() {
      print(
          node().call("events_rotateWebhookKey", named().add(alone)),
          key -> key.isNull() ? "The newest key signs alone." : key(key));
    }
  }

  @Command(
      name = "dead",
      description = "What its receiver has refused too often.",
      footer = {"", "Example:", "  sequitur schedule webhook dead books"})
  static final class Dead extends OfOne {
    @Override
    public void run() {
      print(
          node().call("events_deadLetters", named()),
          letters -> {
            var page = NodeCalls.JSON.createObjectNode();
            page.set("events", letters);
            return letters.isEmpty() ? "Nothing is dead." : ScheduleText.eventLines(page);
          });
    }
  }

  @Command(
      name = "replay",
      description = "Sends what is dead again now, the oldest 100 at most.",
      footer = {"", "Example:", "  sequitur schedule webhook replay books"})
  static final class Replay extends OfOne {
    @Override
    public void run() {
      print(node().call("events_replay", named()), WebhookCommand::sentAgain);
    }
  }

  private static String sentAgain(JsonNode again) {
    var lines = new ArrayList<String>();
    again.forEach(
        each -> {
          var why = each.path("why").asText();
          lines.add(
              each.path("number").asText()
                  + ": "
                  + (each.path("delivered").asBoolean()
                      ? "taken"
                      : why.isEmpty() ? "not kept any more" : why));
        });
    return lines.isEmpty() ? "Nothing is dead." : String.join("\n", lines);
  }
}
