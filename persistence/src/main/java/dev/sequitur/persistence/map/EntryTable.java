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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The table that holds the map, on one connection. Its order is that of the keys' bytes. */
record EntryTable(Connection connection) implements OrderedMap.Entries {
  private static final String FETCH = "SELECT key, value FROM entry WHERE key = ANY (?)";

  /** In their order, so that of two who read the same none waits for the other. */
  private static final String UNCHANGED =
      "SELECT refuse_unless(coalesce((SELECT array_agg(value ORDER BY key) FROM"
          + " (SELECT key, value FROM entry WHERE key = ANY (?) ORDER BY key FOR UPDATE) AS now),"
          + " '{}') = ?)";

  private static final String UNIQUE_VIOLATION = "23505";

  /** The class of what two transactions do to each other. */
  private static final String CONFLICTS = "40";

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
    write(new Part(), changes, Set.of());
  }

  /**
   * A transaction that puts and deletes if what was read is still so, usually all in one round
   * trip. Who has read the same, and puts it, waits until it has ended.
   *
   * @param read what must be stored now, empty what must be missing
   * @param changes empty is what is deleted
   * @throws SQLException with a state that {@link #isOvertaken} if it is not so
   */
  void commitIfUnchanged(Map<Key, Optional<byte[]>> read, Map<Key, Optional<byte[]>> changes)
      throws SQLException {
    var first = new Part();
    first.begin(new TreeMap<>(read));
    var missing = new HashSet<Key>();
    read.forEach(
        (key, value) -> {
          if (value.isEmpty()) {
            missing.add(key);
          }
        });
    write(first, changes, missing);
  }

  /** Whether it failed since another JVM was faster, or each of two has waited for the other. */
  static boolean isOvertaken(SQLException failure) {
    var state = String.valueOf(failure.getSQLState());
    return state.equals(UNIQUE_VIOLATION) || state.startsWith(CONFLICTS);
  }

  private void write(Part first, Map<Key, Optional<byte[]>> changes, Set<Key> missing)
      throws SQLException {
    var part = first;
    for (var change : new TreeMap<>(changes).entrySet()) {
      part.add(change.getKey(), change.getValue(), missing.contains(change.getKey()));
      if (part.isEnough()) {
        part.write(List.of());
        part = new Part();
      }
    }
    part.write(List.of("COMMIT"));
  }

  /** As much as goes in one round trip. */
  private final class Part {
    private final List<String> statements = new ArrayList<>();
    private final List<List<byte[]>> parameters = new ArrayList<>();
    private final List<byte[]> deleted = new ArrayList<>();
    private final Rows made = new Rows();
    private final Rows put = new Rows();
    private long bytes;

    private record Rows(List<byte[]> keys, List<byte[]> values) {
      Rows() {
        this(new ArrayList<>(), new ArrayList<>());
      }

      void add(Key key, byte[] value) {
        keys.add(key.toByteArray());
        values.add(value);
      }
    }

    /** Comes before all else. */
    void begin(SortedMap<Key, Optional<byte[]>> read) {
      statements.add("BEGIN");
      if (!read.isEmpty()) {
        add(
            UNCHANGED,
            read.keySet().stream().map(Key::toByteArray).toList(),
            read.values().stream().flatMap(Optional::stream).toList());
      }
    }

    void add(Key key, Optional<byte[]> value, boolean isNew) {
      if (value.isPresent()) {
        (isNew ? made : put).add(key, value.get());
        bytes += value.get().length;
      } else {
        deleted.add(key.toByteArray());
      }
    }

    @SafeVarargs
    private void add(String statement, List<byte[]>... arrays) {
      statements.add(statement);
      parameters.addAll(List.of(arrays));
    }

    boolean isEnough() {
      return made.keys.size() + put.keys.size() + deleted.size() >= ROWS_AT_ONCE
          || bytes >= BYTES_AT_ONCE;
    }

    void write(List<String> then) throws SQLException {
      if (!deleted.isEmpty()) {
        add("DELETE FROM entry WHERE key = ANY (?)", deleted);
      }
      if (!made.keys.isEmpty()) {
        add("INSERT INTO entry (key, value) SELECT * FROM unnest(?, ?)", made.keys, made.values);
      }
      if (!put.keys.isEmpty()) {
        add(
            "INSERT INTO entry (key, value) SELECT * FROM unnest(?, ?)"
                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
                + " WHERE entry.value <> excluded.value",
            put.keys,
            put.values);
      }
      statements.addAll(then);
      try (var all = connection.prepareStatement(String.join("; ", statements))) {
        for (int i = 0; i < parameters.size(); i++) {
          all.setArray(i + 1, array(parameters.get(i)));
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
  public List<Key> keys(KeyRange range, Order order) {
    try (var query =
        connection.prepareStatement(
            "SELECT key FROM entry WHERE key >= ? AND key < ? ORDER BY key" + direction(order))) {
      query.setBytes(1, range.from().toByteArray());
      query.setBytes(2, range.until().toByteArray());
      try (var rows = query.executeQuery()) {
        var found = new ArrayList<Key>();
        while (rows.next()) {
          found.add(Key.of(rows.getBytes(1)));
        }
        return List.copyOf(found);
      }
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
                + direction(order)
                + " LIMIT ?");
    query.setBytes(1, range.from().toByteArray());
    query.setBytes(2, range.until().toByteArray());
    query.setInt(3, most);
    return query;
  }

  private static String direction(Order order) {
    return switch (order) {
      case ASCENDING -> "";
      case DESCENDING -> " DESC";
    };
  }
}
