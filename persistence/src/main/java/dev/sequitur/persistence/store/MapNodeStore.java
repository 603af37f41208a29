package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A node store over an ordered map: what lies where says {@link Layout}. Decisions are made one
 * after another, each upon what the one before it left, while all that wait share one write.
 * Nothing is kept in memory: what a method returns is all it has read.
 *
 * <p>A transaction id that is accepted again is treated as a repeated idempotency key. A receipt
 * that a late confirmation replaces stays under its sequence number, for listeners.
 */
abstract sealed class MapNodeStore implements NodeStore
    permits LevelDbNodeStore, PostgresNodeStore {
  private final OrderedMap map;
  private final StoredValues values;
  private final IntentTable intents;
  private final ReceiptTable receipts;
  private final MessageTable messages;
  private final ListenerTable listeners;
  private final AbiTable abis;
  private final GroupTable groups;
  private final ChangeTable changes;
  private final RoomTable room;
  private final AtomicLong contentsKept = new AtomicLong();

  MapNodeStore(OrderedMap map, ProtocolFormat format) {
    this.map = map;
    this.values = new StoredValues(format);
    this.intents = new IntentTable(values);
    this.receipts = new ReceiptTable(values, intents);
    this.messages = new MessageTable(values);
    this.listeners = new ListenerTable(values);
    this.abis = new AbiTable(values);
    this.groups = new GroupTable(values);
    this.changes = new ChangeTable(values);
    this.room = new RoomTable(values, intents, receipts);
  }

  /** What is kept in the same map of the node's listeners. */
  public final ListenerStore listeners() {
    return new MapListenerStore(map, listeners);
  }

  @Override
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    var encoded = intents.new Batch(batch);
    return map.write(encoded::accept).thenApply(encoded::kept);
  }

  @Override
  public CompletionStage<Void> change(PublicTransaction changed) {
    return map.write(
        store -> {
          intents.change(changed, store);
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return map.read(stored -> intents.find(id, stored));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
    return map.read(stored -> intents.byIdempotencyKey(key, stored));
  }

  @Override
  public CompletionStage<List<Intent>> intentsByKeyName(String name, int limit) {
    return page(limit, stored -> intents.byKeyName(name, limit, stored));
  }

  @Override
  public CompletionStage<List<Intent>> open(Open which, Page page) {
    return page.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : map.read(stored -> intents.open(which, page, stored));
  }

  @Override
  public CompletionStage<List<Intent>> publicPending(Identity from, long after, int limit) {
    return page(limit, stored -> intents.publicPending(from, after, limit, stored));
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return page(limit, stored -> intents.newGroupsPending(after, limit, stored));
  }

  @Override
  public CompletionStage<List<TransactionId>> dependants(
      ContractAddress contract, TransactionId of, int limit) {
    return page(limit, stored -> intents.dependants(contract, of, limit, stored));
  }

  @Override
  public CompletionStage<Set<Identity>> sendersWithPublicPending() {
    return map.read(intents::sendersWithPublicPending);
  }

  @Override
  public CompletionStage<Set<ContractAddress>> contractsWithPending() {
    return map.read(intents::contractsWithPending);
  }

  @Override
  public CompletionStage<List<Intent>> intents(Optional<Long> before, int limit) {
    long order = before.orElse(Long.MAX_VALUE);
    return page(order < 1 ? 0 : limit, stored -> intents.before(order, limit, stored));
  }

  @Override
  public CompletionStage<List<Intent>> publics(Optional<Long> before, int limit) {
    long order = before.orElse(Long.MAX_VALUE);
    return page(order < 1 ? 0 : limit, stored -> intents.publicsBefore(order, limit, stored));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByNonce(Receipt.Nonce nonce) {
    return map.read(stored -> receipts.transactionAt(Layout.nonce(nonce), stored));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByHash(TransactionHash hash) {
    return map.read(stored -> receipts.transactionAt(Layout.hash(hash), stored));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> complete(List<Receipt> batch) {
    return map.write(receipts.new Batch(batch)::complete);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
    return map.write(receipts.new Confirmed(confirmations, known)::keep);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> correct(List<NumberedReceipt> corrections) {
    return map.write(receipts.new Corrections(corrections)::keep);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit) {
    return page(limit, stored -> receipts.firstOfOthers(id, after, limit, stored));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receiptsOfOthers(TransactionId id, int limit) {
    return page(limit, stored -> receipts.ofOthers(id, limit, stored));
  }

  @Override
  public CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return map.read(stored -> receipts.find(id, stored));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receipts(long after, int limit) {
    return page(
        after == Long.MAX_VALUE ? 0 : limit,
        stored -> receipts.after(Math.max(0, after), limit, stored));
  }

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<Following> batch) {
    return map.write(messages.new Batch(at, batch)::put);
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, int keep) {
    return map.read(stored -> messages.forgettable(contract, from, keep, stored))
        .thenCompose(old -> old.isEmpty() ? done() : map.write(old::forget));
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return map.read(stored -> messages.newest(contract, stored));
  }

  @Override
  public CompletionStage<List<Long>> newestNumbers(
      ContractAddress contract, NodeName from, int most) {
    return map.read(stored -> messages.numbers(contract, from, most, stored));
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return map.read(stored -> messages.of(contract, from, after, limit, stored));
  }

  @Override
  public CompletionStage<Optional<NumberedMessage>> message(GroupMessageId id) {
    return map.read(stored -> messages.find(id, stored));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messages(long after, int limit) {
    return page(
        after == Long.MAX_VALUE ? 0 : limit,
        stored -> messages.after(Math.max(0, after), limit, stored));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messagesBefore(Optional<Long> before, int limit) {
    long sequence = before.orElse(Long.MAX_VALUE);
    return page(sequence < 1 ? 0 : limit, stored -> messages.before(sequence, limit, stored));
  }

  @Override
  public CompletionStage<Boolean> putAbi(StoredAbi abi) {
    return map.write(abis.putting(abi));
  }

  @Override
  public CompletionStage<Boolean> deleteAbi(String owner, Hash hash) {
    return map.write(store -> abis.delete(owner, hash, store));
  }

  @Override
  public CompletionStage<Optional<StoredAbi>> abi(String owner, Hash hash) {
    return map.read(stored -> abis.find(owner, hash, stored));
  }

  @Override
  public CompletionStage<List<AbiKey>> abiKeys() {
    return map.read(abis::keys);
  }

  /** {@inheritDoc} What is known of it already is kept where {@code group} leaves it empty. */
  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return map.write(store -> groups.put(store, group));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
    return map.write(store -> groups.putGiven(store, group));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
    return map.read(stored -> groups.find(id, stored));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract) {
    return map.read(stored -> groups.at(contract, stored));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupOf(Hash deploy) {
    return map.read(stored -> groups.of(deploy, stored));
  }

  @Override
  public CompletionStage<Void> putKnown(StoredGroup group, KnownGroup known, BlockHeight at) {
    return map.write(store -> groups.putKnown(store, group, known, at));
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> agree(AgreedChange agreed) {
    return map.write(store -> changes.agree(agreed, store));
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> join(AgreedChange now) {
    return map.write(store -> changes.join(now, store));
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> agreed(ContractAddress contract) {
    return map.read(stored -> changes.find(contract, stored));
  }

  @Override
  public CompletionStage<List<AgreedChange>> openChanges() {
    return map.read(changes::open);
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupMadeBy(TransactionId genesis) {
    return map.read(stored -> groups.madeBy(genesis, stored));
  }

  @Override
  public CompletionStage<List<StoredGroup>> groups(Optional<StoredGroup> before, int limit) {
    return page(limit, stored -> groups.before(before, limit, stored));
  }

  @Override
  public CompletionStage<List<StoredGroup>> unfinishedGroups() {
    return map.read(groups::unfinished);
  }

  @Override
  public CompletionStage<List<KnownGroup>> known(Collection<ContractAddress> contracts) {
    return map.read(stored -> groups.known(contracts, stored));
  }

  @Override
  public CompletionStage<List<KnownGroup>> submittedBy(Collection<LedgerAddress> submitters) {
    return map.read(stored -> groups.submittedBy(submitters, stored));
  }

  @Override
  public CompletionStage<Long> countKnown() {
    return map.read(GroupTable::countKnown);
  }

  @Override
  public CompletionStage<List<String>> localMembers(Optional<String> after, int limit) {
    return page(limit, stored -> GroupTable.localMembers(after, limit, stored));
  }

  @Override
  public CompletionStage<List<LocalMember>> groupsOf(
      Names names, Optional<LocalMember> after, int limit) {
    return page(limit, stored -> GroupTable.groupsOf(names, after, limit, stored));
  }

  @Override
  public CompletionStage<List<ChangedGroup>> changedGroups(
      BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, int limit) {
    return page(limit, stored -> GroupTable.changed(above, upTo, after, limit, stored));
  }

  @Override
  public CompletionStage<List<KnownGroup>> knownGroups(Optional<ContractAddress> after, int limit) {
    return page(limit, stored -> groups.known(after, limit, stored));
  }

  @Override
  public CompletionStage<Void> putPrepared(Prepared prepared) {
    var key = Layout.prepared(prepared.prepared().transaction());
    var value = values.encode(prepared);
    return map.write(
        store -> {
          if (store.getRare(key).isEmpty()) {
            store.put(key, value);
          }
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return map.read(stored -> read(Layout.prepared(id), Prepared.class, stored));
  }

  @Override
  public CompletionStage<Void> putStates(List<PrivateState> states) {
    var encoded = new LinkedHashMap<Key, byte[]>();
    states.forEach(
        state -> encoded.put(Layout.state(state.contract(), state.id()), values.encode(state)));
    return map.<Void>write(
            store -> {
              encoded.forEach(store::put);
              return null;
            })
        .whenComplete((done, failure) -> contentsKept.incrementAndGet());
  }

  @Override
  public CompletionStage<Void> eraseStates(ContractAddress contract, Collection<StateId> ids) {
    var keys = ids.stream().map(id -> Layout.state(contract, id)).toList();
    return map.write(
        store -> {
          keys.forEach(store::delete);
          return null;
        });
  }

  @Override
  public long contentsKept() {
    return contentsKept.get();
  }

  @Override
  public CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return map.read(
        stored -> {
          var found = stored.all(ids.stream().map(id -> Layout.state(contract, id)).toList());
          return ids.stream()
              .map(id -> found.get(Layout.state(contract, id)))
              .filter(Objects::nonNull)
              .map(bytes -> values.decode(bytes, PrivateState.class))
              .toList();
        });
  }

  @Override
  public CompletionStage<List<PrivateState>> statesAfter(
      ContractAddress contract, Optional<StateId> after, int limit) {
    var all = KeyRange.startingWith(Layout.states(contract));
    var from =
        after
            .map(id -> KeyRange.startingWith(Layout.state(contract, id)).until())
            .orElse(all.from());
    return page(
        limit,
        stored ->
            stored.list(
                new KeyRange(from, all.until()),
                Order.ASCENDING,
                limit,
                (key, value) -> values.decode(value, PrivateState.class)));
  }

  @Override
  public CompletionStage<Optional<ReadSoFar>> readSoFar() {
    return map.read(stored -> read(Layout.INDEXED_TO, ReadSoFar.class, stored));
  }

  @Override
  public CompletionStage<Void> putIndexedTo(IndexedTo indexedTo) {
    return map.write(
        store -> {
          put(ReadSoFar.upTo(readSoFar(store), indexedTo), store);
          return null;
        });
  }

  @Override
  public CompletionStage<ReadSoFar.Reindex> beginReindex(IndexedTo from) {
    return listeners()
        .all(ListenerKind.EVENTS)
        .thenCompose(listening -> map.write(store -> beginReindex(from, listening, store)));
  }

  private ReadSoFar.Reindex beginReindex(
      IndexedTo from, List<Listener> listening, WriteBatch store) {
    var before = readSoFar(store).orElseThrow(() -> new IllegalStateException("Nothing was read."));
    var now = before.readAgain(from, ReceiptTable.lastSequence(store));
    put(now, store);
    listening.forEach(each -> listeners.setBack(each, from.height(), before.height(), store));
    return now.reindex().orElseThrow();
  }

  @Override
  public CompletionStage<Void> endReindex(ReadSoFar.Reindex reindex) {
    return map.write(
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

  @Override
  public CompletionStage<RoomStore.Page> ended(Kept kept, Optional<Long> from, int limit) {
    return map.read(stored -> room.ended(kept, from, limit, stored));
  }

  @Override
  public CompletionStage<RoomStore.Freed> forget(Kept kept, RoomStore.Page page, int rows) {
    return map.write(store -> room.forget(kept, page, rows, store));
  }

  @Override
  public CompletionStage<RoomStore.Freed> wouldForget(Kept kept, RoomStore.Page page, int rows) {
    return map.read(stored -> room.wouldForget(kept, page, rows, stored));
  }

  @Override
  public CompletionStage<List<RoomStore.Ended>> whole(RoomStore.Page page, int rows) {
    return map.read(stored -> room.whole(page, rows, stored));
  }

  @Override
  public CompletionStage<Long> takenByListeners() {
    return map.read(
        stored ->
            listeners.all(ListenerKind.RECEIPTS, stored).stream()
                .mapToLong(MapNodeStore::taken)
                .min()
                .orElse(Long.MAX_VALUE));
  }

  /** What is held back it has passed and not taken. */
  private static long taken(Listener listener) {
    return Stream.concat(
            Stream.of(listener.acknowledged()),
            listener.heldBack().rows().stream().map(row -> row.number() - 1))
        .mapToLong(Long::longValue)
        .min()
        .orElseThrow();
  }

  /** Where entries that lie in the order of their numbers were forgotten. */
  final CompletionStage<List<KeyRange>> forgottenRanges() {
    return map.read(room::forgottenRanges);
  }

  @Override
  public CompletionStage<Optional<RoomStore.Bound>> forgottenUpTo(Kept kept) {
    return map.read(stored -> room.upTo(kept, stored));
  }

  @Override
  public CompletionStage<Optional<Forgotten>> forgotten(TransactionId id) {
    return map.read(stored -> room.find(id, stored));
  }

  private <T> Optional<T> read(Key key, Class<T> type, OrderedMap.Entries stored) {
    return stored.get(key).map(bytes -> values.decode(bytes, type));
  }

  /** What is wanted, if anything is. */
  private <T> CompletionStage<List<T>> page(
      int limit, Function<OrderedMap.Entries, List<T>> question) {
    return limit < 1 ? CompletableFuture.completedFuture(List.of()) : map.read(question);
  }

  private static CompletionStage<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
