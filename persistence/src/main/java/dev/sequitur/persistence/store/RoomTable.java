package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.RoomStore.Bound;
import dev.sequitur.protocol.port.RoomStore.Ended;
import dev.sequitur.protocol.port.RoomStore.Freed;
import dev.sequitur.protocol.port.RoomStore.Page;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Row;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Forgets what has ended, from the oldest receipt on. A receipt that holds leaves a {@link Stub}
 * under its number, by which its id is known for some time more; all else of its transaction goes
 * in the same write. Up to where that has come is remembered, so that nobody looks for what is
 * gone.
 */
final class RoomTable {
  private static final int AGE_BYTES = Long.BYTES + Integer.BYTES;

  private final StoredValues values;
  private final IntentTable intents;
  private final ReceiptTable receipts;

  /** The highest order of what was forgotten since the store was opened. */
  private final AtomicLong lastOrder = new AtomicLong();

  RoomTable(StoredValues values, IntentTable intents, ReceiptTable receipts) {
    this.values = values;
    this.intents = intents;
    this.receipts = receipts;
  }

  /**
   * What is left of a receipt.
   *
   * @param sender whose transaction it was, if it was private
   * @param key the hashes of name and owner of its idempotency key, one after the other; empty if
   *     it had none
   */
  record Stub(Forgotten left, Optional<SenderCommitment> sender, Bytes key) {
    /** Whether what confirms an intent comes after it: a late confirmation wins (CNF-2). */
    boolean isReplacedBy(Receipt next) {
      return next.isConfirmed()
          && !left.success()
          && (next.called().isPresent() || next.contract().equals(left.contract()));
    }

    /** Whether it was an own one of that sender in that contract. */
    boolean isOwn(IntentKey intent, ContractAddress contract) {
      return left.own()
          && left.contract().equals(contract)
          && sender.equals(Optional.of(intent.commitment()));
    }
  }

  /** What a write has deleted, less what it put. */
  private static final class Tally {
    private final WriteBatch store;
    private long receipts;
    private long entries;
    private long bytes;

    Tally(WriteBatch store) {
      this.store = store;
    }

    /** Deletes what is there. */
    Optional<byte[]> take(Key key) {
      var there = store.get(key);
      there.ifPresent(value -> drop(key, value));
      return there;
    }

    /** As {@link #take}, of what is seldom there. */
    void takeRare(Key key) {
      store.getRare(key).ifPresent(value -> drop(key, value));
    }

    /** Deletes an index, if it leads to this number. */
    boolean takeIfAt(Key index, long number) {
      var there = store.get(index).filter(value -> Layout.number(value) == number);
      there.ifPresent(value -> drop(index, value));
      return there.isPresent();
    }

    private void drop(Key key, byte[] value) {
      store.delete(key);
      entries++;
      bytes += key.unsafeBytes().length + value.length;
    }

    void put(Key key, byte[] value) {
      store.put(key, value);
      entries--;
      bytes -= key.unsafeBytes().length + value.length;
    }

    Freed freed() {
      return new Freed(receipts, entries, bytes);
    }
  }

  Page ended(Kept kept, Optional<Long> from, int limit, Entries stored) {
    long first = from.orElseGet(() -> before(kept, stored));
    var range = KeyRange.numbered(region(kept), first, Long.MAX_VALUE);
    return new Page(
        first,
        switch (kept) {
          case CONTENTS ->
              stored.list(
                  range, Order.ASCENDING, limit, (key, value) -> receipt(key.lastNumber(), value));
          case IDS -> stubs(range, limit, stored);
        });
  }

  private Row receipt(long number, byte[] value) {
    return new Row(number, receipts.decode(value, number).receipt().indexed(), false);
  }

  /** Mostly nothing waits for anything, and nobody is asked for each. */
  private List<Row> stubs(KeyRange range, int limit, Entries stored) {
    record Numbered(long number, Stub stub) {}
    var page =
        stored.list(
            range,
            Order.ASCENDING,
            limit,
            (key, value) -> new Numbered(key.lastNumber(), values.decode(value, Stub.class)));
    boolean anyWaits = !page.isEmpty() && isThere(Layout.DEPENDANTS, stored);
    return page.stream()
        .map(
            it -> {
              var left = it.stub().left();
              boolean awaited =
                  anyWaits
                      && left.own()
                      && isThere(Layout.dependants(left.contract(), left.transaction()), stored);
              return new Row(it.number(), left.ended(), awaited);
            })
        .toList();
  }

  private static boolean isThere(Key prefix, Entries stored) {
    return !stored
        .list(KeyRange.startingWith(prefix), Order.ASCENDING, 1, (key, value) -> key)
        .isEmpty();
  }

  /** On the writer thread; nothing, if another one has been there. */
  Freed forget(Kept kept, Page page, int rows, WriteBatch store) {
    var bound = Layout.forgottenUpTo(kept);
    if (rows == 0 || before(store.get(bound)) != page.from()) {
      return Freed.NOTHING;
    }
    var freed = drop(kept, page.rows().subList(0, rows), store);
    var last = page.rows().get(rows - 1);
    store.put(bound, Layout.joined(Layout.bytes(last.number() + 1), Layout.bytes(last.ended())));
    return freed;
  }

  /** What it would be, if nothing else were done meanwhile. */
  Freed wouldForget(Kept kept, Page page, int rows, Entries stored) {
    return known(stored, store -> drop(kept, page.rows().subList(0, rows), store));
  }

  /** What goes with the contents of the first of a page. */
  List<Ended> whole(Page page, int rows, Entries stored) {
    return known(
        stored,
        store ->
            page.rows().subList(0, rows).stream()
                .flatMap(row -> whole(row.number(), store).stream())
                .toList());
  }

  private Optional<Ended> whole(long number, WriteBatch store) {
    return store
        .get(Layout.receipt(number))
        .map(
            bytes -> {
              var ended = receipts.decode(bytes, number);
              return ended.own()
                  ? wholeOwn(ended, store)
                  : wholeOfOthers(ended, ReceiptTable.commitment(bytes), store);
            });
  }

  private Ended wholeOwn(NumberedReceipt ended, WriteBatch store) {
    var id = ended.receipt().transaction();
    if (!isAt(Layout.ending(id), ended.sequence(), store)) {
      return new Ended(ended, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }
    return new Ended(
        ended,
        Optional.empty(),
        intents
            .order(id, store)
            .flatMap(
                order ->
                    store.get(Layout.intent(order)).map(value -> intents.decode(value, order))),
        store.getRare(Layout.prepared(id)).map(value -> values.decode(value, Prepared.class)),
        spent(ended.receipt(), store));
  }

  private Ended wholeOfOthers(NumberedReceipt ended, SenderCommitment sender, WriteBatch store) {
    var receipt = ended.receipt();
    var index =
        Layout.endingOfOthers(new IntentKey(receipt.transaction(), sender), receipt.contract());
    return new Ended(
        ended,
        Optional.of(sender),
        Optional.empty(),
        Optional.empty(),
        isAt(index, ended.sequence(), store) ? spent(receipt, store) : List.of());
  }

  private List<PrivateState> spent(Receipt receipt, WriteBatch store) {
    return spent(receipt).stream()
        .flatMap(state -> store.get(Layout.state(receipt.contract(), state)).stream())
        .map(value -> values.decode(value, PrivateState.class))
        .toList();
  }

  /**
   * What comes of reading what is stored: first with nothing known, then again with all that was
   * asked for, until nothing more is.
   */
  private static <T> T known(Entries stored, Function<WriteBatch, T> reading) {
    var known = new HashMap<Key, Optional<byte[]>>();
    while (true) {
      Set<Key> unknown = new HashSet<>();
      var made = reading.apply(new WriteBatch(key -> known(key, known, unknown)));
      if (unknown.isEmpty()) {
        return made;
      }
      var found = stored.all(unknown);
      unknown.forEach(key -> known.put(key, Optional.ofNullable(found.get(key))));
    }
  }

  private static Optional<byte[]> known(
      Key key, Map<Key, Optional<byte[]>> known, Set<Key> unknown) {
    var there = known.get(key);
    if (there == null) {
      unknown.add(key);
      return Optional.empty();
    }
    return there;
  }

  private Freed drop(Kept kept, List<Row> rows, WriteBatch store) {
    var tally = new Tally(store);
    for (var row : rows) {
      switch (kept) {
        case CONTENTS -> dropContents(row.number(), tally);
        case IDS -> dropId(row.number(), tally);
      }
    }
    return tally.freed();
  }

  private void dropContents(long number, Tally tally) {
    var bytes = tally.take(Layout.receipt(number));
    if (bytes.isEmpty()) {
      return;
    }
    tally.receipts++;
    var ended = receipts.decode(bytes.get(), number);
    if (ended.own()) {
      dropOwn(ended, tally);
    } else {
      dropOfOthers(ended, ReceiptTable.commitment(bytes.get()), tally);
    }
  }

  /** One that was replaced leaves nothing: what replaced it has its transaction. */
  private void dropOwn(NumberedReceipt ended, Tally tally) {
    var receipt = ended.receipt();
    var id = receipt.transaction();
    if (!isAt(Layout.ending(id), ended.sequence(), tally.store)) {
      return;
    }
    var order = intents.order(id, tally.store);
    order.ifPresent(it -> lastOrder.accumulateAndGet(it, Math::max));
    var intent =
        order.flatMap(it -> tally.take(Layout.intent(it)).map(value -> intents.decode(value, it)));
    if (intent.flatMap(Intent::publicly).isPresent()) {
      tally.take(Layout.PUBLICS.number(order.orElseThrow()));
    }
    tally.takeRare(Layout.prepared(id));
    receipt
        .called()
        .flatMap(Receipt.Called::nonce)
        .ifPresent(nonce -> tally.takeIfAt(Layout.nonce(nonce), ended.sequence()));
    if (receipt.called().isPresent()) {
      receipt
          .onLedger()
          .ifPresent(place -> tally.takeIfAt(Layout.hash(place.hash()), ended.sequence()));
    }
    dropSpent(receipt, tally);
    leave(
        ended,
        intent.flatMap(Intent::privately).map(PrivateTransaction::key).map(IntentKey::commitment),
        intent.flatMap(Intent::idempotencyKey).map(Layout::hashes).orElse(Bytes.EMPTY),
        tally);
  }

  private void dropOfOthers(NumberedReceipt ended, SenderCommitment sender, Tally tally) {
    var receipt = ended.receipt();
    var intent = new IntentKey(receipt.transaction(), sender);
    if (isAt(Layout.endingOfOthers(intent, receipt.contract()), ended.sequence(), tally.store)) {
      dropSpent(receipt, tally);
      leave(ended, Optional.of(sender), Bytes.EMPTY, tally);
    }
  }

  private static boolean isAt(Key index, long number, WriteBatch store) {
    return Layout.number(store.get(index)) == number;
  }

  /** What a transaction on the ledger has spent nobody can spend again. */
  private static void dropSpent(Receipt receipt, Tally tally) {
    spent(receipt).forEach(state -> tally.take(Layout.state(receipt.contract(), state)));
  }

  private static List<StateId> spent(Receipt receipt) {
    return receipt.isConfirmed() ? receipt.onLedger().orElseThrow().spent() : List.of();
  }

  private void leave(
      NumberedReceipt ended, Optional<SenderCommitment> sender, Bytes key, Tally tally) {
    var receipt = ended.receipt();
    var left =
        new Forgotten(
            receipt.transaction(),
            receipt.contract(),
            ended.own(),
            receipt.success(),
            receipt.indexed());
    tally.put(Layout.forgotten(ended.sequence()), values.encode(new Stub(left, sender, key)));
  }

  private void dropId(long number, Tally tally) {
    var bytes = tally.take(Layout.forgotten(number));
    if (bytes.isEmpty()) {
      return;
    }
    tally.receipts++;
    var stub = values.decode(bytes.get(), Stub.class);
    var id = stub.left().transaction();
    if (stub.left().own()) {
      if (!stub.key().isEmpty()) {
        tally.take(Layout.idempotency(stub.key()));
      }
      if (tally.takeIfAt(Layout.ending(id), number)) {
        tally.take(Layout.place(id));
      }
    } else {
      var sender = stub.sender().orElseThrow();
      var contract = stub.left().contract();
      tally.takeIfAt(Layout.endingOfOthers(new IntentKey(id, sender), contract), number);
      var first = Layout.firstOfOthers(id, contract);
      if (tally.store.get(first).map(Bytes::of).equals(Optional.of(bytesOf(sender)))) {
        tally.take(first);
      }
    }
  }

  private static Bytes bytesOf(SenderCommitment sender) {
    return Bytes.of(sender.value().toByteArray());
  }

  /** Where entries that lie in the order of their numbers were forgotten. */
  List<KeyRange> forgottenRanges(Entries stored) {
    return List.of(
        KeyRange.numbered(Layout.RECEIPTS, 0, before(Kept.CONTENTS, stored)),
        KeyRange.numbered(Layout.FORGOTTEN, 0, before(Kept.IDS, stored)),
        KeyRange.numbered(Layout.INTENTS, 0, lastOrder.get()),
        KeyRange.numbered(Layout.PUBLICS, 0, lastOrder.get()));
  }

  private static long before(Kept kept, Entries stored) {
    return before(stored.get(Layout.forgottenUpTo(kept)));
  }

  Optional<Bound> upTo(Kept kept, Entries stored) {
    return stored
        .get(Layout.forgottenUpTo(kept))
        .map(
            bytes -> {
              var both = ByteBuffer.wrap(bytes);
              long before = both.getLong();
              var ended = new byte[AGE_BYTES];
              both.get(ended);
              return new Bound(before, Layout.time(ended));
            });
  }

  /** Numbers begin with 1. */
  private static long before(Optional<byte[]> bound) {
    return bound.map(Layout::number).orElse(1L);
  }

  private static Key region(Kept kept) {
    return switch (kept) {
      case CONTENTS -> Layout.RECEIPTS;
      case IDS -> Layout.FORGOTTEN;
    };
  }

  /** Of an own one if there is such an id, whatever others have used it for. */
  Optional<Forgotten> find(TransactionId id, Entries stored) {
    var own = stored.get(Layout.ending(id));
    if (own.isPresent() || stored.get(Layout.place(id)).isPresent()) {
      return own.flatMap(number -> at(number, stored));
    }
    return stored
        .list(
            KeyRange.startingWith(Layout.endingsOfOthers(id)),
            Order.ASCENDING,
            1,
            (key, value) -> value)
        .stream()
        .findFirst()
        .flatMap(number -> at(number, stored));
  }

  private Optional<Forgotten> at(byte[] number, Entries stored) {
    return stored
        .get(Layout.forgotten(Layout.number(number)))
        .map(bytes -> values.decode(bytes, Stub.class).left());
  }
}
