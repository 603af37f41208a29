package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.client.CallFailure;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.Values;
import dev.sequitur.console.WrongOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur receipt}. */
@Command(
    name = "receipt",
    description = {
      "How a transaction ended, or where it stands and what it waits for.",
      "",
      "Exit code 0: it succeeded. 1: it failed, or is not final yet.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur receipt 6f1c6f0e-0000-4000-8000-000000000001",
      "  sequitur receipt --key invoice-7 --wait 30s"
    })
final class ReceiptCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  @Parameters(paramLabel = "ID", arity = "0..1", description = "The transaction's id, or --key.")
  private String id;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The idempotency key that it was sent with.")
  private String key;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Values.Time.class,
      description = "Wait so long for its end, such as 30s (default: do not wait).")
  private Duration wait = Duration.ZERO;

  @Override
  public Integer call() {
    if ((id == null) == (key == null)) {
      throw new WrongOption("Name one transaction: by its id, or by --key KEY.");
    }
    long until = System.nanoTime() + wait.toNanos();
    var found = look();
    var told = "";
    while (isOpen(found) && !wait.isZero()) {
      var where = where(found);
      if (!where.equals(told)) {
        tell(where);
        told = where;
      }
      if (System.nanoTime() - until >= 0) {
        break;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      found = look();
    }
    print(isOpen(found) ? found : found.get("receipt"), ReceiptCommand::text);
    return found.at("/receipt/success").asBoolean() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private JsonNode look() {
    var known = id;
    if (known == null) {
      known = node().call("ptx_getTransactionByIdempotencyKey", key).path("id").textValue();
      if (known == null) {
        throw new CallFailure(
            "The node has no transaction with the idempotency key %s.".formatted(key));
      }
    }
    var found = node().call("ptx_getTransactionFull", known);
    return found.isNull() ? othersReceipt(known) : found;
  }

  /** Each member's node has the receipt, and only the sender's has the transaction. */
  private JsonNode othersReceipt(String known) {
    var receipt = node().call("ptx_getTransactionReceipt", known);
    if (receipt.isNull()) {
      throw new CallFailure(
          ("The node has neither a transaction %s nor a receipt of it: ask the node that it was sent"
                  + " to.")
              .formatted(known));
    }
    return JsonNodeFactory.instance.objectNode().set("receipt", receipt);
  }

  private static boolean isOpen(JsonNode transaction) {
    return transaction.path("receipt").isNull();
  }

  /** Of one that has not ended: where it is, and for whom it waits. */
  static String where(JsonNode transaction) {
    return "%s is %s at %s, in try %d. %s%s"
        .formatted(
            transaction.path("id").asText(),
            transaction.path("state").asText("of an unknown state"),
            transaction.path("delegate").asText("its own node"),
            transaction.path("attempts").asInt() + 1,
            sentence("It waits for: ", transaction.path("waitsFor").asText("")),
            lately(transaction))
        .strip();
  }

  /** Why it was not done so far, if something has happened and it does not wait for just that. */
  private static String lately(JsonNode transaction) {
    var history = transaction.path("history");
    var last = history.path(history.size() - 1);
    return last.isMissingNode()
            || transaction.path("waitsFor").asText("").endsWith(last.path("what").asText())
        ? ""
        : sentence(" Last, at " + last.path("time").asText() + ": ", last.path("what").asText(""));
  }

  private static String sentence(String before, String what) {
    return what.isEmpty() ? "" : before + what + (what.endsWith(".") ? "" : ".");
  }

  private static String text(JsonNode found) {
    if (found.has("receipt")) {
      return where(found);
    }
    var onLedger =
        found.has("blockNumber")
            ? " in block %s, in the ledger's transaction %s"
                .formatted(
                    found.path("blockNumber").asText(), found.path("transactionHash").asText())
            : "";
    return found.path("success").asBoolean()
        ? "%s succeeded%s.".formatted(found.path("id").asText(), onLedger)
        : "%s FAILED%s: %s"
            .formatted(found.path("id").asText(), onLedger, found.path("failureMessage").asText());
  }
}
