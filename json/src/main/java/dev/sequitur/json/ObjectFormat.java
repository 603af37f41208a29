package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.text.NearestName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An object that callers send, by its fields: what reads it, refuses it and tells its schema. A
 * field that it does not know is refused, since misspelt it would mean something else than its
 * caller believes; unless the object is {@link #open}.
 */
public final class ObjectFormat implements Format<Sent> {
  private static final int MAX_NAMED = 64;

  private final String name;
  private final List<Field<?>> fields;
  private final boolean open;

  private ObjectFormat(String name, List<Field<?>> fields, boolean open) {
    this.name = name;
    this.fields = List.copyOf(fields);
    this.open = open;
  }

  /**
   * @param name under which the reference and the OpenRPC document tell it, once
   */
  public static ObjectFormat of(String name, Field<?>... fields) {
    return new ObjectFormat(name, List.of(fields), false);
  }

  /** The same with more fields. */
  public ObjectFormat with(List<? extends Field<?>> more) {
    return named(name, Stream.concat(fields.stream(), more.stream()).toList());
  }

  public ObjectFormat with(Field<?>... more) {
    return with(List.of(more));
  }

  /** The same fields under another name. */
  public ObjectFormat named(String other) {
    return named(other, fields);
  }

  private ObjectFormat named(String other, List<Field<?>> all) {
    return new ObjectFormat(other, all, open);
  }

  /** The same, ignoring what it does not know. */
  public ObjectFormat open() {
    return new ObjectFormat(name, fields, true);
  }

  /**
   * What is made of its fields.
   *
   * @param written how that is written, by the same fields
   */
  public <T> Format<T> as(Function<Sent, T> reader, Shape<? super T> written) {
    return Format.of(
            type(),
            Shape.composed(type(), this::schema, (T value) -> written.write(value)),
            (path, node) -> reader.apply(read(path, node)))
        .telling(this);
  }

  public String name() {
    return name;
  }

  public List<Field<?>> fields() {
    return fields;
  }

  /** One without a field, for a parameter that may be left out. */
  public Sent empty(String path) {
    return read(path, JsonText.object());
  }

  @Override
  public Sent read(String path, JsonNode node) {
    if (!node.isObject()) {
      throw Format.wrongType(path, type(), node);
    }
    var place = Sent.place(path);
    var values = new HashMap<Field<?>, Object>();
    for (var field : fields) {
      if (field.required() && !node.hasNonNull(field.name())) {
        // It may be there, misspelt.
        refuseUnknown(place, node);
      }
      field
          .read(place + "." + field.name(), node.get(field.name()))
          .ifPresent(value -> values.put(field, value));
    }
    refuseUnknown(place, node);
    return new Sent(this, place, node, values);
  }

  @Override
  public void tell(JsonNode sent, BiConsumer<Field.Mention, String> told) {
    fields.forEach(field -> field.tell(sent.get(field.name()), told));
  }

  /**
   * As {@link #tell}, of the parameters of a call.
   *
   * @param params an array
   */
  public void tellByPosition(JsonNode params, BiConsumer<Field.Mention, String> told) {
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).tell(params.get(i), told);
    }
  }

  /**
   * Reads them as the parameters of a call, by position.
   *
   * @param params an array, of which no more is read than there are fields
   */
  public Sent byPosition(JsonNode params) {
    var values = new HashMap<Field<?>, Object>();
    for (int i = 0; i < params.size(); i++) {
      var field = fields.get(i);
      if (field.required() || !params.get(i).isNull()) {
        var path = "params[%d] (%s)".formatted(i, field.name());
        values.put(field, field.format().read(path, params.get(i)));
      }
    }
    return new Sent(this, "params", params, values);
  }

  private void refuseUnknown(String place, JsonNode node) {
    if (!open) {
      var known = fields.stream().map(Field::name).toList();
      node.fieldNames()
          .forEachRemaining(
              field -> {
                if (!known.contains(field)) {
                  throw unknown(place, field, known);
                }
              });
    }
  }

  private static Unreadable unknown(String place, String field, List<String> known) {
    var shown = shown(field);
    var advice =
        NearestName.of(shown, known)
            .map(nearest -> "Did you mean " + nearest + "?")
            .orElse("Leave it out, or look its name up in the reference.");
    return Unreadable.wrongType("%s.%s is not known here. %s".formatted(place, shown, advice));
  }

  private static String shown(String name) {
    if (name.length() <= MAX_NAMED) {
      return name;
    }
    // Half a character could not be written.
    int end = Character.isHighSurrogate(name.charAt(MAX_NAMED - 1)) ? MAX_NAMED - 1 : MAX_NAMED;
    return name.substring(0, end) + "…";
  }

  @Override
  public String type() {
    return "an object";
  }

  @Override
  public JsonNode write(Sent value) {
    return value.object();
  }

  @Override
  public ObjectNode schema(Map<String, ObjectNode> named) {
    if (!named.containsKey(name)) {
      var schema = JsonText.object().put("type", "object");
      // Before its fields, so that one that refers back to it ends there.
      named.put(name, schema);
      var properties = schema.putObject("properties");
      var required = new ArrayList<String>();
      for (var field : fields) {
        properties.set(field.name(), property(field, named));
        if (field.required()) {
          required.add(field.name());
        }
      }
      var names = schema.putArray("required");
      required.forEach(names::add);
      if (!open) {
        schema.put("additionalProperties", false);
      }
    }
    return JsonText.object().put("$ref", "#/components/schemas/" + name);
  }

  private static <T> ObjectNode property(Field<T> field, Map<String, ObjectNode> named) {
    var property = field.format().schema(named);
    if (!field.doc().isEmpty()) {
      property.put("description", field.doc());
    }
    field.standard().ifPresent(value -> property.set("default", field.format().write(value)));
    return property;
  }
}
