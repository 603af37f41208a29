package dev.sequitur.node.rpc.query;

import java.util.List;
import java.util.Locale;

/**
 * One comparison. Where a row has no value, nothing but {@code null}, {@code neq} and {@code nin}
 * holds of it.
 *
 * @param values one, several for {@code in} and {@code nin}, none for {@code null}
 * @param not turns the result round
 * @param ignoresCase texts are the same in capitals and in small letters
 */
record Condition<R>(
    QueryField<R> field,
    Operator operator,
    List<Comparable<?>> values,
    boolean not,
    boolean ignoresCase) {
  Condition {
    values = ignoresCase ? values.stream().<Comparable<?>>map(Condition::small).toList() : values;
    values = List.copyOf(values);
  }

  private static Comparable<?> small(Comparable<?> text) {
    return ((String) text).toLowerCase(Locale.ROOT);
  }

  boolean holds(R row) {
    return not != compare(row);
  }

  private boolean compare(R row) {
    var actual = field.value().apply(row);
    if (actual.isEmpty()) {
      return operator == Operator.NULL || operator == Operator.NEQ || operator == Operator.NIN;
    }
    var value = ignoresCase ? small(actual.get()) : actual.get();
    return switch (operator) {
      case EQ -> value.equals(values.get(0));
      case NEQ -> !value.equals(values.get(0));
      case LIKE -> LikePattern.matches((String) values.get(0), (String) value);
      case LT -> order(value, values.get(0)) < 0;
      case LTE -> order(value, values.get(0)) <= 0;
      case GT -> order(value, values.get(0)) > 0;
      case GTE -> order(value, values.get(0)) >= 0;
      case IN -> values.contains(value);
      case NIN -> !values.contains(value);
      case NULL -> false;
    };
  }

  /** Whether nothing but its value will do, as it is stored: then a look-up finds the row. */
  boolean isExact() {
    return operator == Operator.EQ && !not && !ignoresCase;
  }

  /** Both are of the one type that the field's kind reads. */
  @SuppressWarnings("unchecked")
  static int order(Comparable<?> a, Comparable<?> b) {
    return ((Comparable<Object>) a).compareTo(b);
  }
}
