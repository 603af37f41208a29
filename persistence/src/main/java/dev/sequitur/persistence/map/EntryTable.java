package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.LevelDb.Order;
import dev.sequitur.persistence.journal.LevelDb.Visitor;
import dev.sequitur.persistence.postgres.DatabaseException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The table that holds the map, on one connection. Its order is that of the keys' bytes. */
record EntryTable(Connection connection) implements OrderedMap.Entries {
  private static final String FETCH = "SELECT key, value FROM entry WHERE key = ANY (?)";

  /** At once in the memory of this JVM, unless whoever asks wants all of more at once. */
  private static final int ROWS_AT_ONCE = 5_000;

  private static final long BYTES_AT_ONCE = 8L << 20;

  /**
   * Begins a transaction, asks whether this JVM may write, and for some entries as they are from
   * then on: all in one round trip, each after the one before has its answer.
   *
   * @throws dev.sequitur.protocol.port.StoreException if it may not
   */
  Map<Key, byte[]> begin(Fence fence, Set<Key> wanted) throws SQLException {
    var all = "BEGIN; " + fence.question() + (wanted.isEmpty() ? "" : "; " + FETCH);
    try (var statement = connection.prepareStatement(all)) {
      statement.setObject(1, fence.parameter());
      if (!wanted.isEmpty()) {
        statement.setArray(2, bytes(wanted));
      }
      statement.execute();
      statement.getMoreResults();
      try (var answer = statement.getResultSet()) {
        if (!answer.next() || !answer.getBoolean(1)) {
          throw fence.refused();
        }
      }
      if (wanted.isEmpty()) {
        return Map.of();
      }
      statement.getMoreResults();
      try (var rows = statement.getResultSet()) {
        return found(rows);
      }
    }
  }

  /** Ends a transaction that failed; its connection may be gone. */
  void rollBack(Exception cause) {
    try (var statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /** Those that are there. */
  Map<Key, byte[]> fetch(Collection<Key> wanted) throws SQLException {
    if (wanted.isEmpty()) {
      return Map.of();
    }
    try (var query = connection.prepareStatement(FETCH)) {
      query.setArray(1, bytes(wanted));
      try (var rows = query.executeQuery()) {
        return found(rows);
      }
    }
  }

  private static Map<Key, byte[]> found(ResultSet rows) throws SQLException {
    var found = new HashMap<Key, byte[]>();
    while (rows.next()) {
      found.put(Key.of(rows.getBytes(1)), rows.getBytes(2));
    }
    return found;
  }

  /**
   * Puts and deletes, and ends the transaction, usually all in one round trip.
   *
   * @param changes empty is what is deleted
   */
  void commit(Map<Key, Optional<byte[]>> changes) throws SQLException {
    var part = new Part();
    for (var change : new TreeMap<>(changes).entrySet()) {
      part.add(change.getKey(), change.getValue());
      if (part.isEnough()) {
        part.write(List.of());
        part = new Part();
      }
    }
    part.write(List.of("COMMIT"));
  }

  /** As much as goes in one statement. */
  private final class Part {
    private final List<byte[]> deleted = new ArrayList<>();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private long bytes;

    void add(Key key, Optional<byte[]> value) {
      if (value.isPresent()) {
        keys.add(key.toByteArray());
        values.add(value.get());
        bytes += value.get().length;
      } else {
        deleted.add(key.toByteArray());
      }
    }

    boolean isEnough() {
      return keys.size() + deleted.size() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE;
    }

    void write(List<String> then) throws SQLException {
      var statements = new ArrayList<String>();
      if (!deleted.isEmpty()) {
        statements.add("DELETE FROM entry WHERE key = ANY (?)");
      }
      if (!keys.isEmpty()) {
        statements.add(
            "INSERT INTO entry (key, value) SELECT * FROM unnest(?, ?)"
                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
                + " WHERE entry.value <> excluded.value");
      }
      statements.addAll(then);
      try (var all = connection.prepareStatement(String.join("; ", statements))) {
        int parameter = 1;
        for (var each :
            deleted.isEmpty() ? List.of(keys, values) : List.of(deleted, keys, values)) {
          if (!each.isEmpty()) {
            all.setArray(parameter++, array(each));
          }
        }
        all.execute();
      }
    }
  }

  private Array bytes(Collection<Key> keys) throws SQLException {
    return array(new TreeSet<>(keys).stream().map(Key::toByteArray).toList());
  }

  private Array array(List<byte[]> elements) throws SQLException {
    return connection.createArrayOf("bytea", elements.toArray(byte[][]::new));
  }

  @Override
  public Optional<byte[]> get(Key key) {
    return Optional.ofNullable(all(List.of(key)).get(key));
  }

  @Override
  public Map<Key, byte[]> all(Collection<Key> keys) {
    try {
      return fetch(keys);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public <T> List<T> list(KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
    var found = new ArrayList<T>();
    Visitor visitor =
        (key, value) -> {
          found.add(read.apply(key, value));
          return found.size() < most;
        };
    try {
      if (most > ROWS_AT_ONCE) {
        page(range, order, most, visitor);
      } else {
        visit(range, order, most, visitor);
      }
      return List.copyOf(found);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public void scan(KeyRange range, Order order, Visitor visitor) {
    try {
      page(range, order, Integer.MAX_VALUE, visitor);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** Some rows at a time, of one statement: that takes a transaction. */
  private void page(KeyRange range, Order order, int most, Visitor visitor) throws SQLException {
    connection.setAutoCommit(false);
    try {
      visit(range, order, most, visitor);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private void visit(KeyRange range, Order order, int most, Visitor visitor) throws SQLException {
    try (var query = ranged(range, order, most)) {
      query.setFetchSize(ROWS_AT_ONCE);
      try (var rows = query.executeQuery()) {
        boolean more = true;
        while (more && rows.next()) {
          more = visitor.visit(Key.of(rows.getBytes(1)), rows.getBytes(2));
        }
      }
    }
  }

  private PreparedStatement ranged(KeyRange range, Order order, int most) throws SQLException {
    var query =
        connection.prepareStatement(
            "SELECT key, value FROM entry WHERE key >= ? AND key < ? ORDER BY key"
                + switch (order) {
                  case ASCENDING -> "";
                  case DESCENDING -> " DESC";
                }
                + " LIMIT ?");
    query.setBytes(1, range.from().toByteArray());
    query.setBytes(2, range.until().toByteArray());
    query.setInt(3, most);
    return query;
  }
}
