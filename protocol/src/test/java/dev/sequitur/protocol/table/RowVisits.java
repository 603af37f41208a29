package dev.sequitur.protocol.table;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How often each row that moves, of all tables of the protocol, has been walked by a time. The
 * tables count from the first time that somebody asks.
 */
public final class RowVisits {
  private final Map<String, Integer> counts = new TreeMap<>();

  private RowVisits() {
    ProtocolTables.all().forEach(TransitionTable::countVisits);
    ProtocolTables.all().forEach(this::add);
  }

  /** In this JVM, until now. */
  public static RowVisits untilNow() {
    return new RowVisits();
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
    untilNow()
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
