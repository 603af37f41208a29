package dev.sequitur.node.rpc.query;

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
}
