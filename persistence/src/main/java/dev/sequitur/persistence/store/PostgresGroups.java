package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/** The privacy groups of a {@link PostgresNodeStore}. */
final class PostgresGroups {
  private final StoredValues values;

  PostgresGroups(StoredValues values) {
    this.values = values;
  }

  void put(StoredGroup group, Sql sql) throws SQLException {
    var id = group.id().value().toByteArray();
    var before = sql.one("SELECT content FROM privacy_group WHERE id = ?", this::read, id);
    sql.update(
        "INSERT INTO privacy_group (id, content) VALUES (?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET content = excluded.content",
        id,
        values.encode(before.map(b -> KnownGroup.merge(b, group)).orElse(group)));
  }

  /** The oldest first. */
  List<StoredGroup> all(Sql sql) throws SQLException {
    return sql.all("SELECT content FROM privacy_group", this::read).stream()
        .sorted(Comparator.comparing(StoredGroup::created))
        .toList();
  }

  private StoredGroup read(ResultSet row) throws SQLException {
    return values.decode(row.getBytes(1), StoredGroup.class);
  }
}
