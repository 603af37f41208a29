package dev.sequitur.node.rpc.query;

import java.util.Arrays;
import java.util.Optional;

/** How a field is compared, by the name it has in a query. */
enum Operator {
  EQ("eq"),
  NEQ("neq"),
  LIKE("like"),
  LT("lt"),
  LTE("lte"),
  GT("gt"),
  GTE("gte"),
  IN("in"),
  NULL("null");

  private final String label;

  Operator(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  static Optional<Operator> of(String label) {
    return Arrays.stream(values()).filter(operator -> operator.label.equals(label)).findFirst();
  }
}
