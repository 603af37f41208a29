package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The table of receipts. One that is replaced stays, so that no listener sees a gap. */
record PostgresReceipts(StoredValues values) {
  private static final String LATER =
      "SELECT 1 FROM receipt AS later WHERE later.transaction = receipt.transaction"
          + " AND later.sequence > receipt.sequence";

  /** An own one whose place no later one has taken. */
  private static final String OWN_HOLDS =
      "commitment IS NULL AND NOT EXISTS (" + LATER + " AND later.commitment IS NULL)";

  /** Another's whose place no later one has taken. By commitments that are equal: by an index. */
  private static final String OTHERS_HOLD =
      "commitment IS NOT NULL AND NOT EXISTS ("
          + LATER
          + " AND later.commitment = receipt.commitment"
          + " AND later.contract = receipt.contract)";

  record Encoded(Receipt receipt, byte[] content) {}

  List<Encoded> encoded(List<Receipt> batch) {
    return batch.stream().map(receipt -> new Encoded(receipt, values.encode(receipt))).toList();
  }

  /** In the same order. */
  Map<IntentKey, Encoded> encoded(Map<IntentKey, Receipt> confirmations) {
    var all = new LinkedHashMap<IntentKey, Encoded>();
    confirmations.forEach(
        (intent, receipt) -> all.put(intent, new Encoded(receipt, values.encode(receipt))));
    return all;
  }

  List<NumberedReceipt> complete(List<Encoded> batch, GroupWriter.Transaction change)
      throws SQLException {
    var sql = change.sql();
    var transactions = batch.stream().map(e -> e.receipt().transaction().value()).toArray();
    var last = last(sql.array("uuid", transactions), sql);
    var stored = new ArrayList<NumberedReceipt>(batch.size());
    var rows = new ArrayList<Object[]>();
    for (var encoded : batch) {
      var id = encoded.receipt().transaction();
      var before = last.get(id);
      if (before == null || encoded.receipt().replaces(before.receipt())) {
        var now = new NumberedReceipt(change.nextSequence(), encoded.receipt());
        last.put(id, now);
        stored.add(now);
        rows.add(row(now.sequence(), encoded, Optional.empty()));
      }
    }
    insert(rows, sql);
    end(transactions, sql);
    return List.copyOf(stored);
  }

  /**
   * What a block confirms.
   *
   * @param known those that their sender knows
   * @param own those that this node has accepted
   * @return what was stored of these
   */
  List<NumberedReceipt> confirm(
      Map<IntentKey, Encoded> confirmed,
      Set<IntentKey> known,
      Set<IntentKey> own,
      GroupWriter.Transaction change)
      throws SQLException {
    var sql = change.sql();
    var transactions =
        confirmed.keySet().stream().map(intent -> intent.transaction().value()).toArray();
    var last =
        own.isEmpty() && known.isEmpty()
            ? Map.<TransactionId, NumberedReceipt>of()
            : last(sql.array("uuid", transactions), sql);
    var ofOthers = new HashMap<OfOthers, Receipt>();
    var firsts = new HashMap<Used, SenderCommitment>();
    for (var row :
        sql.all(
            "SELECT transaction, commitment, content FROM receipt"
                + " WHERE commitment IS NOT NULL AND transaction = ANY (?) ORDER BY sequence",
            row -> Map.entry(intent(row), values.decode(row.getBytes(3), Receipt.class)),
            sql.array("uuid", transactions))) {
      ofOthers.put(new OfOthers(row.getKey(), row.getValue().contract()), row.getValue());
      firsts.putIfAbsent(
          new Used(row.getKey().transaction(), row.getValue().contract()),
          row.getKey().commitment());
    }
    var stored = new ArrayList<NumberedReceipt>();
    var rows = new ArrayList<Object[]>();
    for (var entry : confirmed.entrySet()) {
      var intent = entry.getKey();
      var encoded = entry.getValue();
      boolean isKnown = known.contains(intent);
      if (isKnown || own.contains(intent)) {
        var before = last.get(intent.transaction());
        if (before == null ? isKnown : encoded.receipt().replaces(before.receipt())) {
          var now = new NumberedReceipt(change.nextSequence(), encoded.receipt());
          stored.add(now);
          rows.add(row(now.sequence(), encoded, Optional.empty()));
        }
        continue;
      }
      var contract = encoded.receipt().contract();
      var before = ofOthers.get(new OfOthers(intent, contract));
      if (before == null || encoded.receipt().replaces(before)) {
        var first =
            firsts.computeIfAbsent(
                new Used(intent.transaction(), contract), any -> intent.commitment());
        var sender =
            new Sender(
                intent.commitment().value().toByteArray(), first.equals(intent.commitment()));
        rows.add(row(change.nextSequence(), encoded, Optional.of(sender)));
      }
    }
    insert(rows, sql);
    end(known.stream().map(intent -> intent.transaction().value()).toArray(), sql);
    return List.copyOf(stored);
  }

  private record OfOthers(IntentKey intent, ContractAddress contract) {}

  private record Used(TransactionId id, ContractAddress contract) {}

  /**
   * Another's.
   *
   * @param isFirst whether it was the first of its contract that used the id
   */
  private record Sender(byte[] commitment, boolean isFirst) {
    private static Optional<Sender> of(ResultSet row) throws SQLException {
      var commitment = row.getBytes(1);
      boolean isFirst = row.getBoolean(2);
      return Optional.ofNullable(commitment).map(it -> new Sender(it, isFirst));
    }
  }

  /** Takes intents off those that have no receipt. */
  private static void end(Object[] transactions, Sql sql) throws SQLException {
    if (transactions.length > 0) {
      sql.update(
          "UPDATE intent SET pending = false WHERE pending AND transaction = ANY (?)",
          sql.array("uuid", transactions));
    }
  }

  /**
   * What takes the place of receipts whose blocks are gone.
   *
   * @param encoded the same, in the same order
   * @return what was stored of own ones
   */
  List<NumberedReceipt> correct(
      List<NumberedReceipt> corrections, List<Encoded> encoded, GroupWriter.Transaction change)
      throws SQLException {
    var sql = change.sql();
    var stored = new ArrayList<NumberedReceipt>();
    var rows = new ArrayList<Object[]>();
    for (int i = 0; i < corrections.size(); i++) {
      var holds =
          sql.one(
              "SELECT commitment, first FROM receipt WHERE sequence = ? AND "
                  + (corrections.get(i).own() ? OWN_HOLDS : OTHERS_HOLD),
              Sender::of,
              corrections.get(i).sequence());
      if (holds.isPresent()) {
        long sequence = change.nextSequence();
        rows.add(row(sequence, encoded.get(i), holds.get()));
        if (holds.get().isEmpty()) {
          stored.add(new NumberedReceipt(sequence, encoded.get(i).receipt()));
        }
      }
    }
    insert(rows, sql);
    return List.copyOf(stored);
  }

  /** The last one of each own intent. */
  private Map<TransactionId, NumberedReceipt> last(Array transactions, Sql sql)
      throws SQLException {
    Map<TransactionId, NumberedReceipt> last = new HashMap<>();
    where(sql, "commitment IS NULL AND transaction = ANY (?) ORDER BY sequence", transactions)
        .forEach(receipt -> last.put(receipt.receipt().transaction(), receipt));
    return last;
  }

  /**
   * @param others of another's intent
   */
  private static Object[] row(long sequence, Encoded encoded, Optional<Sender> others) {
    return new Object[] {
      sequence,
      encoded.receipt().transaction().value(),
      encoded.content(),
      nonce(encoded).map(nonce -> nonce.signer().value()).orElse(null),
      nonce(encoded).map(Receipt.Nonce::number).orElse(null),
      hash(encoded.receipt()),
      others.map(Sender::commitment).orElse(null),
      others.map(any -> encoded.receipt().contract().value()).orElse(null),
      others.filter(Sender::isFirst).isPresent()
    };
  }

  private static void insert(List<Object[]> rows, Sql sql) throws SQLException {
    sql.insertAll(
        "INSERT INTO receipt"
            + " (sequence, transaction, content, signer, nonce, ledger_hash, commitment,"
            + " contract, first)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows);
  }

  private static IntentKey intent(ResultSet row) throws SQLException {
    return new IntentKey(transaction(row), new SenderCommitment(Hash.of(row.getBytes(2))));
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

  /** The last one of an own transaction. */
  Optional<NumberedReceipt> find(TransactionId id, Sql sql) throws SQLException {
    return where(
            sql,
            "commitment IS NULL AND transaction = ? ORDER BY sequence DESC LIMIT 1",
            id.value())
        .stream()
        .findFirst();
  }

  /** Of each sender the one that holds. */
  List<NumberedReceipt> ofOthers(TransactionId id, int limit, Sql sql) throws SQLException {
    return where(
        sql, OTHERS_HOLD + " AND transaction = ? ORDER BY sequence LIMIT ?", id.value(), limit);
  }

  /** Of each contract that of the sender who was the first there, which holds. */
  List<NumberedReceipt> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit, Sql sql) throws SQLException {
    return where(
        sql,
        OTHERS_HOLD + " AND first AND transaction = ? AND contract > ? ORDER BY contract LIMIT ?",
        id.value(),
        after.map(ContractAddress::value).orElse(""),
        limit);
  }

  List<NumberedReceipt> after(long sequence, int limit, Sql sql) throws SQLException {
    return where(
        sql,
        "sequence > ? AND (commitment IS NULL OR NOT EXISTS"
            + " (SELECT 1 FROM intent WHERE intent.transaction = receipt.transaction))"
            + " ORDER BY sequence LIMIT ?",
        sequence,
        limit);
  }

  /**
   * @param condition and in which order, if that matters
   */
  List<NumberedReceipt> where(Sql sql, String condition, Object... parameters) throws SQLException {
    return sql.all(
        "SELECT sequence, content, commitment IS NULL FROM receipt WHERE " + condition,
        this::read,
        parameters);
  }

  private NumberedReceipt read(ResultSet row) throws SQLException {
    return new NumberedReceipt(
        row.getLong(1), values.decode(row.getBytes(2), Receipt.class), row.getBoolean(3));
  }
}
