package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.CanonicalDigest;
import java.util.TreeSet;

/**
 * Feeds JSON into a digest so that the same content gives the same digest however it was written:
 * the order of fields and the notation of numbers do not count, the order of elements does. No two
 * different contents give the same input: each value is preceded by its kind and its size.
 */
public final class JsonDigest {
  private JsonDigest() {}

  public static void add(CanonicalDigest digest, JsonNode node) {
    switch (node.getNodeType()) {
      case OBJECT -> {
        digest.add("object").add(node.size());
        var names = new TreeSet<String>();
        node.fieldNames().forEachRemaining(names::add);
        for (var name : names) {
          digest.add(name);
          add(digest, node.get(name));
        }
      }
      case ARRAY -> {
        digest.add("array").add(node.size());
        node.forEach(element -> add(digest, element));
      }
      case STRING -> digest.add("string").add(node.textValue());
      case NUMBER ->
          // Never toBigInteger or toPlainString: 1e999999999 would fill the memory.
          digest.add("number").add(node.decimalValue().stripTrailingZeros().toString());
      case BOOLEAN -> digest.add(node.booleanValue() ? "true" : "false");
      case NULL -> digest.add("null");
      case BINARY, MISSING, POJO ->
          throw new IllegalArgumentException(
              "No such node is read from JSON: " + node.getNodeType());
    }
  }
}
