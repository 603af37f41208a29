package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.WriteBatch;
import java.nio.ByteBuffer;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The table that holds the map, on one connection. Its order is that of the keys' bytes. */
record EntryTable(Connection connection) implements OrderedMap.Entries {
  private static final String FETCH = "SELECT key, value FROM entry WHERE key = ANY (?)";

  private static final String ALONE = " ORDER BY key FOR UPDATE";

  /** In their order, so that of two who read the same none waits for the other. */
  private static final String UNCHANGED =
      "SELECT refuse_unless(coalesce((SELECT array_agg(value ORDER BY key) FROM"
          + " (SELECT key, value FROM entry WHERE key = ANY (?) ORDER BY key FOR UPDATE) AS now),"
          + " '{}') = ?)";

  private static final String INSERT = "INSERT INTO entry (key, value) ";

  private static final String OR_PUT =
      " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE entry.value <> excluded.value";

  /**
   * Entries as their JVM has them, with the right numbers in place of its own: what a number is off
   * by is what the counter stands at now and the last of the own numbers.
   */
  private static final String NUMBERED =
      INSERT
          + "SELECT numbered_key(k, f, off), numbered_value(v, f, off, since) FROM"
          + " (SELECT number_of(value) - ? AS off,"
          + " coalesce((SELECT value FROM entry WHERE key = ?), '') AS since"
          + " FROM entry WHERE key = ?) AS counter, unnest(?, ?, ?) AS rows (k, v, f)";

  private static final byte[] NOTHING = {};

  private static final String UNIQUE_VIOLATION = "23505";

  /** As the schema's function says it. */
  private static final String KEPT_OUT = "SQ001";

  /** The class of what two transactions do to each other. */
  private static final String CONFLICTS = "40";

  /** At once in the memory of this JVM, unless whoever asks wants all of more at once. */
  private static final int ROWS_AT_ONCE = 5_000;

  private static final long BYTES_AT_ONCE = 8L << 20;

  /** Ends a transaction that failed; its connection may be gone. */
  void rollBack(Exception cause) {
    try (var statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Ends a transaction that failed, and asks for entries as they are now, in one round trip.
   *
   * @param alone begins another one, in which nobody else changes what is found
   */
  Map<Key, byte[]> fetchAfterFailure(Set<Key> wanted, boolean alone) throws SQLException {
    var all = "ROLLBACK; " + (alone ? "BEGIN; " + FETCH + ALONE : FETCH);
    try (var query = connection.prepareStatement(all)) {
      query.setArray(1, bytes(wanted));
      query.execute();
      query.getMoreResults();
      if (alone) {
        query.getMoreResults();
      }
      try (var rows = query.getResultSet()) {
        return found(rows);
      }
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
   * A transaction that puts and deletes if this JVM may write and what the group has read is still
   * so, usually all in one round trip. Who has read the same, and puts it, waits until it has
   * ended. Counters come last: whoever takes numbers of one waits for those who have taken some
   * until they have committed, and for no round trip of theirs. So numbers are in the order of
   * commits.
   *
   * @param begun whether the transaction has been, by {@link #fetchAfterFailure}
   * @return where the counters, and the registers that entries with numbers depend on, stood before
   * @throws SQLException with a state that {@link #isOvertaken} if it is not so, or that {@link
   *     #isKeptOut} if this JVM may not write
   */
  Map<Key, Optional<byte[]>> commit(ChangeGroup group, Optional<Fence> fence, boolean begun)
      throws SQLException {
    var part = new Part();
    if (!begun) {
      part.statements.add("BEGIN");
    }
    part.ask(fence, new TreeMap<>(group.read()));
    var later = new TreeMap<Key, Optional<byte[]>>();
    for (var change : new TreeMap<>(group.left()).entrySet()) {
      if (group.numbered().containsKey(change.getKey())) {
        later.put(change.getKey(), change.getValue());
        continue;
      }
      part.add(change.getKey(), change.getValue(), isNew(change.getKey(), group));
      if (part.isEnough()) {
        part.send();
        part = new Part();
      }
    }
    part.put();
    var before = new HashMap<Key, Optional<byte[]>>();
    for (var taken : new TreeMap<>(group.taken()).entrySet()) {
      var all = new Numbers(taken.getKey(), taken.getValue());
      later.forEach(
          (key, value) -> {
            var how = group.numbered().get(key);
            if (how.counter().equals(taken.getKey())) {
              all.add(key, value.orElseThrow(), how, isNew(key, group));
            }
          });
      all.write(part, before);
    }
    part.raise(group.raised());
    part.end();
    return before;
  }

  private static boolean isNew(Key key, ChangeGroup group) {
    return group.read().getOrDefault(key, Optional.of(NOTHING)).isEmpty();
  }

  /** Whether it failed since another JVM was faster, or each of two has waited for the other. */
  static boolean isOvertaken(SQLException failure) {
    var state = String.valueOf(failure.getSQLState());
    return state.equals(UNIQUE_VIOLATION) || state.startsWith(CONFLICTS);
  }

  /** Whether it failed since this JVM may not write. */
  static boolean isKeptOut(SQLException failure) {
    return KEPT_OUT.equals(failure.getSQLState());
  }

  private record Rows(List<byte[]> keys, List<byte[]> values, List<Integer> forms) {
    Rows() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(Key key, byte[] value) {
      keys.add(key.toByteArray());
      values.add(value);
    }

    boolean isEmpty() {
      return keys.isEmpty();
    }
  }

  /** Takes the one row that a statement answers; null where it answers none. */
  private interface Answer {
    void take(ResultSet row) throws SQLException;
  }

  /** As much as goes in one round trip. */
  private final class Part {
    private final List<String> statements = new ArrayList<>();
    private final List<Object> parameters = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<byte[]> deleted = new ArrayList<>();
    private final Rows made = new Rows();
    private final Rows put = new Rows();
    private long bytes;

    /** Comes before all else. */
    void ask(Optional<Fence> fence, SortedMap<Key, Optional<byte[]>> read) throws SQLException {
      if (fence.isPresent()) {
        answers.add(any -> {});
        add("SELECT let_pass((" + fence.get().question() + "))", fence.get().parameter());
      }
      if (!read.isEmpty()) {
        answers.add(any -> {});
        add(
            UNCHANGED,
            array(read.keySet().stream().map(Key::toByteArray).toList()),
            array(read.values().stream().flatMap(Optional::stream).toList()));
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

    private void add(String statement, Object... with) {
      statements.add(statement);
      parameters.addAll(List.of(with));
    }

    boolean isEnough() {
      return made.keys.size() + put.keys.size() + deleted.size() >= ROWS_AT_ONCE
          || bytes >= BYTES_AT_ONCE;
    }

    /** What was added, in this order. */
    void put() throws SQLException {
      if (!deleted.isEmpty()) {
        add("DELETE FROM entry WHERE key = ANY (?)", array(deleted));
      }
      if (!made.isEmpty()) {
        add(INSERT + "SELECT * FROM unnest(?, ?)", array(made.keys), array(made.values));
      }
      if (!put.isEmpty()) {
        add(INSERT + "SELECT * FROM unnest(?, ?)" + OR_PUT, array(put.keys), array(put.values));
      }
    }

    /** In the order of their keys. */
    void raise(Map<Key, byte[]> registers) throws SQLException {
      if (!registers.isEmpty()) {
        var sorted = new TreeMap<>(registers);
        add(
            INSERT
                + "SELECT * FROM unnest(?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
                + " WHERE entry.value < excluded.value",
            array(sorted.keySet().stream().map(Key::toByteArray).toList()),
            array(List.copyOf(sorted.values())));
      }
    }

    void send() throws SQLException {
      put();
      execute();
    }

    void end() throws SQLException {
      statements.add("COMMIT");
      execute();
    }

    private void execute() throws SQLException {
      try (var all = connection.prepareStatement(String.join("; ", statements))) {
        for (int i = 0; i < parameters.size(); i++) {
          all.setObject(i + 1, parameters.get(i));
        }
        var waiting = answers.iterator();
        boolean isAnswer = all.execute();
        while (isAnswer || all.getUpdateCount() >= 0) {
          if (isAnswer) {
            try (var row = all.getResultSet()) {
              if (row.next()) {
                waiting.next().take(row);
              }
            }
          }
          isAnswer = all.getMoreResults();
        }
      }
    }
  }

  /** Numbers that are taken of one counter, and the entries that have some of them in them. */
  private final class Numbers {
    private static final int IN_KEY = 1;
    private static final int IN_VALUE = 2;
    private static final int SINCE = 4;

    private final Key counter;
    private final ChangeGroup.Taken taken;
    private final Rows made = new Rows();
    private final Rows put = new Rows();
    private Optional<Key> register = Optional.empty();

    Numbers(Key counter, ChangeGroup.Taken taken) {
      this.counter = counter;
      this.taken = taken;
    }

    void add(Key key, byte[] value, WriteBatch.Numbered how, boolean isNew) {
      var rows = isNew ? made : put;
      rows.add(key, value);
      rows.forms.add(
          (how.inKey() ? IN_KEY : 0)
              + (how.inValue() ? IN_VALUE : 0)
              + (how.since().isPresent() ? SINCE : 0));
      register = register.or(how::since);
    }

    /**
     * @param before gets where the counter and its register have stood
     */
    void write(Part part, Map<Key, Optional<byte[]>> before) throws SQLException {
      part.add(
          INSERT
              + "VALUES (?, int8send(?)) ON CONFLICT (key) DO UPDATE"
              + " SET value = int8send(number_of(entry.value) + ?) RETURNING number_of(value) - ?",
          counter.toByteArray(),
          taken.count(),
          taken.count(),
          taken.count());
      part.answers.add(
          row ->
              before.put(
                  counter,
                  Optional.of(ByteBuffer.allocate(Long.BYTES).putLong(row.getLong(1)).array())));
      if (register.isPresent()) {
        part.add("SELECT (SELECT value FROM entry WHERE key = ?)", register.get().toByteArray());
        part.answers.add(row -> before.put(register.get(), Optional.ofNullable(row.getBytes(1))));
      }
      write(made, "", part);
      write(put, OR_PUT, part);
    }

    private void write(Rows rows, String orElse, Part part) throws SQLException {
      if (!rows.isEmpty()) {
        part.add(
            NUMBERED + orElse,
            taken.last(),
            register.orElse(counter).toByteArray(),
            counter.toByteArray(),
            array(rows.keys),
            array(rows.values),
            connection.createArrayOf("int4", rows.forms.toArray()));
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

  /**
   * The first entries of a range, within a transaction that the caller has begun.
   *
   * @param most so few that the server goes by the index
   */
  int first(KeyRange range, int most, Visitor visitor) throws SQLException {
    try (var query = ranged(range, Order.ASCENDING, most);
        var rows = query.executeQuery()) {
      int visited = 0;
      boolean more = true;
      while (more && rows.next()) {
        visited++;
        more = visitor.visit(Key.of(rows.getBytes(1)), rows.getBytes(2));
      }
      return more ? visited : 0;
    }
  }

  private static String direction(Order order) {
    return switch (order) {
      case ASCENDING -> "";
      case DESCENDING -> " DESC";
    };
  }
}
