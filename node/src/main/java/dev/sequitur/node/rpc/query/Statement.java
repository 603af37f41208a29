package dev.sequitur.node.rpc.query;

import java.util.List;

/**
 * Conditions that must all hold, and, if there are alternatives, one of those.
 *
 * @param or empty if there are no alternatives
 */
record Statement<R>(List<Condition<R>> all, List<Statement<R>> or) {
  Statement {
    all = List.copyOf(all);
    or = List.copyOf(or);
  }

  boolean holds(R row) {
    return all.stream().allMatch(condition -> condition.holds(row))
        && (or.isEmpty() || or.stream().anyMatch(statement -> statement.holds(row)));
  }
}
