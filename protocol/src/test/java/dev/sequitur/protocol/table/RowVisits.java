package dev.sequitur.protocol.table;

import dev.sequitur.protocol.table.TransitionTable.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How often each row that moves, of some tables, has been walked by a time. The tables count from
 * the first time that somebody asks.
 */
public final class RowVisits {
  private final Map<String, Integer> counts = new TreeMap<>();

  private final List<TransitionTable<?, ?, ?>> tables;

  private RowVisits(List<TransitionTable<?, ?, ?>> tables) {
    this.tables = tables;
    tables.forEach(TransitionTable::countVisits);
    tables.forEach(this::add);
  }

  /** In this JVM, until now. */
  public static RowVisits untilNow(List<TransitionTable<?, ?, ?>> tables) {
    return new RowVisits(tables);
  }

  private <S extends Enum<S>, E extends Enum<E>, A> void add(TransitionTable<S, E, A> table) {
    for (var row : table.rows()) {
      if (row.kind() == Kind.MOVE) {
        counts.put(
            table.name() + ": " + row.event() + " in " + row.state(),
            table.visits(row.state(), row.event()));
      }
    }
  }

  /** The rows that nobody has walked since then, each as {@code table: EVENT in STATE}. */
  public TreeSet<String> notWalkedSince() {
    var missed = new TreeSet<String>();
    untilNow(tables)
        .counts
        .forEach(
            (row, count) -> {
              if (count.equals(counts.get(row))) {
                missed.add(row);
              }
            });
    return missed;
  }
}
