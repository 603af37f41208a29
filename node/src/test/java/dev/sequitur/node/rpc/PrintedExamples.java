package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Examples as the reference page has them: what only a run knows stands in angle brackets. */
final class PrintedExamples {
  private PrintedExamples() {}

  /** The requests of an example, a line each. */
  static String requests(String method, JsonNode example) {
    if (!example.has("template")) {
      return line(1, method, example.path("params"));
    }
    var template = printed(example.get("template"));
    if (!template.path(0).has("build")) {
      return line(1, method, template);
    }
    var signed = template.get(0);
    var build = (ObjectNode) signed.get("build");
    if (signed.has("sigMap")) {
      build.set("sigMap", signatures(signed.get("sigMap"), "transactionBody"));
    }
    var command = JsonNodeFactory.instance.objectNode();
    command.put("bodyBytes", "<bodyBytes of the line above>");
    command.set("signatures", signatures(signed.get("signers"), "bodyBytes"));
    return line(1, "multiSignature_buildTransaction", array(build))
        + line(2, method, array(command));
  }

  /** The calls before the examples. */
  static String steps(JsonNode before) {
    var page = new StringBuilder();
    for (var step : before) {
      if (step.has("as")) {
        page.append("// ").append(step.get("as").asText()).append(":\n");
      } else if (step.has("until")) {
        page.append("// until its ")
            .append(step.at("/until/pointer").asText().substring(1))
            .append(" is ")
            .append(step.at("/until/is").asText())
            .append(":\n");
      }
      page.append(requests(step.get("method").asText(), step));
    }
    return page.toString();
  }

  private static String line(int id, String method, JsonNode params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n"
        .formatted(id, method, params);
  }

  private static ArrayNode array(JsonNode element) {
    return JsonNodeFactory.instance.arrayNode().add(element);
  }

  private static ArrayNode signatures(JsonNode names, String over) {
    var pairs = JsonNodeFactory.instance.arrayNode();
    for (var name : names) {
      pairs
          .addObject()
          .put("publicKey", "<" + name.asText() + "'s public key>")
          .put("signature", "<" + name.asText() + "'s signature over " + over + ">");
    }
    return pairs;
  }

  private static JsonNode printed(JsonNode node) {
    if (node.isTextual() && Placeholder.is(node.textValue())) {
      return JsonNodeFactory.instance.textNode(Placeholder.parse(node.textValue()).printed());
    } else if (node.isObject()) {
      var object = JsonNodeFactory.instance.objectNode();
      node.fields()
          .forEachRemaining(field -> object.set(field.getKey(), printed(field.getValue())));
      return object;
    } else if (node.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      node.forEach(element -> array.add(printed(element)));
      return array;
    }
    return node;
  }
}
