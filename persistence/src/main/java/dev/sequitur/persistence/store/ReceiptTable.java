package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.map.WriteBatch.Numbered;
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
  /**
   * Of whose transaction a receipt is: the first byte of its value. Of others its sender follows.
   */
  private static final byte OWN = 1;

  private static final byte OTHERS = 0;
  private static final Numbered VALUE = Numbered.value(Layout.LAST_SEQUENCE);

  private static final int COMMITMENT_BYTES = 32;

  private final StoredValues values;
  private final IntentTable intents;

  ReceiptTable(StoredValues values, IntentTable intents) {
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
        var ending = Layout.ending(encoded.receipt().transaction());
        if (takesPlace(ending, encoded.receipt(), true, store)) {
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
            if (isKnown || isOwn(intent, encoded.receipt().contract(), store)) {
              if (takesPlace(
                  Layout.ending(intent.transaction()), encoded.receipt(), isKnown, store)) {
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
      if (takesPlace(ending, encoded.receipt(), true, store)) {
        appendOfOthers(ending, intent.commitment(), encoded, store);
        var first = Layout.firstOfOthers(intent.transaction(), contract);
        if (store.getRare(first).isEmpty()) {
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
          correctOfOthers(encoded, sequence, store);
        } else if (holds(Layout.ending(id), sequence, store)) {
          own.add(append(encoded, store));
        }
      }
      return List.copyOf(own);
    }
  }

  private void correctOfOthers(Encoded encoded, long sequence, WriteBatch store) {
    store
        .get(Layout.receipt(sequence))
        .ifPresent(
            bytes -> {
              var sender = commitment(bytes);
              var ending =
                  Layout.endingOfOthers(
                      new IntentKey(encoded.receipt().transaction(), sender),
                      decode(bytes, sequence).receipt().contract());
              if (holds(ending, sequence, store)) {
                appendOfOthers(ending, sender, encoded, store);
              }
            });
  }

  private static boolean holds(Key ending, long sequence, WriteBatch store) {
    return Layout.number(store.get(ending)) == sequence;
  }

  /** If another one held, it holds no more. */
  private static void appendOfOthers(
      Key ending, SenderCommitment sender, Encoded encoded, WriteBatch store) {
    var head =
        ByteBuffer.allocate(1 + COMMITMENT_BYTES)
            .put(OTHERS)
            .put(sender.value().toByteArray())
            .array();
    store.putNumbered(ending, Layout.bytes(number(head, encoded, store)), VALUE);
  }

  static SenderCommitment commitment(byte[] ofOthers) {
    return new SenderCommitment(Hash.of(Arrays.copyOfRange(ofOthers, 1, 1 + COMMITMENT_BYTES)));
  }

  private Encoded encoded(Receipt receipt) {
    return new Encoded(receipt, values.encode(receipt));
  }

  /** Under the next sequence number. */
  private static long number(byte[] head, Encoded encoded, WriteBatch store) {
    long sequence = store.next(Layout.LAST_SEQUENCE);
    store.putNumbered(
        Layout.receipt(sequence),
        Layout.joined(head, encoded.value()),
        Numbered.key(Layout.LAST_SEQUENCE));
    return sequence;
  }

  /** Of an own intent. */
  private NumberedReceipt append(Encoded encoded, WriteBatch store) {
    long sequence = number(new byte[] {OWN}, encoded, store);
    var id = encoded.receipt().transaction();
    store.putNumbered(Layout.ending(id), Layout.bytes(sequence), VALUE);
    encoded
        .receipt()
        .called()
        .ifPresent(called -> index(encoded.receipt(), called, sequence, store));
    intents.end(id, store);
    return new NumberedReceipt(sequence, encoded.receipt());
  }

  private static void index(
      Receipt receipt, Receipt.Called called, long sequence, WriteBatch store) {
    called
        .nonce()
        .ifPresent(nonce -> store.putNumbered(Layout.nonce(nonce), Layout.bytes(sequence), VALUE));
    receipt
        .onLedger()
        .ifPresent(
            place -> store.putNumbered(Layout.hash(place.hash()), Layout.bytes(sequence), VALUE));
  }

  /** Of a public transaction, by its nonce or hash. */
  Optional<TransactionId> transactionAt(Key index, Entries stored) {
    return at(index, stored).map(numbered -> numbered.receipt().transaction());
  }

  /** The last sequence number given out, 0 before the first; none is given until it is stored. */
  static long lastSequence(WriteBatch store) {
    return Layout.number(store.get(Layout.LAST_SEQUENCE));
  }

  /**
   * Whether a receipt takes the place of the one that holds.
   *
   * @param ifNone whether so if none does
   */
  private boolean takesPlace(Key ending, Receipt next, boolean ifNone, WriteBatch store) {
    return store
        .getRare(ending)
        .map(Layout::number)
        .flatMap(sequence -> takesPlace(sequence, next, store))
        .orElse(ifNone);
  }

  private Optional<Boolean> takesPlace(long sequence, Receipt next, WriteBatch store) {
    return store
        .get(Layout.receipt(sequence))
        .map(bytes -> next.replaces(decode(bytes, sequence).receipt()))
        .or(() -> stub(sequence, store).map(stub -> stub.isReplacedBy(next)));
  }

  private boolean isOwn(IntentKey intent, ContractAddress contract, WriteBatch store) {
    return intents.isOwn(intent, contract, store)
        || (intents.order(intent.transaction(), store).isPresent()
            && store
                .getRare(Layout.ending(intent.transaction()))
                .flatMap(sequence -> stub(Layout.number(sequence), store))
                .filter(stub -> stub.isOwn(intent, contract))
                .isPresent());
  }

  /** What is left of a receipt that is forgotten. */
  private Optional<RoomTable.Stub> stub(long sequence, WriteBatch store) {
    return store
        .getRare(Layout.forgotten(sequence))
        .map(bytes -> values.decode(bytes, RoomTable.Stub.class));
  }

  Optional<NumberedReceipt> find(TransactionId id, Entries stored) {
    return at(Layout.ending(id), stored);
  }

  private Optional<NumberedReceipt> at(Key index, Entries stored) {
    return stored
        .get(index)
        .map(Layout::number)
        .flatMap(
            sequence -> stored.get(Layout.receipt(sequence)).map(bytes -> decode(bytes, sequence)));
  }

  /** Those that are there, in the order given. */
  private List<NumberedReceipt> at(List<Long> sequences, Entries stored) {
    var found = stored.all(sequences.stream().map(Layout::receipt).toList());
    return sequences.stream()
        .filter(sequence -> found.containsKey(Layout.receipt(sequence)))
        .map(sequence -> decode(found.get(Layout.receipt(sequence)), sequence))
        .toList();
  }

  /** Of each sender the one that holds, by their numbers; of more than so many any. */
  List<NumberedReceipt> ofOthers(TransactionId id, int limit, Entries stored) {
    var sequences =
        stored.list(
            KeyRange.startingWith(Layout.endingsOfOthers(id)),
            Order.ASCENDING,
            limit,
            (key, value) -> Layout.number(value));
    return at(sequences.stream().sorted().toList(), stored);
  }

  /** Of each contract that of the sender who was the first there, which holds. */
  List<NumberedReceipt> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit, Entries stored) {
    var all = KeyRange.startingWith(Layout.firstsOfOthers(id));
    var rest =
        after
            .map(contract -> KeyRange.startingWith(Layout.firstOfOthers(id, contract)))
            .map(before -> new KeyRange(before.until(), all.until()))
            .orElse(all);
    var endings =
        stored.list(
            rest,
            Order.ASCENDING,
            limit,
            (key, value) ->
                Layout.endingOfOthers(
                    new IntentKey(id, new SenderCommitment(Hash.of(value))),
                    Layout.firstsContract(id, key)));
    var found = stored.all(endings);
    return at(
        endings.stream()
            .filter(found::containsKey)
            .map(ending -> Layout.number(found.get(ending)))
            .toList(),
        stored);
  }

  List<NumberedReceipt> after(long sequence, int limit, Entries stored) {
    var told = new ArrayList<NumberedReceipt>();
    long read = sequence;
    while (true) {
      int most = limit - told.size();
      var page =
          stored.list(
              KeyRange.numbered(Layout.RECEIPTS, read + 1, Long.MAX_VALUE),
              Order.ASCENDING,
              most,
              (key, value) -> decode(value, key.lastNumber()));
      told.addAll(told(page, stored));
      if (page.size() < most || told.size() == limit) {
        return List.copyOf(told);
      }
      read = page.getLast().sequence();
    }
  }

  /** All but those of others that have the id of one of this node's own. */
  private static List<NumberedReceipt> told(List<NumberedReceipt> page, Entries stored) {
    var own =
        stored.all(page.stream().filter(each -> !each.own()).map(ReceiptTable::place).toList());
    return page.stream().filter(each -> each.own() || !own.containsKey(place(each))).toList();
  }

  private static Key place(NumberedReceipt numbered) {
    return Layout.place(numbered.receipt().transaction());
  }

  NumberedReceipt decode(byte[] bytes, long sequence) {
    boolean isOwn = bytes[0] == OWN;
    int head = isOwn ? 1 : 1 + COMMITMENT_BYTES;
    var content = Arrays.copyOfRange(bytes, head, bytes.length);
    return new NumberedReceipt(sequence, values.decode(content, Receipt.class), isOwn);
  }
}
