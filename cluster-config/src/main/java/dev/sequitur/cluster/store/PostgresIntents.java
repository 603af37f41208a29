package dev.sequitur.cluster.store;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The table of intents. */
final class PostgresIntents {
  private final StoredValues values;

  PostgresIntents(StoredValues values) {
    this.values = values;
  }

  /**
   * An intent with what is the same for whatever position it gets.
   *
   * @param keyHash null if it has no key
   */
  record Encoded(Intent intent, byte[] keyHash, byte[] content) {}

  private record Original(TransactionId transaction, Hash bodyHash) {}

  List<Encoded> encoded(List<Intent> batch) {
    return batch.stream()
        .map(
            intent ->
                new Encoded(
                    intent,
                    intent.idempotencyKey().map(TextHash::of).orElse(null),
                    values.encode(at(0, intent))))
        .toList();
  }

  /** Decides first and writes after, so that a conflict leaves nothing. */
  Acceptance accept(List<Encoded> batch, GroupWriter.Transaction change) throws SQLException {
    var ids = new ArrayList<TransactionId>(batch.size());
    var fresh = new ArrayList<Encoded>(batch.size());
    var earlier = new Earlier(batch, change.sql());
    for (var encoded : batch) {
      var intent = encoded.intent();
      var original = earlier.of(encoded);
      if (original.isPresent() && !original.get().bodyHash().equals(intent.bodyHash())) {
        return new IdempotencyConflict(
            intent.idempotencyKey().orElse(intent.transaction().id().toString()),
            original.get().transaction());
      }
      if (original.isEmpty()) {
        fresh.add(encoded);
        earlier.add(encoded);
      }
      ids.add(original.map(Original::transaction).orElse(intent.transaction().id()));
    }
    return new Accepted(ids, write(fresh, change));
  }

  private static List<Intent> write(List<Encoded> fresh, GroupWriter.Transaction change)
      throws SQLException {
    var written = new ArrayList<Intent>(fresh.size());
    var rows = new ArrayList<Object[]>(fresh.size());
    for (var encoded : fresh) {
      var intent = at(change.nextPosition(), encoded.intent());
      written.add(intent);
      rows.add(
          new Object[] {
            intent.order(),
            intent.transaction().id().value(),
            intent.transaction().contract().value(),
            encoded.keyHash(),
            intent.bodyHash().toByteArray(),
            encoded.content()
          });
    }
    change
        .sql()
        .insertAll(
            "INSERT INTO intent"
                + " (position, transaction, contract, key_hash, body_hash, content, pending)"
                + " VALUES (?, ?, ?, ?, ?, ?, true)",
            rows);
    return List.copyOf(written);
  }

  Intent read(ResultSet row) throws SQLException {
    return at(row.getLong(1), values.decode(row.getBytes(2), Intent.class));
  }

  private static Intent at(long order, Intent intent) {
    return new Intent(
        order, intent.created(), intent.idempotencyKey(), intent.bodyHash(), intent.transaction());
  }

  /** What was accepted before: read for the whole batch at once, then added to as it goes on. */
  private static final class Earlier {
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

    private Optional<Original> of(Encoded encoded) {
      return Optional.ofNullable(encoded.keyHash())
          .map(hash -> keys.get(ByteBuffer.wrap(hash)))
          .or(() -> Optional.ofNullable(ids.get(encoded.intent().transaction().id().value())));
    }

    private void add(Encoded encoded) {
      var id = encoded.intent().transaction().id();
      var original = new Original(id, encoded.intent().bodyHash());
      ids.put(id.value(), original);
      if (encoded.keyHash() != null) {
        keys.put(ByteBuffer.wrap(encoded.keyHash()), original);
      }
    }
  }
}
