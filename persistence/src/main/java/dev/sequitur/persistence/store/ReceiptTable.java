package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.WriteBatch;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
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
            last(Layout.ending(encoded.receipt().transaction()), store)
                .filter(last -> !encoded.receipt().replaces(last.receipt()));
        if (kept.isEmpty()) {
          numbered.add(append(encoded, store));
        }
      }
      return List.copyOf(numbered);
    }
  }

  /** What a block confirms; as {@link Batch}. */
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
            if (isKnown || intents.isOwn(intent, encoded.receipt().contract(), store)) {
              if (last(Layout.ending(intent.transaction()), store)
                  .map(last -> encoded.receipt().replaces(last.receipt()))
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
      var contract = encoded.receipt().contract();
      var ending = Layout.endingOfOthers(intent, contract);
      if (last(ending, store)
          .map(last -> encoded.receipt().replaces(last.receipt()))
          .orElse(true)) {
        appendOfOthers(ending, encoded, store);
        var first = Layout.firstOfOthers(intent.transaction(), contract);
        if (store.get(first).isEmpty()) {
          store.put(first, intent.commitment().value().toByteArray());
        }
      }
    }
  }

  /** What takes the place of receipts whose blocks are gone; as {@link Batch}. */
  final class Corrections {
    private final List<NumberedReceipt> corrected;
    private final List<Encoded> receipts;

    Corrections(List<NumberedReceipt> corrections) {
      this.corrected = List.copyOf(corrections);
      this.receipts = corrections.stream().map(each -> encoded(each.receipt())).toList();
    }

    /**
     * On the writer thread.
     *
     * @return those of own intents
     */
    List<NumberedReceipt> keep(WriteBatch store) {
      var own = new ArrayList<NumberedReceipt>();
      for (int i = 0; i < corrected.size(); i++) {
        var encoded = receipts.get(i);
        long sequence = corrected.get(i).sequence();
        var id = encoded.receipt().transaction();
        if (!corrected.get(i).own()) {
          endingOfOthers(id, sequence)
              .filter(ending -> holds(ending, sequence, store))
              .ifPresent(ending -> appendOfOthers(ending, encoded, store));
        } else if (holds(Layout.ending(id), sequence, store)) {
          own.add(append(encoded, store));
        }
      }
      return List.copyOf(own);
    }
  }

  /** Whose receipt this is, while it holds; what waits to be written is not seen. */
  private Optional<Key> endingOfOthers(TransactionId id, long sequence) {
    var found = new ArrayList<Key>(1);
    db.scan(
        KeyRange.startingWith(Layout.endingsOfOthers(id)),
        LevelDb.Order.ASCENDING,
        (key, value) -> {
          if (Layout.number(value) == sequence) {
            found.add(key);
          }
          return found.isEmpty();
        });
    return found.stream().findFirst();
  }

  private static boolean holds(Key ending, long sequence, WriteBatch store) {
    return Layout.number(store.get(ending)) == sequence;
  }

  /** If another one held, it holds no more. */
  private static void appendOfOthers(Key ending, Encoded encoded, WriteBatch store) {
    store.put(ending, Layout.bytes(number(encoded, OTHERS, store)));
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

  /** The one that holds. */
  private Optional<NumberedReceipt> last(Key ending, WriteBatch store) {
    return store
        .get(ending)
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

  /** Of each sender the one that holds, by their numbers; of more than so many any. */
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

  /** Of each contract that of the sender who was the first there, which holds. */
  List<NumberedReceipt> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit) {
    var all = KeyRange.startingWith(Layout.firstsOfOthers(id));
    var rest =
        after
            .map(contract -> KeyRange.startingWith(Layout.firstOfOthers(id, contract)))
            .map(before -> new KeyRange(before.until(), all.until()))
            .orElse(all);
    return db
        .list(
            rest,
            LevelDb.Order.ASCENDING,
            limit,
            (key, value) ->
                Layout.endingOfOthers(
                    new IntentKey(id, new SenderCommitment(Hash.of(value))),
                    Layout.firstsContract(id, key)))
        .stream()
        .flatMap(ending -> at(ending).stream())
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
