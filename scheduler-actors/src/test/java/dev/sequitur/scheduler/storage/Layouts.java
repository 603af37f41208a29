package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.schedule.Written;
import dev.sequitur.schedule.registry.FamilyTypes;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How types are laid out, each once, in the order of their names. */
public final class Layouts {
  private final Map<String, String> lines = new TreeMap<>();
  private final QueueFormat format;

  public Layouts(QueueFormat format) {
    this.format = format;
  }

  public void add(Type type) {
    if (type instanceof java.lang.reflect.ParameterizedType generic) {
      Stream.of(generic.getActualTypeArguments()).forEach(this::add);
    } else if (type instanceof Class<?> plain
        && plain.getName().startsWith("dev.sequitur.")
        && !lines.containsKey(name(plain))) {
      addOurs(plain);
    }
  }

  private void addOurs(Class<?> type) {
    if (type.isEnum()) {
      lines.put(name(type), Stream.of(type.getEnumConstants()).map(Object::toString).toList() + "");
    } else if (type.isRecord()) {
      lines.put(
          name(type),
          Stream.of(type.getRecordComponents())
                  .map(part -> part.getName() + ": " + name(part.getGenericType()))
                  .toList()
              + "");
      Stream.of(type.getRecordComponents()).forEach(part -> add(part.getGenericType()));
    } else if (type.isInterface()) {
      var table = Alternatives.of(type, format.alternatives(), FamilyTypes::of).numbers();
      var numbers = new TreeMap<Integer, String>();
      table.forEach((leaf, number) -> numbers.put(number, name(leaf)));
      lines.put(name(type), numbers.toString());
      table.keySet().forEach(this::add);
    }
  }

  /** What is stored as the text that it was written as is one. */
  private static String name(Type type) {
    return type instanceof Class<?> plain && Written.class.isAssignableFrom(plain)
        ? name(String.class)
        : nameOf(type);
  }

  private static String nameOf(Type type) {
    return type.getTypeName()
        .replaceAll(
            "(dev\\.sequitur\\.(protocol\\.|scheduler\\.|(?=schedule\\.))|java\\.[a-z]+\\.|org\\.pcollections\\.)",
            "")
        .replace('$', '.');
  }

  public String text() {
    var text = new StringBuilder();
    lines.forEach((type, layout) -> text.append(type).append(' ').append(layout).append('\n'));
    return text.toString().strip();
  }

  /** What lies in which cell. */
  static String cells(CellPart root) {
    var text = new StringBuilder();
    cells("", root, text);
    return text.toString().strip();
  }

  private static void cells(String path, CellPart part, StringBuilder text) {
    if (part instanceof RecordPart record) {
      var components = record.record().type().getRecordComponents();
      var own = new ArrayList<String>();
      for (int i = 0; i < components.length; i++) {
        if (record.own()[i] != null) {
          own.add(components[i].getName());
        }
      }
      text.append(path).append("= ").append(own).append('\n');
      for (int i = 0; i < components.length; i++) {
        if (record.parts()[i] != null) {
          cells(path + i + ":" + components[i].getName() + " ", record.parts()[i], text);
        }
      }
    } else if (part instanceof AlternativesPart alternatives) {
      new TreeMap<>(alternatives.parts())
          .forEach((number, each) -> cells(path + "#" + number + " ", each, text));
    } else if (part instanceof MapPart map) {
      cells(path + "* ", map.content(), text);
    } else if (part instanceof LeafPart leaf) {
      text.append(path).append("= ").append(name(leaf.type())).append('\n');
    } else {
      text.append(path).append(part instanceof SetPart ? "* =" : "derived").append('\n');
    }
  }
}
