package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
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

/** The table of receipts. One that is replaced stays, so that no listener sees a gap. */
record PostgresReceipts(StoredValues values) {
  record Encoded(Receipt receipt, byte[] content) {}

  List<Encoded> encoded(List<Receipt> batch) {
    return batch.stream().map(receipt -> new Encoded(receipt, values.encode(receipt))).toList();
  }

  List<NumberedReceipt> complete(List<Encoded> batch, GroupWriter.Transaction change)
      throws SQLException {
    var sql = change.sql();
    var transactions = batch.stream().map(e -> e.receipt().transaction().value()).toArray();
    Map<TransactionId, NumberedReceipt> last = new HashMap<>();
    where(sql, "transaction = ANY (?) ORDER BY sequence", sql.array("uuid", transactions))
        .forEach(receipt -> last.put(receipt.receipt().transaction(), receipt));
    var stored = new ArrayList<NumberedReceipt>(batch.size());
    var rows = new ArrayList<Object[]>();
    for (var encoded : batch) {
      var id = encoded.receipt().transaction();
      var before = last.get(id);
      if (before == null || ReceiptTable.replaces(encoded.receipt(), before.receipt())) {
        var now = new NumberedReceipt(change.nextSequence(), encoded.receipt());
        last.put(id, now);
        stored.add(now);
        rows.add(
            new Object[] {
              now.sequence(),
              id.value(),
              ReceiptTable.isConfirmed(encoded.receipt()),
              encoded.content(),
              nonce(encoded).map(nonce -> nonce.signer().value()).orElse(null),
              nonce(encoded).map(Receipt.Nonce::number).orElse(null),
              hash(encoded.receipt())
            });
      }
    }
    sql.insertAll(
        "INSERT INTO receipt"
            + " (sequence, transaction, confirmed, content, signer, nonce, ledger_hash)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows);
    sql.update(
        "UPDATE intent SET pending = false WHERE pending AND transaction = ANY (?)",
        sql.array("uuid", transactions));
    return List.copyOf(stored);
  }

  private static Optional<Receipt.Nonce> nonce(Encoded encoded) {
    return encoded.receipt().called().flatMap(Receipt.Called::nonce);
  }

  /** Of a public one: private ones share theirs. */
  private static byte[] hash(Receipt receipt) {
    return receipt
        .called()
        .flatMap(called -> receipt.onLedger())
        .map(place -> place.hash().value().toByteArray())
        .orElse(null);
  }

  static TransactionId transaction(ResultSet row) throws SQLException {
    return new TransactionId(row.getObject(1, UUID.class));
  }

  /** Those of {@code transactions} that have a receipt and none that is a confirmation. */
  Set<TransactionId> reverted(List<TransactionId> transactions, Sql sql) throws SQLException {
    return Set.copyOf(
        sql.all(
            "SELECT transaction FROM receipt WHERE NOT confirmed AND transaction = ANY (?) EXCEPT"
                + " SELECT transaction FROM receipt WHERE confirmed AND transaction = ANY (?)",
            PostgresReceipts::transaction,
            array(transactions, sql),
            array(transactions, sql)));
  }

  private static Array array(List<TransactionId> transactions, Sql sql) throws SQLException {
    return sql.array("uuid", transactions.stream().map(TransactionId::value).toArray());
  }

  /** The last one of a transaction. */
  Optional<NumberedReceipt> find(TransactionId id, Sql sql) throws SQLException {
    return where(sql, "transaction = ? ORDER BY sequence DESC LIMIT 1", id.value()).stream()
        .findFirst();
  }

  /**
   * @param condition and in which order, if that matters
   */
  List<NumberedReceipt> where(Sql sql, String condition, Object... parameters) throws SQLException {
    return sql.all(
        "SELECT sequence, content FROM receipt WHERE " + condition, this::read, parameters);
  }

  private NumberedReceipt read(ResultSet row) throws SQLException {
    return new NumberedReceipt(row.getLong(1), values.decode(row.getBytes(2), Receipt.class));
  }
}
