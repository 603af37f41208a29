package dev.sequitur.node.rpc.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.NearestName;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One JSON object of a caller, taken apart by type. Null counts as absent. Unknown fields are
 * ignored unless {@link #refuseUnknown} is called. Each complaint names the field by its path and
 * the type that was expected. Confined to one thread.
 */
public final class Fields {
  private static final int MAX_FORMATTED = 512;
  private static final int MAX_NAMED = 64;

  private final String path;
  private final JsonNode object;
  private final Set<String> asked = new TreeSet<>();
  private final Map<String, Fields> within = new LinkedHashMap<>();

  /**
   * @param path where the object stands, such as {@code params[0]}
   * @throws RpcFailure if it is no object
   */
  public Fields(String path, JsonNode object) {
    if (!object.isObject()) {
      throw wrongType(path, "an object", object);
    }
    this.path = path;
    this.object = object;
  }

  public String path() {
    return path;
  }

  public JsonNode object() {
    return object;
  }

  /**
   * Refuses a field that nobody has asked for, here or in an object within: misspelt, it would mean
   * something else than its caller believes. To be called when all has been read and nothing done.
   *
   * @throws RpcFailure that names the first one, and what may have been meant
   */
  public void refuseUnknown() {
    object.fieldNames().forEachRemaining(this::refuseUnknown);
    within.values().forEach(Fields::refuseUnknown);
  }

  private void refuseUnknown(String name) {
    if (asked.contains(name)) {
      return;
    }
    var shown = shown(name);
    var advice =
        NearestName.of(shown, asked)
            .map(nearest -> "Did you mean " + nearest + "?")
            .orElse("Leave it out, or look its name up in the reference.");
    throw new RpcFailure(
        ErrorCode.WRONG_TYPE, "%s is not known here. %s".formatted(pathOf(shown), advice));
  }

  private static String shown(String name) {
    if (name.length() <= MAX_NAMED) {
      return name;
    }
    // Half a character could not be written.
    int end = Character.isHighSurrogate(name.charAt(MAX_NAMED - 1)) ? MAX_NAMED - 1 : MAX_NAMED;
    return name.substring(0, end) + "…";
  }

  public Optional<JsonNode> any(String name) {
    asked.add(name);
    return Optional.ofNullable(object.get(name)).filter(node -> !node.isNull());
  }

  public Optional<String> text(String name) {
    return any(name).map(node -> text(pathOf(name), node));
  }

  public String requiredText(String name) {
    return text(name).orElseThrow(() -> missing(name, "a string"));
  }

  /** A string in a format: {@code parser} throws IllegalArgumentException with a sentence. */
  public <T> Optional<T> parsed(String name, Function<String, T> parser) {
    return text(name).map(text -> parse(pathOf(name), text, parser));
  }

  public <T> T requiredParsed(String name, String expected, Function<String, T> parser) {
    return parsed(name, parser).orElseThrow(() -> missing(name, expected));
  }

  public Optional<Fields> fields(String name) {
    return any(name).map(node -> within(name, node));
  }

  /**
   * One of an array's elements, which must be an object.
   *
   * @param name of the field that has the array
   */
  public Fields element(String name, int index, JsonNode element) {
    return within(name + "[" + index + "]", element);
  }

  private Fields within(String name, JsonNode node) {
    return within.computeIfAbsent(name, key -> new Fields(pathOf(key), node));
  }

  /** The elements of an array of at most {@code max}; empty if there is no such field. */
  public List<JsonNode> list(String name, int max) {
    var node = any(name);
    if (node.isEmpty()) {
      return List.of();
    }
    if (!node.get().isArray()) {
      throw wrongType(pathOf(name), "an array", node.get());
    }
    if (node.get().size() > max) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          "%s has %d elements; send at most %d.".formatted(pathOf(name), node.get().size(), max));
    }
    var elements = new ArrayList<JsonNode>(node.get().size());
    node.get().forEach(elements::add);
    return elements;
  }

  /** An array of strings in a format. */
  public <T> List<T> parsedList(String name, int max, Function<String, T> parser) {
    var elements = list(name, max);
    var values = new ArrayList<T>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      var path = pathOf(name) + "[" + i + "]";
      values.add(parse(path, text(path, elements.get(i)), parser));
    }
    return values;
  }

  public String pathOf(String name) {
    return path + "." + name;
  }

  private RpcFailure missing(String name, String expected) {
    return new RpcFailure(
        ErrorCode.WRONG_TYPE, "%s is missing: send %s.".formatted(pathOf(name), expected));
  }

  public static String text(String path, JsonNode node) {
    if (!node.isTextual()) {
      throw wrongType(path, "a string", node);
    }
    return node.textValue();
  }

  /** Reads a text of a short format: an id, a name, an address. */
  public static <T> T parse(String path, String text, Function<String, T> parser) {
    if (text.length() > MAX_FORMATTED) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          "%s has %d characters; send at most %d.".formatted(path, text.length(), MAX_FORMATTED));
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " cannot be read. " + e.getMessage());
    }
  }

  public static RpcFailure wrongType(String path, String expected, JsonNode actual) {
    return new RpcFailure(
        ErrorCode.WRONG_TYPE, "%s must be %s, not %s.".formatted(path, expected, nameOf(actual)));
  }

  /** What a JSON value is, with its article, for messages. */
  public static String nameOf(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case NULL -> "null";
      case BINARY, MISSING, POJO -> "nothing";
    };
  }
}
