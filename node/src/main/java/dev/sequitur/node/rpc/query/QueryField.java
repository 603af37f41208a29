package dev.sequitur.node.rpc.query;

import dev.sequitur.json.ObjectShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A field of rows that can be asked for.
 *
 * @param value of a row; empty where the row has none. Of the type that {@code kind} reads
 */
public record QueryField<R>(
    String name, FieldKind kind, Function<R, Optional<? extends Comparable<?>>> value) {

  /** A field that every row has. */
  public static <R> QueryField<R> of(
      String name, FieldKind kind, Function<R, Comparable<?>> value) {
    return new QueryField<>(name, kind, row -> Optional.of(value.apply(row)));
  }

  /**
   * A field that is shown too: what is compared is what is written.
   *
   * @param name of a field of {@code shown}
   */
  public static <R> QueryField<R> of(ObjectShape<R> shown, String name) {
    return shown.fields().stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .map(QueryField::of)
        .orElseThrow(() -> new IllegalStateException(shown.name() + " shows no " + name + "."));
  }

  private static <R, V> QueryField<R> of(ObjectShape.Field<R, V> shown) {
    var kind = FieldKind.of(shown.shape());
    return new QueryField<>(
        shown.name(),
        kind,
        row -> shown.value().apply(row).map(value -> kind.compared(shown.shape(), value)));
  }

  /** Some of the fields that are shown, in this order. */
  public static <R> Map<String, QueryField<R>> table(ObjectShape<R> shown, String... names) {
    return table(Stream.of(names).map(name -> of(shown, name)).toList());
  }

  /** By name, in their order. */
  public static <R> Map<String, QueryField<R>> table(List<QueryField<R>> fields) {
    var table = new LinkedHashMap<String, QueryField<R>>();
    fields.forEach(field -> table.put(field.name(), field));
    return table;
  }
}
