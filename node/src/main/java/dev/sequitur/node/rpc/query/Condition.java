package dev.sequitur.node.rpc.query;

import java.util.List;

/**
 * One comparison. Where a row has no value, nothing but {@code null} and {@code neq} holds of it.
 *
 * @param values one, several for {@code in}, none for {@code null}
 * @param not turns the result round
 */
record Condition<R>(
    QueryField<R> field, Operator operator, List<Comparable<?>> values, boolean not) {
  Condition {
    values = List.copyOf(values);
  }

  boolean holds(R row) {
    return not != compare(row);
  }

  private boolean compare(R row) {
    var actual = field.value().apply(row);
    if (actual.isEmpty()) {
      return operator == Operator.NULL || operator == Operator.NEQ;
    }
    var value = actual.get();
    return switch (operator) {
      case EQ -> value.equals(values.get(0));
      case NEQ -> !value.equals(values.get(0));
      case LIKE -> LikePattern.matches((String) values.get(0), (String) value);
      case LT -> order(value, values.get(0)) < 0;
      case LTE -> order(value, values.get(0)) <= 0;
      case GT -> order(value, values.get(0)) > 0;
      case GTE -> order(value, values.get(0)) >= 0;
      case IN -> values.contains(value);
      case NULL -> false;
    };
  }

  /** Both are of the one type that the field's kind reads. */
  @SuppressWarnings("unchecked")
  static int order(Comparable<?> a, Comparable<?> b) {
    return ((Comparable<Object>) a).compareTo(b);
  }
}
