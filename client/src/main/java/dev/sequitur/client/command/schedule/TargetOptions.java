package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import picocli.CommandLine.Option;

/** What a schedule is to run. */
final class TargetOptions {
  @Option(names = "--pay", paramLabel = "AMOUNT", description = "Pay so much to --to.")
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

  boolean pays() {
    return pay != null;
  }

  boolean says() {
    return say != null;
  }

  String pay() {
    return pay;
  }

  String to() {
    return to;
  }

  String say() {
    return say;
  }

  /** The object of {@code --transaction}. */
  JsonNode transaction() {
    return object("--transaction", transaction);
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
    var target = NodeCalls.JSON.createObjectNode();
    if (pays()) {
      return target.put("type", "transfer").put("to", to).put("amount", pay);
    } else if (says()) {
      return target.put("type", "notify").put("message", say);
    }
    return transaction();
  }
}
