package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.TextHash;
import dev.sequitur.persistence.store.JudgedBatch.Original;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Open;
import dev.sequitur.protocol.port.NodeStore.Page;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The table of intents. */
record PostgresIntents(StoredValues values) {
  /**
   * An intent with what is the same for whatever position it gets.
   *
   * @param keyHash null if it has no key
   */
  record Encoded(Intent intent, byte[] keyHash, byte[] content) implements JudgedBatch.Encoded {}

  List<Encoded> encoded(List<Intent> batch) {
    return batch.stream()
        .map(
            intent ->
                new Encoded(
                    intent,
                    intent.idempotencyKey().map(PostgresIntents::hash).orElse(null),
                    values.encode(intent.at(0))))
        .toList();
  }

  /** What a key is looked up by. */
  static byte[] hash(IdempotencyKey key) {
    return key.hash().toByteArray();
  }

  /** Decides first and writes after, so that a conflict leaves nothing. */
  Acceptance accept(List<Encoded> batch, GroupWriter.Transaction change) throws SQLException {
    var judged = JudgedBatch.of(batch, new Earlier(batch, change.sql()));
    return judged.acceptance(write(judged.fresh(), change));
  }

  private List<Intent> write(List<Encoded> fresh, GroupWriter.Transaction change)
      throws SQLException {
    var written = new ArrayList<Intent>(fresh.size());
    var rows = new ArrayList<Object[]>(fresh.size());
    for (var encoded : fresh) {
      var dated = change.dated(encoded.intent());
      var intent = dated.at(change.nextPosition());
      written.add(intent);
      rows.add(
          new Object[] {
            intent.order(),
            intent.transaction().id().value(),
            intent.privately().map(it -> it.contract().value()).orElse(null),
            intent.publicly().map(it -> it.from().toString()).orElse(null),
            encoded.keyHash(),
            intent.idempotencyKey().map(key -> TextHash.of(key.name())).orElse(null),
            intent.bodyHash().toByteArray(),
            dated.equals(encoded.intent()) ? encoded.content() : values.encode(dated.at(0)),
            dependsOn(intent, change.sql())
          });
    }
    change
        .sql()
        .insertAll(
            "INSERT INTO intent"
                + " (position, transaction, contract, sender, key_hash, key_name, body_hash, content,"
                + " depends_on, pending) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, true)",
            rows);
    return List.copyOf(written);
  }

  /** Null if it waits for nothing. */
  private static Array dependsOn(Intent intent, Sql sql) throws SQLException {
    var ids = intent.privately().map(PrivateTransaction::dependsOn).orElse(List.of());
    return ids.isEmpty()
        ? null
        : sql.array("uuid", ids.stream().map(TransactionId::value).toArray());
  }

  void change(PublicTransaction changed, Sql sql) throws SQLException {
    var before = find(changed.id(), sql);
    if (before.isPresent()) {
      sql.update(
          "UPDATE intent SET content = ? WHERE position = ?",
          values.encode(before.get().as(changed).at(0)),
          before.get().order());
    }
  }

  Optional<Intent> find(TransactionId id, Sql sql) throws SQLException {
    return where(sql, "transaction = ?", id.value()).stream().findFirst();
  }

  /**
   * Those that this node has accepted: another's may have the same id, and in another contract the
   * same commitment.
   *
   * @param keys with the contract that each is of
   */
  Set<IntentKey> ownOf(Map<IntentKey, ContractAddress> keys, Sql sql) throws SQLException {
    return where(
            sql,
            "transaction = ANY (?)",
            sql.array(
                "uuid", keys.keySet().stream().map(key -> key.transaction().value()).toArray()))
        .stream()
        .flatMap(intent -> intent.privately().stream())
        .filter(own -> own.contract().equals(keys.get(own.key())))
        .map(PrivateTransaction::key)
        .collect(Collectors.toSet());
  }

  List<Intent> open(Open which, Page page, Sql sql) throws SQLException {
    var part =
        page.newestFirst()
            ? " AND position < ? ORDER BY position DESC LIMIT ?"
            : " AND position > ? ORDER BY position LIMIT ?";
    return switch (which) {
      case Open.All() -> where(sql, "pending" + part, page.beyond(), page.limit());
      case Open.Of(var contract) ->
          where(
              sql,
              "pending AND contract = ?" + part,
              contract.value(),
              page.beyond(),
              page.limit());
      case Open.Publics() ->
          where(sql, "pending AND sender IS NOT NULL" + part, page.beyond(), page.limit());
    };
  }

  static List<TransactionId> dependants(
      ContractAddress contract, TransactionId of, int limit, Sql sql) throws SQLException {
    return sql.all(
        "SELECT transaction FROM intent WHERE pending AND depends_on IS NOT NULL"
            + " AND depends_on @> ARRAY[CAST (? AS uuid)] AND contract = ?"
            + " ORDER BY position LIMIT ?",
        PostgresReceipts::transaction,
        of.value(),
        contract.value(),
        limit);
  }

  /**
   * @param condition and in which order, if that matters
   */
  List<Intent> where(Sql sql, String condition, Object... parameters) throws SQLException {
    return sql.all(
        "SELECT position, content FROM intent WHERE " + condition, this::read, parameters);
  }

  private Intent read(ResultSet row) throws SQLException {
    return values.decode(row.getBytes(2), Intent.class).at(row.getLong(1));
  }

  /** What was accepted before: read for the whole batch at once, then added to as it goes on. */
  private static final class Earlier implements JudgedBatch.Earlier<Encoded> {
    private final Map<ByteBuffer, Original> keys = new HashMap<>();
    private final Map<UUID, Original> ids = new HashMap<>();

    private Earlier(List<Encoded> batch, Sql sql) throws SQLException {
      var hashes =
          batch.stream().map(Encoded::keyHash).filter(hash -> hash != null).toArray(byte[][]::new);
      var uuids = batch.stream().map(e -> e.intent().transaction().id().value()).toArray();
      for (var found :
          sql.all(
              "SELECT transaction, key_hash, body_hash FROM intent"
                  + " WHERE key_hash = ANY (?) OR transaction = ANY (?)",
              Found::read,
              sql.array("bytea", hashes),
              sql.array("uuid", uuids))) {
        ids.put(found.original().transaction().value(), found.original());
        if (found.keyHash() != null) {
          keys.put(ByteBuffer.wrap(found.keyHash()), found.original());
        }
      }
    }

    private record Found(Original original, byte[] keyHash) {
      private static Found read(ResultSet row) throws SQLException {
        return new Found(
            new Original(new TransactionId(row.getObject(1, UUID.class)), Hash.of(row.getBytes(3))),
            row.getBytes(2));
      }
    }

    @Override
    public Optional<Original> of(Encoded encoded) {
      return Optional.ofNullable(encoded.keyHash())
          .map(hash -> keys.get(ByteBuffer.wrap(hash)))
          .or(() -> Optional.ofNullable(ids.get(encoded.intent().transaction().id().value())));
    }

    @Override
    public void add(Encoded encoded) {
      var id = encoded.intent().transaction().id();
      var original = new Original(id, encoded.intent().bodyHash());
      ids.put(id.value(), original);
      if (encoded.keyHash() != null) {
        keys.put(ByteBuffer.wrap(encoded.keyHash()), original);
      }
    }
  }
}
