package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.AbiKey;
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
    if (find(abi.owner(), abi.hash(), sql).isPresent()) {
      return true;
    }
    // Nobody else writes at the same time: see GroupWriter.
    long all = sql.number("SELECT count(*) FROM abi");
    long own = sql.number("SELECT count(*) FROM abi WHERE owner = ?", abi.owner());
    if (all >= NodeStore.MOST_ABIS || own >= NodeStore.MOST_ABIS_OF_OWNER) {
      return false;
    }
    sql.update(
        "INSERT INTO abi (hash, owner, content, key) VALUES (?, ?, ?, ?)",
        key(abi.owner(), abi.hash()),
        abi.owner(),
        values.encode(abi),
        values.encode(abi.key()));
    return true;
  }

  /** Whether it was there. */
  boolean delete(String owner, Hash hash, Sql sql) throws SQLException {
    return sql.update("DELETE FROM abi WHERE hash = ?", (Object) key(owner, hash)) > 0;
  }

  Optional<StoredAbi> find(String owner, Hash hash, Sql sql) throws SQLException {
    return sql.one("SELECT content FROM abi WHERE hash = ?", this::read, (Object) key(owner, hash));
  }

  private static byte[] key(String owner, Hash hash) {
    return StoredAbi.key(owner, hash).toByteArray();
  }

  /** The newest first. */
  List<AbiKey> keys(Sql sql) throws SQLException {
    return sql
        .all("SELECT key FROM abi", row -> values.decode(row.getBytes(1), AbiKey.class))
        .stream()
        .sorted(Comparator.comparing(AbiKey::created).reversed())
        .toList();
  }

  private StoredAbi read(ResultSet row) throws SQLException {
    return values.decode(row.getBytes(1), StoredAbi.class);
  }
}
