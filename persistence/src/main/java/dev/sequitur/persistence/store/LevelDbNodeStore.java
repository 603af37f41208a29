package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.WriteBatch;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The node store of a node of one JVM. Decisions are made one after another on LevelDB's writer
 * thread, each upon what the one before it left, while all that wait share one fsync. Nothing is
 * kept in memory: what a method returns is all it has read.
 *
 * <p>A transaction id that is accepted again is treated as a repeated idempotency key. A receipt
 * that a late confirmation replaces stays under its sequence number, for listeners.
 */
public final class LevelDbNodeStore implements NodeStore {
  private final LevelDb db;
  private final Executor executor;
  private final StoredValues values;
  private final IntentTable intents;
  private final ReceiptTable receipts;
  private final MessageTable messages;
  private final GroupTable groups;
  private final AtomicLong contentsKept = new AtomicLong();

  /**
   * @param db stays its owner's to close, after the last use of this
   * @param executor its threads may wait for the disk; reads run on it, and every future completes
   *     on it, so that nobody's continuation holds up the writer thread
   */
  public LevelDbNodeStore(LevelDb db, ProtocolFormat format, Executor executor) {
    this.db = db;
    this.executor = executor;
    this.values = new StoredValues(format);
    this.intents = new IntentTable(db, values);
    this.receipts = new ReceiptTable(db, values, intents);
    this.messages = new MessageTable(db, values);
    this.groups = new GroupTable(db, values);
  }

  @Override
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    return writing(intents.new Batch(batch)::accept);
  }

  @Override
  public CompletionStage<Void> change(PublicTransaction changed) {
    return writing(
        store -> {
          intents.change(changed, store);
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return reading(() -> intents.find(id));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
    return reading(() -> intents.byIdempotencyKey(key));
  }

  @Override
  public CompletionStage<List<Intent>> intentsByKeyName(String name, int limit) {
    return reading(() -> intents.byKeyName(name, limit));
  }

  @Override
  public CompletionStage<Boolean> hasPending(ContractAddress contract) {
    return reading(() -> intents.hasPending(contract));
  }

  @Override
  public CompletionStage<List<Intent>> open(Open which, Page page) {
    return page.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.open(which, page));
  }

  @Override
  public CompletionStage<List<Intent>> publicPending(Identity from, long after, int limit) {
    return limit < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.publicPending(from, after, limit));
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return limit < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.newGroupsPending(after, limit));
  }

  @Override
  public CompletionStage<List<TransactionId>> dependants(
      ContractAddress contract, TransactionId of, int limit) {
    return limit < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.dependants(contract, of, limit));
  }

  @Override
  public CompletionStage<Set<Identity>> sendersWithPublicPending() {
    return reading(intents::sendersWithPublicPending);
  }

  @Override
  public CompletionStage<Set<ContractAddress>> contractsWithPending() {
    return reading(intents::contractsWithPending);
  }

  @Override
  public CompletionStage<List<Intent>> intents(Optional<Long> before, int limit) {
    long order = before.orElse(Long.MAX_VALUE);
    return limit < 1 || order < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.before(order, limit));
  }

  @Override
  public CompletionStage<List<Intent>> publics(Optional<Long> before, int limit) {
    long order = before.orElse(Long.MAX_VALUE);
    return limit < 1 || order < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> intents.publicsBefore(order, limit));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByNonce(Receipt.Nonce nonce) {
    return reading(() -> receipts.transactionAt(Layout.nonce(nonce)));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByHash(TransactionHash hash) {
    return reading(() -> receipts.transactionAt(Layout.hash(hash)));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> complete(List<Receipt> batch) {
    return writing(receipts.new Batch(batch)::complete);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
    return writing(receipts.new Confirmed(confirmations, known)::keep);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> correct(List<NumberedReceipt> corrections) {
    return writing(receipts.new Corrections(corrections)::keep);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit) {
    return reading(() -> receipts.firstOfOthers(id, after, limit));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receiptsOfOthers(TransactionId id, int limit) {
    return limit < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> receipts.ofOthers(id, limit));
  }

  @Override
  public CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return reading(() -> receipts.find(id));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receipts(long after, int limit) {
    return limit < 1 || after == Long.MAX_VALUE
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> receipts.after(Math.max(0, after), limit));
  }

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<GroupMessage> batch) {
    return writing(messages.new Batch(at, batch)::put);
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, long upTo) {
    return writing(store -> messages.forget(store, contract, from, upTo));
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return reading(() -> messages.newest(contract));
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return reading(() -> messages.of(contract, from, after, limit));
  }

  @Override
  public CompletionStage<Optional<NumberedMessage>> message(GroupMessageId id) {
    return reading(() -> messages.find(id));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messages(long after, int limit) {
    return limit < 1 || after == Long.MAX_VALUE
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> messages.after(Math.max(0, after), limit));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messagesBefore(Optional<Long> before, int limit) {
    long sequence = before.orElse(Long.MAX_VALUE);
    return limit < 1 || sequence < 1
        ? CompletableFuture.completedFuture(List.of())
        : reading(() -> messages.before(sequence, limit));
  }

  @Override
  public CompletionStage<Boolean> createListener(ListenerKind kind, Listener listener) {
    var key = Layout.listener(kind, listener.name());
    var value = values.encode(listener);
    return writing(
        store -> {
          var existing = store.get(key).map(bytes -> values.decode(bytes, Listener.class));
          if (existing.isEmpty()) {
            store.put(key, value);
          }
          return existing.map(e -> e.properties().equals(listener.properties())).orElse(true);
        });
  }

  @Override
  public CompletionStage<Optional<Listener>> listener(ListenerKind kind, String name) {
    return reading(() -> read(Layout.listener(kind, name), Listener.class));
  }

  @Override
  public CompletionStage<Void> acknowledge(ListenerKind kind, String name, Taken taken) {
    var key = Layout.listener(kind, name);
    return writing(
        store -> {
          var listener =
              store
                  .get(key)
                  .map(bytes -> values.decode(bytes, Listener.class))
                  .orElseThrow(() -> ListenerRefusals.unknown(kind, name));
          if (taken.upTo() > lastSequence(kind, store)) {
            throw ListenerRefusals.tooHigh(taken.upTo());
          }
          var next = listener.taken(taken);
          if (!next.equals(listener)) {
            store.put(key, values.encode(next));
          }
          return null;
        });
  }

  /** Of what this store numbers; of what it does not, there is no last one. */
  private static long lastSequence(ListenerKind kind, WriteBatch store) {
    return switch (kind) {
      case RECEIPTS -> ReceiptTable.lastSequence(store);
      case MESSAGES -> MessageTable.lastSequence(store);
      case EVENTS -> Long.MAX_VALUE;
    };
  }

  @Override
  public CompletionStage<Boolean> stopListener(
      ListenerKind kind, String name, Optional<Instant> stopped) {
    var key = Layout.listener(kind, name);
    return writing(
        store -> {
          var found = store.get(key).map(bytes -> values.decode(bytes, Listener.class));
          found.ifPresent(listener -> store.put(key, values.encode(listener.stopped(stopped))));
          return found.isPresent();
        });
  }

  @Override
  public CompletionStage<Boolean> deleteListener(ListenerKind kind, String name) {
    var key = Layout.listener(kind, name);
    return writing(
        store -> {
          boolean exists = store.get(key).isPresent();
          store.delete(key);
          return exists;
        });
  }

  @Override
  public CompletionStage<List<Listener>> listeners(ListenerKind kind) {
    return reading(
        () -> all(Layout.listeners(kind), Listener.class, Comparator.comparing(Listener::name)));
  }

  @Override
  public CompletionStage<Boolean> putAbi(StoredAbi abi) {
    var key = Layout.abi(abi.owner(), abi.hash());
    var value = values.encode(abi);
    var listed = values.encode(abi.key());
    return writing(
        store -> {
          if (store.get(key).isPresent()) {
            return true;
          }
          if (abiCount(Layout.ABI_COUNT, store) >= MOST_ABIS
              || abiCount(Layout.abiCount(abi.owner()), store) >= MOST_ABIS_OF_OWNER) {
            return false;
          }
          store.put(key, value);
          store.put(Layout.abiKey(abi.owner(), abi.hash()), listed);
          countAbis(abi.owner(), 1, store);
          return true;
        });
  }

  private static long abiCount(Key counter, WriteBatch store) {
    return Layout.number(store.get(counter));
  }

  private static void countAbis(String owner, int more, WriteBatch store) {
    for (var counter : List.of(Layout.ABI_COUNT, Layout.abiCount(owner))) {
      store.put(counter, Layout.bytes(abiCount(counter, store) + more));
    }
  }

  @Override
  public CompletionStage<Boolean> deleteAbi(String owner, Hash hash) {
    var key = Layout.abi(owner, hash);
    return writing(
        store -> {
          if (store.get(key).isEmpty()) {
            return false;
          }
          store.delete(key);
          store.delete(Layout.abiKey(owner, hash));
          countAbis(owner, -1, store);
          return true;
        });
  }

  @Override
  public CompletionStage<Optional<StoredAbi>> abi(String owner, Hash hash) {
    return reading(() -> read(Layout.abi(owner, hash), StoredAbi.class));
  }

  @Override
  public CompletionStage<List<AbiKey>> abiKeys() {
    return reading(
        () -> all(Layout.ABI_KEYS, AbiKey.class, Comparator.comparing(AbiKey::created).reversed()));
  }

  private <T> List<T> all(Key region, Class<T> type, Comparator<T> order) {
    return db
        .list(
            KeyRange.startingWith(region),
            LevelDb.Order.ASCENDING,
            Integer.MAX_VALUE,
            (key, value) -> values.decode(value, type))
        .stream()
        .sorted(order)
        .toList();
  }

  /** {@inheritDoc} What is known of it already is kept where {@code group} leaves it empty. */
  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return writing(store -> groups.put(store, group));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
    return writing(store -> groups.putGiven(store, group));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
    return reading(() -> groups.find(id));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract) {
    return reading(() -> groups.at(contract));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupOf(Hash deploy) {
    return reading(() -> groups.of(deploy));
  }

  @Override
  public CompletionStage<List<StoredGroup>> groups() {
    return reading(groups::all);
  }

  @Override
  public CompletionStage<Void> putPrepared(Prepared prepared) {
    var key = Layout.prepared(prepared.prepared().transaction());
    var value = values.encode(prepared);
    return writing(
        store -> {
          if (store.get(key).isEmpty()) {
            store.put(key, value);
          }
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return reading(() -> read(Layout.prepared(id), Prepared.class));
  }

  @Override
  public CompletionStage<Void> putStates(List<PrivateState> states) {
    return this.<Void>writing(
            store -> {
              states.forEach(
                  state ->
                      store.put(Layout.state(state.contract(), state.id()), values.encode(state)));
              return null;
            })
        .whenComplete((done, failure) -> contentsKept.incrementAndGet());
  }

  @Override
  public long contentsKept() {
    return contentsKept.get();
  }

  @Override
  public CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return reading(
        () ->
            ids.stream()
                .map(id -> read(Layout.state(contract, id), PrivateState.class))
                .flatMap(Optional::stream)
                .toList());
  }

  @Override
  public CompletionStage<List<PrivateState>> statesAfter(
      ContractAddress contract, Optional<StateId> after, int limit) {
    var all = KeyRange.startingWith(Layout.states(contract));
    var from = after.map(id -> Layout.state(contract, id)).orElse(all.from());
    return reading(
        () -> {
          var page = new ArrayList<PrivateState>();
          db.scan(
              new KeyRange(from, all.until()),
              LevelDb.Order.ASCENDING,
              (key, value) -> {
                var state = values.decode(value, PrivateState.class);
                if (!after.equals(Optional.of(state.id()))) {
                  page.add(state);
                }
                return page.size() < limit;
              });
          return List.copyOf(page);
        });
  }

  @Override
  public CompletionStage<Optional<ReadSoFar>> readSoFar() {
    return reading(() -> read(Layout.INDEXED_TO, ReadSoFar.class));
  }

  @Override
  public CompletionStage<Void> putIndexedTo(IndexedTo indexedTo) {
    return writing(
        store -> {
          put(ReadSoFar.upTo(readSoFar(store), indexedTo), store);
          return null;
        });
  }

  @Override
  public CompletionStage<ReadSoFar.Reindex> beginReindex(IndexedTo from) {
    return writing(
        store -> {
          var now =
              readSoFar(store)
                  .orElseThrow(() -> new IllegalStateException("Nothing was read."))
                  .readAgain(from, ReceiptTable.lastSequence(store));
          put(now, store);
          return now.reindex().orElseThrow();
        });
  }

  @Override
  public CompletionStage<Void> endReindex(ReadSoFar.Reindex reindex) {
    return writing(
        store -> {
          readSoFar(store).ifPresent(read -> put(read.ended(reindex), store));
          return null;
        });
  }

  private Optional<ReadSoFar> readSoFar(WriteBatch store) {
    return store.get(Layout.INDEXED_TO).map(bytes -> values.decode(bytes, ReadSoFar.class));
  }

  private void put(ReadSoFar read, WriteBatch store) {
    store.put(Layout.INDEXED_TO, values.encode(read));
  }

  /**
   * {@inheritDoc} A failed write is the one thing that opening the directory anew mends. Who writes
   * upon what can't be read does not know what it does: so damage hinders too.
   */
  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return db.afterEarlierWrites()
        .handleAsync(
            (done, broken) ->
                broken == null
                    ? unwritable()
                    : Optional.of(new Hindrance(broken.getMessage(), true)),
            executor);
  }

  private Optional<Hindrance> unwritable() {
    try {
      db.checkWritable();
      return db.damage().map(damage -> new Hindrance(damage.getMessage(), false));
    } catch (RuntimeException e) {
      return Optional.of(new Hindrance(e.getMessage(), false));
    }
  }

  private <T> Optional<T> read(Key key, Class<T> type) {
    return db.get(key).map(bytes -> values.decode(bytes, type));
  }

  private <T> CompletionStage<T> reading(Supplier<T> read) {
    try {
      return CompletableFuture.supplyAsync(read, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> CompletionStage<T> writing(Function<WriteBatch, T> change) {
    var answer = new AtomicReference<T>();
    return db.write(store -> answer.set(change.apply(store)))
        .thenApplyAsync(done -> answer.get(), executor);
  }
}
