package dev.sequitur.node.rpc.query;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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

  /** By name, in their order. */
  public static <R> Map<String, QueryField<R>> table(List<QueryField<R>> fields) {
    var table = new LinkedHashMap<String, QueryField<R>>();
    fields.forEach(field -> table.put(field.name(), field));
    return table;
  }
}
