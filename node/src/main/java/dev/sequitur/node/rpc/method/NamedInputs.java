package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.json.Field;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.RpcFailure;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * What a private function or constructor is given, in the way a domain reads it. Clients of the
 * field write it as their users wish, by the ABI that they send along: an array, an array that says
 * of each value what it is, numbers in hexadecimal digits. Here values of an array get their names,
 * and whole numbers decimal digits. What has a name already and is unknown to the ABI stays.
 */
final class NamedInputs {
  private static final Pattern HEX_NUMBER = Pattern.compile("-?0x[0-9a-fA-F]{1,64}");

  private NamedInputs() {}

  /** The entry of an ABI that makes a contract, if it has one. */
  static Optional<JsonNode> constructor(JsonNode abi) {
    return entry(abi, "constructor", "");
  }

  /** The entry of an ABI of a function of that name, if it has one. */
  static Optional<JsonNode> function(JsonNode abi, String name) {
    return entry(abi, "function", name);
  }

  private static Optional<JsonNode> entry(JsonNode abi, String type, String name) {
    return StreamSupport.stream(abi.spliterator(), false)
        .filter(entry -> entry.path("type").asText().equals(type))
        .filter(entry -> name.isEmpty() || entry.path("name").asText().equals(name))
        .findFirst();
  }

  /**
   * @param field in which the values were sent
   * @param called what the entry is called in a sentence
   * @throws RpcFailure if there are more values in an array than the entry takes, or fewer
   */
  static JsonNode of(
      Sent sent, Field<JsonNode> field, String called, JsonNode entry, JsonNode values) {
    var parameters = entry.path("inputs");
    if (values.isArray() && values.size() != parameters.size()) {
      throw sent.wrong(
          field,
          " is an array of %d, and %s takes %d: send an object, or as many."
              .formatted(values.size(), called, parameters.size()));
    }
    return named(parameters, values);
  }

  private static JsonNode named(JsonNode parameters, JsonNode values) {
    if (values.isObject()) {
      var object = JsonText.object();
      values.fields().forEachRemaining(field -> object.set(field.getKey(), field.getValue()));
      for (int i = 0; i < parameters.size(); i++) {
        var name = name(parameters, i);
        if (values.has(name)) {
          object.set(name, value(parameters.get(i), values.get(name)));
        }
      }
      return object;
    } else if (values.isArray() && values.size() == parameters.size()) {
      boolean described = isDescribed(parameters, values);
      var object = JsonText.object();
      for (int i = 0; i < parameters.size(); i++) {
        var value = described ? values.get(i).path("value") : values.get(i);
        object.set(name(parameters, i), value(parameters.get(i), value));
      }
      return object;
    }
    return values;
  }

  /** Whether each value says what it is. */
  private static boolean isDescribed(JsonNode parameters, JsonNode values) {
    for (int i = 0; i < parameters.size(); i++) {
      var value = values.get(i);
      if (value.size() != 3
          || !value.has("type")
          || !value.has("value")
          || !value.path("name").asText().equals(name(parameters, i))) {
        return false;
      }
    }
    return true;
  }

  /** One without a name is called by its place. */
  private static String name(JsonNode parameters, int place) {
    var name = parameters.get(place).path("name").asText();
    return name.isEmpty() ? Integer.toString(place) : name;
  }

  private static JsonNode value(JsonNode parameter, JsonNode value) {
    return value(parameter.path("type").asText(), parameter.path("components"), value);
  }

  private static JsonNode value(String type, JsonNode components, JsonNode value) {
    if (type.endsWith("]") && value.isArray()) {
      var element = type.substring(0, Math.max(0, type.lastIndexOf('[')));
      var array = JsonNodeFactory.instance.arrayNode();
      value.forEach(each -> array.add(value(element, components, each)));
      return array;
    } else if (type.equals("tuple")) {
      return named(components, value);
    } else if (isWhole(type) && HEX_NUMBER.matcher(value.asText()).matches()) {
      var digits = value.asText();
      return JsonNodeFactory.instance.textNode(
          new BigInteger(digits.replaceFirst("0x", ""), 16).toString());
    }
    return value;
  }

  private static boolean isWhole(String type) {
    return (type.startsWith("uint") || type.startsWith("int")) && !type.endsWith("]");
  }
}
