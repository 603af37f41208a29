package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.TextHash;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.Taken;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The listeners of a {@link PostgresNodeStore}, each kind in a table of its own. */
record PostgresListeners(StoredValues values) {
  private static String table(ListenerKind kind) {
    return switch (kind) {
      case RECEIPTS -> "listener";
      case EVENTS -> "event_listener";
      case MESSAGES -> "message_listener";
    };
  }

  /** Whether it is there now with these properties. */
  boolean create(ListenerKind kind, Listener listener, Sql sql) throws SQLException {
    var existing = find(kind, listener.name(), sql);
    if (existing.isEmpty()) {
      put(kind, listener, sql);
    }
    return existing.map(e -> e.properties().equals(listener.properties())).orElse(true);
  }

  Optional<Listener> find(ListenerKind kind, String name, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM " + table(kind) + " WHERE name_hash = ?",
        row -> values.decode(row.getBytes(1), Listener.class),
        TextHash.of(name));
  }

  /** All of them by name. */
  List<Listener> all(ListenerKind kind, Sql sql) throws SQLException {
    return sql
        .all(
            "SELECT content FROM " + table(kind),
            row -> values.decode(row.getBytes(1), Listener.class))
        .stream()
        .sorted(Comparator.comparing(Listener::name))
        .toList();
  }

  void acknowledge(ListenerKind kind, String name, Taken taken, GroupWriter.Transaction change)
      throws SQLException {
    var listener =
        find(kind, name, change.sql()).orElseThrow(() -> ListenerRefusals.unknown(kind, name));
    if (taken.upTo() > lastSequence(kind, change)) {
      throw ListenerRefusals.tooHigh(taken.upTo());
    }
    var next = listener.taken(taken);
    if (!next.equals(listener)) {
      put(kind, next, change.sql());
    }
  }

  /** Of what this store numbers; of what it does not, there is no last one. */
  private static long lastSequence(ListenerKind kind, GroupWriter.Transaction change)
      throws SQLException {
    return switch (kind) {
      case RECEIPTS -> change.lastSequence();
      case MESSAGES -> PostgresMessages.lastSequence(change.sql());
      case EVENTS -> Long.MAX_VALUE;
    };
  }

  /** Whether there is one of that name. */
  boolean stop(ListenerKind kind, String name, Optional<Instant> stopped, Sql sql)
      throws SQLException {
    var found = find(kind, name, sql);
    if (found.isPresent()) {
      put(kind, found.get().stopped(stopped), sql);
    }
    return found.isPresent();
  }

  boolean delete(ListenerKind kind, String name, Sql sql) throws SQLException {
    return sql.update("DELETE FROM " + table(kind) + " WHERE name_hash = ?", TextHash.of(name)) > 0;
  }

  private void put(ListenerKind kind, Listener listener, Sql sql) throws SQLException {
    sql.update(
        "INSERT INTO "
            + table(kind)
            + " (name_hash, content) VALUES (?, ?)"
            + " ON CONFLICT (name_hash) DO UPDATE SET content = excluded.content",
        TextHash.of(listener.name()),
        values.encode(listener));
  }
}
