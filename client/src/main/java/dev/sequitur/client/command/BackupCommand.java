package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sequitur backup}. */
@Command(
    name = "backup",
    description = {
      "Has a running node write a backup of all that it keeps, as it is at this moment, and waits"
          + " until it is whole. The node goes on meanwhile.",
      "",
      "It is written to backup.directory of the node's configuration, on the machine of the JVM that"
          + " is called. What a backup before has is not written again. The key seed is no part of"
          + " it: keep a copy of keys.seed elsewhere. The exit code is 1 if it has failed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur backup --node http://127.0.0.1:8545",
      "  sequitur backup --status"
    })
final class BackupCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private final Console console;

  @Option(names = "--status", description = "Begins none, and says how the last one is.")
  private boolean status;

  BackupCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    var call = new LongCall(node(), console);
    var backup =
        status
            ? node().call("node_backupStatus")
            : call.end("node_backup", "node_backupStatus", sofar -> amount(sofar) + " read");
    return call.print(out(), backup, BackupCommand::text);
  }

  private static String amount(JsonNode backup) {
    return "%s in %s"
        .formatted(
            Counted.of(backup.path("entries").asLong(), "entry", "entries"),
            Counted.of(backup.path("bytes").asLong(), "byte"));
  }

  private static String text(JsonNode backup) {
    var newest = backup.path("newest");
    var there =
        newest.isMissingNode()
            ? " There is no whole backup in %s.".formatted(backup.path("directory").asText())
            : " The newest whole one is of %s.".formatted(newest.asText());
    return switch (LongCall.state(backup)) {
      case "done" ->
          "The backup in %s is whole: %s, %s of them new there."
              .formatted(
                  backup.path("directory").asText(),
                  amount(backup),
                  Counted.of(backup.path("written").asLong(), "byte"));
      case "failed" -> "The backup has failed: " + backup.path("trouble").asText() + there;
      case "running" -> "A backup is being written: " + amount(backup) + " so far." + there;
      default ->
          backup.has("directory")
              ? "This JVM has begun no backup." + there
              : "This JVM makes no backups: backup.directory of its configuration is not set.";
    };
  }
}
