package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Calls of the schedules' methods that take one object, and what is often asked. */
public record ScheduleCalls(RunningRpc rpc) implements AutoCloseable {
  /** Of a node of its own, where alice can spend 1000. */
  public static ScheduleCalls withAliceFunded() {
    var calls = new ScheduleCalls(RunningRpc.withDefaults());
    calls.fund("alice", "1000");
    return calls;
  }

  public void fund(String account, String amount) {
    result("schedule_fund", "{\"account\": \"%s\", \"amount\": \"%s\"}".formatted(account, amount));
  }

  String balance(String account) {
    return rpc.result("schedule_getBalance", array(account)).asText();
  }

  JsonNode explain(JsonNode id) {
    return rpc.result("schedule_explain", array(id));
  }

  public JsonNode result(String method, String object) {
    return rpc.result(method, "[" + object + "]");
  }

  String error(String method, String object) {
    return rpc.error(method, "[" + object + "]").get("message").asText();
  }

  static JsonNode text(String text) {
    return RunningRpc.JSON.getNodeFactory().textNode(text);
  }

  /** Of one text. */
  static String array(JsonNode text) {
    return array(text.asText());
  }

  static String array(String text) {
    return RunningRpc.JSON.valueToTree(List.of(text)).toString();
  }

  @Override
  public void close() {
    rpc.close();
  }
}
