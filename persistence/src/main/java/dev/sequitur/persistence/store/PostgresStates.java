package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** The private states of a {@link PostgresNodeStore}. */
record PostgresStates(StoredValues values) {
  /** Rows to be stored; made outside the transaction, since encoding takes time. */
  List<Object[]> encoded(List<PrivateState> states) {
    return states.stream()
        .map(
            state ->
                new Object[] {
                  state.contract().value(), state.id().value().toByteArray(), values.encode(state)
                })
        .toList();
  }

  void put(List<Object[]> rows, Sql sql) throws SQLException {
    sql.insertAll(
        "INSERT INTO state (contract, id, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows);
  }

  List<PrivateState> after(ContractAddress contract, Optional<StateId> after, int limit, Sql sql)
      throws SQLException {
    return sql.all(
        "SELECT content FROM state WHERE contract = ? AND id > ? ORDER BY id LIMIT ?",
        row -> values.decode(row.getBytes(1), PrivateState.class),
        contract.value(),
        after.map(id -> id.value().toByteArray()).orElse(new byte[0]),
        limit);
  }

  /** Those that are there, in the order of {@code ids}. */
  List<PrivateState> find(ContractAddress contract, Collection<StateId> ids, Sql sql)
      throws SQLException {
    var wanted = ids.stream().map(id -> id.value().toByteArray()).toArray(byte[][]::new);
    var found = new HashMap<StateId, PrivateState>();
    sql.all(
            "SELECT content FROM state WHERE contract = ? AND id = ANY (?)",
            row -> values.decode(row.getBytes(1), PrivateState.class),
            contract.value(),
            sql.array("bytea", wanted))
        .forEach(state -> found.put(state.id(), state));
    return ids.stream().filter(found::containsKey).map(found::get).toList();
  }
}
