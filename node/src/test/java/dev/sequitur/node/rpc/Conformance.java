package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Holds JSON beside the schemas that the node tells: as much of JSON Schema as these use. */
final class Conformance {
  private Conformance() {}

  /** Where the JSON is not what its schema says; empty if it is. */
  static List<String> objections(JsonNode json, JsonNode schema, JsonNode schemas) {
    var found = new ArrayList<String>();
    check("result", json, schema, schemas, found);
    return found;
  }

  private static void check(
      String path, JsonNode json, JsonNode schema, JsonNode schemas, List<String> found) {
    if (json.isMissingNode() || schema.isMissingNode()) {
      return;
    } else if (schema.has("$ref")) {
      var name = schema.get("$ref").textValue().replace("#/components/schemas/", "");
      check(path, json, schemas.path(name), schemas, found);
    } else if (schema.has("oneOf")) {
      checkChoices(path, json, schema.get("oneOf"), schemas, found);
    } else if (schema.has("type") && !isOf(schema.get("type"), json)) {
      found.add(path + " is no " + schema.get("type"));
    } else if (schema.has("enum") && !has(schema.get("enum"), json)) {
      found.add(path + " is none of " + schema.get("enum"));
    } else if (schema.has("items")) {
      for (int i = 0; i < json.size(); i++) {
        check(path + "[" + i + "]", json.get(i), schema.get("items"), schemas, found);
      }
    } else if (schema.has("properties")) {
      checkFields(path, json, schema, schemas, found);
    }
  }

  private static void checkChoices(
      String path, JsonNode json, JsonNode choices, JsonNode schemas, List<String> found) {
    var all = new ArrayList<String>();
    for (var choice : choices) {
      var objections = new ArrayList<String>();
      check(path, json, choice, schemas, objections);
      if (objections.isEmpty()) {
        return;
      }
      all.addAll(objections);
    }
    found.addAll(all);
  }

  private static void checkFields(
      String path, JsonNode json, JsonNode schema, JsonNode schemas, List<String> found) {
    for (var required : schema.get("required")) {
      if (!json.has(required.textValue())) {
        found.add(path + " has no " + required.textValue());
      }
    }
    json.fields()
        .forEachRemaining(
            field -> {
              var property = schema.get("properties").path(field.getKey());
              if (property.isMissingNode()) {
                found.add(path + "." + field.getKey() + " is in no schema");
              }
              check(path + "." + field.getKey(), field.getValue(), property, schemas, found);
            });
  }

  private static boolean has(JsonNode constants, JsonNode json) {
    for (var constant : constants) {
      if (constant.equals(json)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOf(JsonNode type, JsonNode json) {
    if (type.isArray()) {
      for (var one : type) {
        if (isOf(one, json)) {
          return true;
        }
      }
      return false;
    }
    return switch (type.textValue()) {
      case "object" -> json.isObject();
      case "number" -> json.isNumber();
      case "array" -> json.isArray();
      case "string" -> json.isTextual();
      case "integer" -> json.isIntegralNumber();
      case "boolean" -> json.isBoolean();
      case "null" -> json.isNull();
      default -> throw new IllegalArgumentException("No such type: " + type);
    };
  }
}
