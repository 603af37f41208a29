package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.client.CallFailure;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur compare-ledger}. */
@Command(
    name = "compare-ledger",
    description = {
      "Compares all that a running node holds of a group with all blocks of the ledger.",
      "",
      "It goes on in the node if this command is ended. Exit code 0: it is the same, or was rebuilt."
          + " 1: it differs, or could not be compared.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur compare-ledger 0x1111111111111111111111111111111111111111",
      "  sequitur compare-ledger 0x1111111111111111111111111111111111111111 --rebuild"
    })
final class CompareLedgerCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  @Parameters(paramLabel = "CONTRACT", description = "The group's contract.")
  private String contract;

  @Option(
      names = "--rebuild",
      description =
          "Make what differs what the ledger shows, after which the group goes on (default: only"
              + " compare).")
  private boolean rebuild;

  @Override
  public Integer call() {
    var found =
        rebuild
            ? node()
                .call(
                    "sequencer_compareLedger",
                    JsonNodeFactory.instance.arrayNode().add(contract).add(true))
            : node().call("sequencer_compareLedger", contract);
    while (found.path("status").asText().equals("RUNNING")) {
      tell(found.path("sentence").asText());
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      found = node().call("sequencer_getLedgerComparison", contract);
    }
    if (found.isNull()) {
      throw new CallFailure(
          "The node is not in a group of %s, or was started anew meanwhile.".formatted(contract));
    }
    print(found, CompareLedgerCommand::text);
    return switch (found.path("status").asText()) {
      case "SAME", "REBUILT" -> ExitCode.OK;
      default -> ExitCode.SOFTWARE;
    };
  }

  private static String text(JsonNode found) {
    return found.path("sentence").asText();
  }
}
