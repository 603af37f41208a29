package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The privacy groups of a {@link PostgresNodeStore}. */
final class PostgresGroups {
  private final StoredValues values;

  PostgresGroups(StoredValues values) {
    this.values = values;
  }

  void put(StoredGroup group, Sql sql) throws SQLException {
    var before = find(group.id(), sql);
    var known = before.map(it -> it.joined(group)).orElse(group);
    sql.update(
        "INSERT INTO privacy_group (id, content, contract, deployment, awaited, giver)"
            + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            + " content = excluded.content, contract = excluded.contract,"
            + " deployment = excluded.deployment, awaited = excluded.awaited,"
            + " giver = excluded.giver",
        group.id().value().toByteArray(),
        values.encode(known),
        known.group().map(it -> it.contract().value()).orElse(null),
        known.deployment().map(it -> it.call().hash().toByteArray()).orElse(null),
        known.isAwaited(),
        known.giver().map(NodeName::value).orElse(null));
    var withdrawn = known.withdrawnBy();
    if (!withdrawn.equals(before.flatMap(StoredGroup::withdrawnBy))) {
      if (withdrawn.isPresent()) {
        queue(known.id(), withdrawn.get(), sql);
      } else {
        sql.update(
            "UPDATE privacy_group SET withdrawn = NULL WHERE id = ?",
            (Object) known.id().value().toByteArray());
      }
    }
  }

  /** Those that were withdrawn stand in their order; the first leaves where there are too many. */
  private static void queue(GroupId id, NodeName giver, Sql sql) throws SQLException {
    long place =
        1 + sql.number("SELECT max(withdrawn) FROM privacy_group WHERE giver = ?", giver.value());
    sql.update(
        "UPDATE privacy_group SET withdrawn = ? WHERE id = ?", place, id.value().toByteArray());
    sql.update(
        "DELETE FROM privacy_group WHERE giver = ? AND withdrawn <= ?",
        giver.value(),
        place - NodeStore.MOST_WITHDRAWN);
  }

  /** What is there now. */
  Optional<StoredGroup> putGiven(StoredGroup group, Sql sql) throws SQLException {
    // Nobody else writes at the same time: see GroupWriter.
    var before = find(group.id(), sql);
    if (before.isPresent()) {
      return before;
    }
    var giver = group.awaitedOf();
    if (giver.isPresent() && awaited(giver.get(), sql) >= NodeStore.MOST_AWAITED) {
      return Optional.empty();
    }
    put(group, sql);
    return Optional.of(group);
  }

  private static long awaited(NodeName giver, Sql sql) throws SQLException {
    return sql.number(
        "SELECT count(*) FROM privacy_group WHERE awaited AND giver = ?", giver.value());
  }

  Optional<StoredGroup> find(GroupId id, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM privacy_group WHERE id = ?", this::read, id.value().toByteArray());
  }

  Optional<StoredGroup> at(ContractAddress contract, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM privacy_group WHERE contract = ?", this::read, contract.value());
  }

  Optional<StoredGroup> of(Hash deploy, Sql sql) throws SQLException {
    return sql.one(
        "SELECT content FROM privacy_group WHERE deployment = ?", this::read, deploy.toByteArray());
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
