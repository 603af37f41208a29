package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur group}: shows what there is, makes groups, and agrees to who is in them. */
@Command(
    name = "group",
    description = "The privacy groups of a running node.",
    footer = {
      "",
      "Examples:",
      "  sequitur group create --domain token --name traders alice@node1 bob@node2",
      "  sequitur group list",
      "  sequitur group show 0x…",
      "  sequitur group change 0x… --key bob@node2"
    })
final class GroupCommand extends CommandGroup implements EndsAtOnce {
  private GroupCommand() {}

  /** With all its own commands. */
  static CommandLine commandLine() {
    return CommitteeCommands.addTo(
        new CommandLine(new GroupCommand())
            .addSubcommand(new Create())
            .addSubcommand(new ListAll())
            .addSubcommand(new Show()));
  }

  private static String line(JsonNode group) {
    return "%s  %s  %s  %s"
        .formatted(
            group.path("contractAddress").asText("not confirmed yet"),
            group.path("domain").asText(),
            group.path("name").asText(),
            String.join(", ", AskingCommand.texts(group.path("members"))));
  }

  @Command(
      name = "create",
      description = "Makes a privacy group, and prints its id.",
      footer = {
        "",
        "Example:",
        "  sequitur group create --domain token --name traders alice@node1 bob@node2"
      })
  private static final class Create extends AskingCommand implements Runnable {
    @Option(
        names = "--domain",
        required = true,
        paramLabel = "DOMAIN",
        description = "Whose rules it follows, such as token or record.")
    private String domain;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Its name.")
    private String name;

    @Option(
        names = "--configure",
        paramLabel = "KEY=VALUE",
        description = "What the domain is to know, such as threshold=2; may be repeated.")
    private Map<String, String> configuration = Map.of();

    @Parameters(
        paramLabel = "MEMBER",
        arity = "1..*",
        description = "Its members, such as alice@node1.")
    private List<String> members;

    @Override
    public void run() {
      var group = NodeCalls.JSON.createObjectNode().put("domain", domain).put("name", name);
      members.forEach(group.putArray("members")::add);
      group.putObject("properties");
      var given = group.putObject("configuration");
      configuration.forEach(
          (key, value) -> {
            if (value.matches("[0-9]{1,9}")) {
              given.put(key, Integer.parseInt(value));
            } else {
              given.put(key, value);
            }
          });
      print(
          node().call("pgroup_createGroup", NodeCalls.JSON.createArrayNode().add(group)),
          made ->
              "The group's id is %s; its contract is confirmed when 'sequitur group list' shows its address."
                  .formatted(made.path("id").asText()));
    }
  }

  @Command(
      name = "list",
      description = "The groups that this node knows, the newest first.",
      footer = {"", "Example:", "  sequitur group list --limit 20"})
  private static final class ListAll extends AskingCommand implements Runnable {
    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "At most so many (default: 100).")
    private int limit;

    @Override
    public void run() {
      var query = NodeCalls.JSON.createObjectNode().put("limit", limit);
      print(
          node().call("pgroup_queryGroups", NodeCalls.JSON.createArrayNode().add(query)),
          groups -> {
            var lines = new ArrayList<String>();
            groups.forEach(group -> lines.add(line(group)));
            return lines.isEmpty()
                ? "The node is in no group: 'sequitur group create' makes one."
                : String.join("\n", lines);
          });
    }
  }

  @Command(
      name = "show",
      description = "A group, and which node coordinates it now and why.",
      footer = {"", "Example:", "  sequitur group show 0x…"})
  private static final class Show extends AskingCommand.OfGroup implements Callable<Integer> {
    @Override
    public Integer call() {
      var group = node().call("pgroup_getGroupByAddress", address());
      if (group.isNull()) {
        throw new CallFailure(
            "The node knows no group with the contract %s: 'sequitur group list' shows those that it knows."
                .formatted(address()));
      }
      var coordinator = node().call("sequencer_getCoordinator", address());
      var both = NodeCalls.JSON.createObjectNode();
      both.set("group", group);
      both.set("coordinator", coordinator);
      print(both, Show::text);
      return ExitCode.OK;
    }

    private static String text(JsonNode both) {
      var lines = new ArrayList<String>();
      lines.add(line(both.path("group")));
      var view = both.path("coordinator");
      if (!view.isNull()) {
        lines.add(
            "At block %s, in a range of %s blocks, %s coordinates:"
                .formatted(
                    view.path("blockHeight").asText(),
                    view.path("rangeSize").asText(),
                    view.path("coordinator").asText("nobody")));
      }
      for (var ranked : view.path("ranking")) {
        lines.add(
            "  %s. %s: %s"
                .formatted(
                    ranked.path("rank").asText(),
                    ranked.path("identity").asText(),
                    ranked.path("reason").asText()));
      }
      return String.join("\n", lines);
    }
  }
}
