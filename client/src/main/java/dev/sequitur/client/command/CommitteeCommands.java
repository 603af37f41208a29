package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Those of {@code sequitur group} that show and change who is in a group. */
final class CommitteeCommands {
  /** Blocks from now in which operators agree, if nothing else is said. */
  private static final int UNTIL = 1_000;

  private CommitteeCommands() {}

  /** Adds them to the command of groups. */
  static CommandLine addTo(CommandLine group) {
    return group
        .addSubcommand(new Committee())
        .addSubcommand(new Changes())
        .addSubcommand(new Change())
        .addSubcommand(new Agree())
        .addSubcommand(new Withdraw());
  }

  /** What another operator pastes to agree to the same. */
  private static String agreeLine(JsonNode change) {
    return "sequitur group agree %s --number %s --threshold %s --change-threshold %s --until %s %s"
        .formatted(
            change.path("contractAddress").asText(),
            change.path("number").asText(),
            change.path("threshold").asText(),
            change.path("changeThreshold").asText(),
            change.path("until").asText(),
            String.join(" ", members(change)));
  }

  private static List<String> members(JsonNode quorum) {
    var members = new ArrayList<String>();
    quorum
        .path("members")
        .forEach(
            member ->
                members.add(
                    member.path("identity").asText() + "=" + member.path("verifier").asText()));
    return members;
  }

  private static String listed(JsonNode texts) {
    return String.join(", ", AskingCommand.texts(texts));
  }

  private static String text(JsonNode change) {
    var lines = new ArrayList<String>();
    lines.add(
        "Change %s of %s is %s here; signed by %s."
            .formatted(
                change.path("number").asText(),
                change.path("contractAddress").asText(),
                change.path("state").asText(),
                change.path("signed").isEmpty() ? "nobody yet" : listed(change.path("signed"))));
    if (change.has("note")) {
      lines.add(change.path("note").asText());
    }
    var unsigned = change.path("unsigned");
    if (!unsigned.path("newKeys").isEmpty()) {
      lines.add("New keys that have not signed: " + listed(unsigned.path("newKeys")) + ".");
    }
    if (unsigned.path("needed").asInt() > 0) {
      lines.add(
          "Of the members %s, %s more must sign."
              .formatted(listed(unsigned.path("others")), unsigned.path("needed").asText()));
    }
    if (!unsigned.isMissingNode()) {
      lines.add("To agree to the same at another node:");
      lines.add("  " + agreeLine(change));
    } else if (change.path("state").asText().equals("in_force")) {
      lines.add("A node of its members that has lost its records comes back with:");
      lines.add("  " + agreeLine(change));
    }
    return String.join("\n", lines);
  }

  private abstract static class OfCommittee extends AskingCommand.OfGroup implements Runnable {
    final JsonNode standing() {
      return node().call("sequencer_getCommittee", address());
    }

    final void agree(ObjectNode change) {
      var params = NodeCalls.JSON.createArrayNode().add(address()).add(change);
      print(node().call("sequencer_changeCommittee", params), CommitteeCommands::text);
    }
  }

  private static ObjectNode quorum(Map<String, String> members, int threshold, int changes) {
    var quorum = NodeCalls.JSON.createObjectNode();
    var list = quorum.putArray("members");
    members.forEach(
        (identity, key) -> list.addObject().put("identity", identity).put("verifier", key));
    return quorum.put("threshold", threshold).put("changeThreshold", changes);
  }

  @Command(
      name = "committee",
      description = "Who is in a group by which keys, and the change that was agreed to last here.",
      footer = {"", "Example:", "  sequitur group committee 0x…"})
  private static final class Committee extends OfCommittee {
    @Override
    public void run() {
      print(standing(), this::text);
    }

    private String text(JsonNode standing) {
      if (standing.isNull()) {
        return "The node is in no group with the contract %s.".formatted(address());
      }
      var lines = new ArrayList<String>();
      lines.add(
          "After change %s; %s must endorse, %s must sign for another committee:"
              .formatted(
                  standing.path("number").asText(),
                  standing.path("threshold").asText(),
                  standing.path("changeThreshold").asText()));
      members(standing).forEach(member -> lines.add("  " + member));
      if (standing.has("change")) {
        lines.add(CommitteeCommands.text(standing.path("change")));
      }
      return String.join("\n", lines);
    }
  }

  @Command(
      name = "changes",
      description = "The changes of committees that are open at this node, and who has not signed.",
      footer = {"", "Example:", "  sequitur group changes"})
  private static final class Changes extends AskingCommand implements Runnable {
    @Override
    public void run() {
      print(
          node().call("sequencer_openCommitteeChanges"),
          changes -> {
            var all = new ArrayList<String>();
            changes.forEach(change -> all.add(text(change)));
            return all.isEmpty() ? "No change is open at this node." : String.join("\n", all);
          });
    }
  }

  @Command(
      name = "change",
      description = {
        "Agrees to another committee, made of the one that stands.",
        "Prints the line by which other operators agree to the same."
      },
      footer = {
        "",
        "Examples:",
        "  sequitur group change 0x… --add carol@node3 --threshold 2",
        "  sequitur group change 0x… --remove bob@node2",
        "  sequitur group change 0x… --key bob@node2",
        "",
        "A key that is not given is asked of the member's node."
      })
  private static final class Change extends OfCommittee {
    @Option(
        names = "--add",
        paramLabel = "MEMBER[=KEY]",
        description = "A new member; may be repeated.")
    private List<String> added = List.of();

    @Option(
        names = "--remove",
        paramLabel = "MEMBER",
        description = "A member that leaves; may be repeated.")
    private List<String> removed = List.of();

    @Option(
        names = "--key",
        paramLabel = "MEMBER[=KEY]",
        description = "A member that gets another key; may be repeated.")
    private List<String> keys = List.of();

    @Option(
        names = "--threshold",
        paramLabel = "N",
        description = "How many must endorse afterwards (default: as before, and all if all did).")
    private Optional<Integer> threshold = Optional.empty();

    @Option(
        names = "--change-threshold",
        paramLabel = "N",
        description =
            "How many must sign the next change (default: as before, and all if all did).")
    private Optional<Integer> changeThreshold = Optional.empty();

    @Option(
        names = "--until",
        paramLabel = "BLOCK",
        description = {
          "The last block that takes the change, and endorsements of the committee of now",
          "(default: " + UNTIL + " blocks from now)."
        })
    private Optional<Long> until = Optional.empty();

    @Override
    public void run() {
      var standing = standing();
      if (standing.isNull()) {
        throw new CallFailure(
            "The node is in no group with the contract %s: agree by 'sequitur group agree', with the line that another operator gives you."
                .formatted(address()));
      }
      var members = new LinkedHashMap<String, String>();
      standing
          .path("members")
          .forEach(
              each -> members.put(each.path("identity").asText(), each.path("verifier").asText()));
      int before = members.size();
      removed.forEach(
          identity -> {
            if (members.remove(identity) == null) {
              throw noMember(identity);
            }
          });
      for (var given : keys) {
        if (!members.containsKey(identity(given))) {
          throw noMember(identity(given));
        }
        members.put(identity(given), key(given));
      }
      for (var given : added) {
        if (members.putIfAbsent(identity(given), key(given)) != null) {
          throw new CallFailure(
              identity(given) + " is a member already: --key gives it another key.");
        }
      }
      int endorse = threshold.orElseGet(() -> as(standing, "threshold", before, members.size()));
      int change =
          changeThreshold.orElseGet(() -> as(standing, "changeThreshold", before, members.size()));
      var asked =
          quorum(members, endorse, change)
              .put("number", standing.path("number").asInt() + 1)
              .put("until", until.orElseGet(this::until));
      agree(asked);
    }

    private static CallFailure noMember(String identity) {
      return new CallFailure(identity + " is no member of the group.");
    }

    private static int as(JsonNode standing, String name, int before, int after) {
      int was = standing.path(name).asInt();
      return was == before ? after : Math.min(was, after);
    }

    private long until() {
      return node().call("bidx_getConfirmedBlockHeight").asLong() + UNTIL;
    }

    private static String identity(String given) {
      int end = given.indexOf('=');
      return end < 0 ? given : given.substring(0, end);
    }

    private String key(String given) {
      int end = given.indexOf('=');
      return end < 0
          ? node()
              .call("ptx_resolveVerifier", given, "ecdsa:secp256k1", "hex_pubkey_compressed_0x")
              .asText()
          : given.substring(end + 1);
    }
  }

  @Command(
      name = "agree",
      description = "Agrees to a change of a committee, in the words of another operator.",
      footer = {
        "",
        "Example:",
        "  sequitur group agree 0x… --number 1 --threshold 2 --change-threshold 2 --until 5000 alice@node1=0x… bob@node2=0x…"
      })
  private static final class Agree extends OfCommittee {
    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "MEMBER=KEY",
        description = "All that there are afterwards, in the same order.")
    private Map<String, String> members;

    @Option(names = "--number", required = true, paramLabel = "N", description = "Of the change.")
    private int number;

    @Option(
        names = "--threshold",
        required = true,
        paramLabel = "N",
        description = "How many must endorse afterwards.")
    private int threshold;

    @Option(
        names = "--change-threshold",
        required = true,
        paramLabel = "N",
        description = "How many must sign the next change.")
    private int changeThreshold;

    @Option(
        names = "--until",
        required = true,
        paramLabel = "BLOCK",
        description = "The last block that takes the change.")
    private long until;

    @Override
    public void run() {
      var asked =
          quorum(members, threshold, changeThreshold).put("number", number).put("until", until);
      agree(asked);
    }
  }

  @Command(
      name = "withdraw",
      description =
          "Takes back what this node's operator has agreed to, if not enough have signed.",
      footer = {"", "Example:", "  sequitur group withdraw 0x…"})
  private static final class Withdraw extends OfCommittee {
    @Override
    public void run() {
      print(
          node().call("sequencer_withdrawCommitteeChange", address()),
          change ->
              change.isNull() ? "Nothing was agreed to of %s.".formatted(address()) : text(change));
    }
  }
}
