package dev.sequitur.node.rpc.query;

import java.util.List;

/** How a field is compared, by the names it has in a query: each has a short one. */
enum Operator {
  EQ("eq", "equal"),
  NEQ("neq"),
  LIKE("like"),
  LT("lt", "lessThan"),
  LTE("lte", "lessThanOrEqual"),
  GT("gt", "greaterThan"),
  GTE("gte", "greaterThanOrEqual"),
  IN("in"),
  NIN("nin"),
  NULL("null");

  private final List<String> labels;

  Operator(String... labels) {
    this.labels = List.of(labels);
  }

  /** The first is the one that messages use. */
  List<String> labels() {
    return labels;
  }

  String label() {
    return labels.getFirst();
  }
}
