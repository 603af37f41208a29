package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The descriptions of contracts of a {@link PostgresNodeStore}. */
record PostgresAbis(StoredValues values) {
  /** Whether it is there now. */
  boolean put(StoredAbi abi, Sql sql) throws SQLException {
    if (find(abi.hash(), sql).isPresent()) {
      return true;
    }
    // Nobody else writes at the same time: see GroupWriter.
    long count = sql.number("SELECT count(*) FROM abi");
    if (count >= NodeStore.MOST_ABIS) {
      return false;
    }
    sql.update(
        "INSERT INTO abi (hash, content) VALUES (?, ?)",
        abi.hash().toByteArray(),
        values.encode(abi));
    return true;
  }

  Optional<StoredAbi> find(Hash hash, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM abi WHERE hash = ?", this::read, (Object) hash.toByteArray());
  }

  /** The newest first. */
  List<StoredAbi> all(Sql sql) throws SQLException {
    return sql.all("SELECT content FROM abi", this::read).stream()
        .sorted(Comparator.comparing(StoredAbi::created).reversed())
        .toList();
  }

  private StoredAbi read(ResultSet row) throws SQLException {
    return values.decode(row.getBytes(1), StoredAbi.class);
  }
}
