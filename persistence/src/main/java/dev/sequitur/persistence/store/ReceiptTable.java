package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.WriteBatch;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Receipts by sequence, with the index that finds an intent's last one. A receipt that was replaced
 * keeps its number, so that no listener sees a gap.
 */
final class ReceiptTable {
  /** Of whose transaction a receipt is: the first byte of its value. */
  private static final byte OWN = 1;

  private static final byte OTHERS = 0;

  private final LevelDb db;
  private final StoredValues values;
  private final IntentTable intents;

  ReceiptTable(LevelDb db, StoredValues values, IntentTable intents) {
    this.db = db;
    this.values = values;
    this.intents = intents;
  }

  private record Encoded(Receipt receipt, byte[] value) {}

  /** Receipts on their way to the writer thread. Encoded on the thread that makes it. */
  final class Batch {
    private final List<Encoded> receipts;

    Batch(List<Receipt> receipts) {
      this.receipts = receipts.stream().map(ReceiptTable.this::encoded).toList();
    }

    /** On the writer thread. */
    List<NumberedReceipt> complete(WriteBatch store) {
      var numbered = new ArrayList<NumberedReceipt>(receipts.size());
      for (var encoded : receipts) {
        var kept =
            last(encoded.receipt().transaction(), store)
                .filter(last -> !replaces(encoded.receipt(), last.receipt()));
        if (kept.isEmpty()) {
          numbered.add(append(encoded, store));
        }
      }
      return List.copyOf(numbered);
    }
  }

  /** What a block confirms and its sender does not know; as {@link Batch}. */
  final class Confirmed {
    private final Map<IntentKey, Encoded> receipts = new LinkedHashMap<>();
    private final Set<IntentKey> known;

    Confirmed(Map<IntentKey, Receipt> receipts, Set<IntentKey> known) {
      this.known = known;
      receipts.forEach((intent, receipt) -> this.receipts.put(intent, encoded(receipt)));
    }

    /**
     * On the writer thread.
     *
     * @return those of own intents
     */
    List<NumberedReceipt> keep(WriteBatch store) {
      var own = new ArrayList<NumberedReceipt>();
      receipts.forEach(
          (intent, encoded) -> {
            boolean isKnown = known.contains(intent);
            if (isKnown || intents.isOwn(intent, store)) {
              if (last(intent.transaction(), store)
                  .map(last -> replaces(encoded.receipt(), last.receipt()))
                  .orElse(isKnown)) {
                own.add(append(encoded, store));
              }
            } else {
              keepOfOthers(intent, encoded, store);
            }
          });
      return List.copyOf(own);
    }

    private void keepOfOthers(IntentKey intent, Encoded encoded, WriteBatch store) {
      var ending = Layout.endingOfOthers(intent);
      if (store.get(ending).isEmpty()) {
        store.put(ending, Layout.bytes(number(encoded, OTHERS, store)));
      }
    }
  }

  private Encoded encoded(Receipt receipt) {
    return new Encoded(receipt, values.encode(receipt));
  }

  /** Under the next sequence number. */
  private static long number(Encoded encoded, byte whose, WriteBatch store) {
    long sequence = lastSequence(store) + 1;
    var value =
        ByteBuffer.allocate(1 + encoded.value().length).put(whose).put(encoded.value()).array();
    store.put(Layout.receipt(sequence), value);
    store.put(Layout.LAST_SEQUENCE, Layout.bytes(sequence));
    return sequence;
  }

  /** Of an own intent. */
  private NumberedReceipt append(Encoded encoded, WriteBatch store) {
    long sequence = number(encoded, OWN, store);
    var id = encoded.receipt().transaction();
    store.put(Layout.ending(id), Layout.bytes(sequence));
    encoded
        .receipt()
        .called()
        .ifPresent(called -> index(encoded.receipt(), called, sequence, store));
    intents.end(id, store);
    return new NumberedReceipt(sequence, encoded.receipt());
  }

  private static void index(
      Receipt receipt, Receipt.Called called, long sequence, WriteBatch store) {
    called.nonce().ifPresent(nonce -> store.put(Layout.nonce(nonce), Layout.bytes(sequence)));
    receipt
        .onLedger()
        .ifPresent(place -> store.put(Layout.hash(place.hash()), Layout.bytes(sequence)));
  }

  /** Of a public transaction, by its nonce or hash. */
  Optional<TransactionId> transactionAt(Key index) {
    return at(index).map(numbered -> numbered.receipt().transaction());
  }

  /** The last sequence number given out, 0 before the first. */
  static long lastSequence(WriteBatch store) {
    return Layout.number(store.get(Layout.LAST_SEQUENCE));
  }

  /** A late confirmation wins (CNF-2). */
  static boolean replaces(Receipt late, Receipt earlier) {
    return isConfirmed(late) && !isConfirmed(earlier);
  }

  static boolean isConfirmed(Receipt receipt) {
    return receipt.success() && receipt.onLedger().isPresent();
  }

  private Optional<NumberedReceipt> last(TransactionId id, WriteBatch store) {
    return store
        .get(Layout.ending(id))
        .map(Layout::number)
        .flatMap(
            sequence -> store.get(Layout.receipt(sequence)).map(bytes -> decode(bytes, sequence)));
  }

  Optional<NumberedReceipt> find(TransactionId id) {
    return at(Layout.ending(id));
  }

  private Optional<NumberedReceipt> at(Key index) {
    return db.get(index)
        .map(Layout::number)
        .flatMap(sequence -> db.get(Layout.receipt(sequence)).map(b -> decode(b, sequence)));
  }

  /** By their numbers; of more than so many any. */
  List<NumberedReceipt> ofOthers(TransactionId id, int limit) {
    return db
        .list(
            KeyRange.startingWith(Layout.endingsOfOthers(id)),
            LevelDb.Order.ASCENDING,
            limit,
            (key, value) -> Layout.number(value))
        .stream()
        .sorted()
        .flatMap(
            sequence ->
                db.get(Layout.receipt(sequence)).map(bytes -> decode(bytes, sequence)).stream())
        .toList();
  }

  List<NumberedReceipt> after(long sequence, int limit) {
    var told = new ArrayList<NumberedReceipt>();
    long read = sequence;
    while (true) {
      int most = limit - told.size();
      var page =
          db.list(
              KeyRange.numbered(Layout.RECEIPTS, read + 1, Long.MAX_VALUE),
              LevelDb.Order.ASCENDING,
              most,
              (key, value) -> decode(value, key.lastNumber()));
      page.stream().filter(this::isTold).forEach(told::add);
      if (page.size() < most || told.size() == limit) {
        return List.copyOf(told);
      }
      read = page.getLast().sequence();
    }
  }

  private boolean isTold(NumberedReceipt receipt) {
    return receipt.own() || db.get(Layout.place(receipt.receipt().transaction())).isEmpty();
  }

  private NumberedReceipt decode(byte[] bytes, long sequence) {
    var content = Arrays.copyOfRange(bytes, 1, bytes.length);
    return new NumberedReceipt(sequence, values.decode(content, Receipt.class), bytes[0] == OWN);
  }
}
