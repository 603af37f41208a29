package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What a caller sent where one of several objects may stand, told apart by a field. Whoever takes
 * it switches over the kinds, so that a kind that nobody reads does not compile.
 */
public record Choice<K>(K kind, Sent sent) {
  /** One of several kinds of objects: the constants of an enumeration, so that none lacks these. */
  public interface Kind {
    /** What the field that tells them apart has. */
    String word();

    /** Its fields but that one. */
    ObjectFormat fields();
  }

  /**
   * @param field that tells them apart
   * @param kinds those that may stand there, of one enumeration
   */
  public static <K extends Enum<K> & Kind> Format<Choice<K>> by(String field, Set<K> kinds) {
    return by(field, kinds, Kind::fields);
  }

  /**
   * The same where a kind may have other fields than elsewhere.
   *
   * @param fields of each kind here, but that one
   */
  public static <K extends Enum<K> & Kind> Format<Choice<K>> by(
      String field, Set<K> kinds, Function<K, ObjectFormat> fields) {
    Map<String, K> byWord = new LinkedHashMap<>();
    Map<K, ObjectFormat> formats = new LinkedHashMap<>();
    var words = words(EnumSet.copyOf(kinds).stream().map(Kind::word).toList());
    for (var kind : EnumSet.copyOf(kinds)) {
      byWord.put(kind.word(), kind);
      var word =
          Format.<String>ofText(kind.word(), Shape.among(List.of(kind.word())), text -> text);
      formats.put(kind, fields.apply(kind).with(Field.of(field, word, "")));
    }
    return new Format<>() {
      @Override
      public String type() {
        return "an object";
      }

      @Override
      public Choice<K> read(String path, JsonNode node) {
        if (!node.isObject()) {
          throw Format.wrongType(path, type(), node);
        }
        var place = Sent.place(path) + "." + field;
        var sent = node.path(field);
        if (sent.isMissingNode() || sent.isNull()) {
          throw Formats.wrong(place + " is missing: send " + words + ".");
        }
        var kind = byWord.get(Formats.TEXT.read(place, sent));
        if (kind == null) {
          throw Formats.wrong(place + " must be " + words + ".");
        }
        return new Choice<>(kind, formats.get(kind).read(path, node));
      }

      @Override
      public void tell(JsonNode sent, BiConsumer<Field.Mention, String> told) {
        var kind = byWord.get(sent.path(field).asText());
        if (kind != null) {
          formats.get(kind).tell(sent, told);
        }
      }

      @Override
      public JsonNode write(Choice<K> value) {
        return value.sent().object();
      }

      @Override
      public ObjectNode schema(Map<String, ObjectNode> named) {
        var schema = JsonText.object();
        var choices = schema.putArray("oneOf");
        formats.values().forEach(each -> choices.add(each.schema(named)));
        return schema;
      }
    };
  }

  /** As a sentence lists them. */
  private static String words(List<String> words) {
    if (words.size() == 1) {
      return words.get(0);
    }
    var most = new ArrayList<>(words);
    var last = most.remove(most.size() - 1);
    return String.join(", ", most) + " or " + last;
  }
}
