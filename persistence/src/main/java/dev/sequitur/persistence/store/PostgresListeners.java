package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.TextHash;
import dev.sequitur.protocol.port.NodeStore.Listener;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The receipt listeners of a {@link PostgresNodeStore}. */
final class PostgresListeners {
  private final StoredValues values;

  PostgresListeners(StoredValues values) {
    this.values = values;
  }

  /** Whether it is there now with these properties. */
  boolean create(Listener listener, Sql sql) throws SQLException {
    var existing = find(listener.name(), sql);
    if (existing.isEmpty()) {
      put(listener, sql);
    }
    return existing.map(e -> e.properties().equals(listener.properties())).orElse(true);
  }

  Optional<Listener> find(String name, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM listener WHERE name_hash = ?",
        row -> values.decode(row.getBytes(1), Listener.class),
        TextHash.of(name));
  }

  /** All of them by name. */
  List<Listener> all(Sql sql) throws SQLException {
    return sql
        .all("SELECT content FROM listener", row -> values.decode(row.getBytes(1), Listener.class))
        .stream()
        .sorted(Comparator.comparing(Listener::name))
        .toList();
  }

  void acknowledge(String name, long sequence, GroupWriter.Transaction change) throws SQLException {
    var listener =
        find(name, change.sql())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no receipt listener '" + name + "': create it first."));
    if (sequence > change.lastSequence()) {
      throw new IllegalArgumentException(
          "Receipt " + sequence + " does not exist yet: acknowledge what was received.");
    }
    if (sequence > listener.acknowledged()) {
      put(listener.acknowledged(sequence), change.sql());
    }
  }

  /** Whether there is one of that name. */
  boolean stop(String name, Optional<Instant> stopped, Sql sql) throws SQLException {
    var found = find(name, sql);
    if (found.isPresent()) {
      put(found.get().stopped(stopped), sql);
    }
    return found.isPresent();
  }

  boolean delete(String name, Sql sql) throws SQLException {
    return sql.update("DELETE FROM listener WHERE name_hash = ?", TextHash.of(name)) > 0;
  }

  private void put(Listener listener, Sql sql) throws SQLException {
    sql.update(
        "INSERT INTO listener (name_hash, content) VALUES (?, ?)"
            + " ON CONFLICT (name_hash) DO UPDATE SET content = excluded.content",
        TextHash.of(listener.name()),
        values.encode(listener));
  }
}
