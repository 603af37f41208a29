package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.Values;
import dev.sequitur.console.WrongOption;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What a schedule is to run. */
final class TargetOptions {
  @Option(
      names = "--pay",
      paramLabel = "AMOUNT",
      converter = WholeAmount.class,
      description = "Pay so much to --to.")
  private String pay;

  @Option(names = "--to", paramLabel = "ACCOUNT", description = "Who is paid.")
  private String to;

  @Option(names = "--say", paramLabel = "TEXT", description = "Tell the queue's listeners.")
  private String say;

  @Option(
      names = "--transaction",
      paramLabel = "JSON",
      description = "Run a private or a public transaction: the object of ptx_sendTransaction.")
  private String transaction;

  /** Money has no fractions, and what is paid is more than nothing. */
  static final class WholeAmount implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return Long.toString(Values.wholeNumber(text, 1, Long.MAX_VALUE));
    }
  }

  static ObjectNode transfer(String to, String amount) {
    return NodeCalls.JSON
        .createObjectNode()
        .put("type", "transfer")
        .put("to", to)
        .put("amount", amount);
  }

  static JsonNode object(String option, String json) {
    try {
      var object = NodeCalls.JSON.readTree(json);
      if (object.isObject()) {
        return object;
      }
    } catch (JsonProcessingException e) {
      // Falls through: the sentence is the same.
    }
    throw new WrongOption(option + " is not a JSON object, such as ptx_sendTransaction takes.");
  }

  /**
   * What is to run from now on: of a payment the amount or who is paid may be said alone.
   *
   * @param former asks what it has run so far
   */
  JsonNode changed(Supplier<JsonNode> former) {
    boolean isHalf = (pay == null) != (to == null) && say == null && transaction == null;
    if (!isHalf) {
      return target();
    }
    var paid = former.get();
    if (!paid.path("type").asText().equals("transfer")) {
      throw new WrongOption("It pays nobody yet: say --pay AMOUNT --to ACCOUNT.");
    }
    return transfer(
        to == null ? paid.path("to").asText() : to,
        pay == null ? paid.path("amount").asText() : pay);
  }

  /** Whether anything was said. */
  boolean isNamed() {
    return pay != null || to != null || say != null || transaction != null;
  }

  /** Exactly one of them must be there. */
  void check() {
    int named = (pay == null ? 0 : 1) + (say == null ? 0 : 1) + (transaction == null ? 0 : 1);
    if (named != 1 || (pay == null) != (to == null)) {
      throw new WrongOption(
          "Say what is to run: --pay AMOUNT --to ACCOUNT, or --say TEXT, or --transaction JSON.");
    }
  }

  /** As gas-priority and plans take it. */
  JsonNode target() {
    check();
    if (pay != null) {
      return transfer(to, pay);
    } else if (say != null) {
      return NodeCalls.JSON.createObjectNode().put("type", "notify").put("message", say);
    }
    return object("--transaction", transaction);
  }

  /**
   * Adds to a recurring task what it runs.
   *
   * @param target as gas-priority and plans take it
   * @return the method that schedules such a task
   */
  static String addTo(ObjectNode task, JsonNode target) {
    var type = target.path("type").asText();
    switch (type) {
      case "transfer" -> {
        task.set("recipientId", target.path("to"));
        task.set("amount", target.path("amount"));
        return "recurring_scheduleNativeTransferTask";
      }
      case "notify" -> {
        task.set("message", target.path("message"));
        return "recurring_scheduleNotifyTask";
      }
      default -> {
        task.set("transaction", target);
        return type.equals("public")
            ? "recurring_schedulePublicTransactionTask"
            : "recurring_schedulePrivateTransactionTask";
      }
    }
  }
}
