package dev.sequitur.client.command.schedule;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule list}. */
@Command(
    name = "list",
    description = "The schedules that wait or run.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule list",
      "  sequitur schedule list --owner alice --json",
      "  sequitur schedule list --state parked",
      "  sequitur schedule list --label rent --due-until +7d",
      "  sequitur schedule list --owner alice --order due",
      "  sequitur schedule list --key-file bob.pem",
      "  sequitur schedule list --key ed25519:…"
    })
final class ListCommand extends NodeCommand {
  @Mixin private WhoseOptions whose;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only waiting, parked, due, started, submitted or settled ones.")
  private String state;

  @Option(names = "--label", paramLabel = "LABEL", description = "Only with this label.")
  private String label;

  @Option(
      names = "--due-since",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "Only those whose next time is then or later, " + WrittenMoment.EXAMPLES + ".")
  private WrittenMoment.Time dueSince;

  @Option(
      names = "--due-until",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "Only those whose next time is before.")
  private WrittenMoment.Time dueUntil;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "id, or due: those first that are due first (default: due with a time).")
  private String order;

  @Option(names = "--after", paramLabel = "PLACE", description = "Where the page before ended.")
  private String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, 1 to 1000 (default: 100).")
  private int limit;

  @Option(
      names = {"--key", "--waiting-for"},
      paramLabel = "KEY",
      description =
          "Only multi-signature schedules that wait for the signature of this public key.")
  private String waitingFor;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "Only multi-signature schedules that wait for YOUR signature: with the key in this file.")
  private Path keyFile;

  @Override
  public void run() {
    if (waitingFor != null || keyFile != null) {
      listWaiting();
      return;
    }
    var filter =
        node()
            .command()
            .put("state", state)
            .put("label", label)
            .put("order", order)
            .put("after", after)
            .put("limit", limit);
    whose.addTo(filter);
    NodeOptions.put(filter, "dueSince", dueSince == null ? null : dueSince.text());
    NodeOptions.put(filter, "dueUntil", dueUntil == null ? null : dueUntil.text());
    print(node().call("schedule_list", filter), ScheduleText::list);
  }

  private void listWaiting() {
    if ((waitingFor != null && keyFile != null)
        || whose.areGiven()
        || state != null
        || label != null
        || order != null
        || dueSince != null
        || dueUntil != null) {
      throw new WrongOption(
          "--key-file FILE and --key KEY list all that waits for one key: name one of them,"
              + " and no other filter.");
    }
    var key = keyFile == null ? waitingFor : KeyFile.read(keyFile).publicKey();
    var params = NodeCalls.JSON.createArrayNode().add(key).add(after).add(node().queue());
    print(node().call("multiSignature_pendingFor", params), ScheduleText::pending);
  }
}
