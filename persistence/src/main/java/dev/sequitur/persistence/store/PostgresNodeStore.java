package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.TextHash;
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
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The node store of a node of several JVMs: each has one of these, all over the same schema. A
 * write locks the node's row, so the writes of all JVMs are one after another and numbers have no
 * gap; what waits in one JVM meanwhile is written in one transaction.
 *
 * <p>A JVM may write from when it has {@linkplain #enter entered} until another one {@linkplain
 * #takeOver takes over}.
 *
 * <p>Answers as {@link LevelDbNodeStore} does. A write that fails while it is committed may be
 * stored all the same; to repeat it is safe.
 */
public final class PostgresNodeStore implements NodeStore, AutoCloseable {
  private final JvmAccess access;
  private final StoredValues values;
  private final PostgresIntents intents;
  private final PostgresReceipts receipts;
  private final PostgresMessages messages;
  private final PostgresListeners listeners;
  private final PostgresAbis abis;
  private final PostgresGroups groups;
  private final PostgresStates privateStates;
  private final AtomicLong contentsKept = new AtomicLong();

  /**
   * @param database stays its owner's to close, after this
   * @param executor its threads may wait for the database; reads run on it, and every future
   *     completes on it
   * @param identity whose store it is
   * @throws IllegalStateException with a sentence that says what to do, if the schema belongs to
   *     another node, or to this one with other keys
   */
  public PostgresNodeStore(
      PostgresDatabase database, ProtocolFormat format, Executor executor, NodeIdentity identity) {
    this.values = new StoredValues(format);
    this.intents = new PostgresIntents(values);
    this.receipts = new PostgresReceipts(values);
    this.messages = new PostgresMessages(values);
    this.listeners = new PostgresListeners(values);
    this.abis = new PostgresAbis(values);
    this.groups = new PostgresGroups(values);
    this.privateStates = new PostgresStates(values);
    identity.claim(database);
    this.access = new JvmAccess(database, executor, identity.jvm());
  }

  /**
   * Completes when a write was refused because the other JVMs have left this one out; every later
   * one is refused, too.
   */
  public CompletionStage<Void> leftOut() {
    return access.leftOut();
  }

  /** Looks whether the others have left this one out, as its next write would. */
  CompletionStage<Void> look() {
    return access.look();
  }

  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return access.hindrance();
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    access.close();
  }

  @Override
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    var encoded = intents.encoded(batch);
    return writing(change -> intents.accept(encoded, change));
  }

  @Override
  public CompletionStage<Void> change(PublicTransaction changed) {
    return writing(
        change -> {
          intents.change(changed, change.sql());
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return reading(sql -> intents.find(id, sql));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
    return reading(
        sql ->
            sql.one(
                "SELECT transaction FROM intent WHERE key_hash = ?",
                row -> new TransactionId(row.getObject(1, UUID.class)),
                PostgresIntents.hash(key)));
  }

  @Override
  public CompletionStage<List<Intent>> intentsByKeyName(String name, int limit) {
    return reading(
        sql ->
            intents.where(
                sql, "key_name = ? ORDER BY position DESC LIMIT ?", TextHash.of(name), limit));
  }

  @Override
  public CompletionStage<List<Intent>> open(Open which, Page page) {
    return page.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : reading(sql -> intents.open(which, page, sql));
  }

  @Override
  public CompletionStage<Boolean> hasPending(ContractAddress contract) {
    return reading(
        sql ->
            sql.any(
                "SELECT 1 FROM intent WHERE pending AND contract = ? LIMIT 1", contract.value()));
  }

  @Override
  public CompletionStage<List<Intent>> publicPending(Identity from, long after, int limit) {
    return page(
        limit,
        sql ->
            intents.where(
                sql,
                "pending AND sender = ? AND position > ? ORDER BY position LIMIT ?",
                from.toString(),
                after,
                limit));
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return page(
        limit,
        sql ->
            intents.where(
                sql,
                "pending AND contract IS NULL AND sender IS NULL AND position > ?"
                    + " ORDER BY position LIMIT ?",
                after,
                limit));
  }

  @Override
  public CompletionStage<List<TransactionId>> dependants(
      ContractAddress contract, TransactionId of, int limit) {
    return page(limit, sql -> PostgresIntents.dependants(contract, of, limit, sql));
  }

  @Override
  public CompletionStage<Set<Identity>> sendersWithPublicPending() {
    return reading(
        sql ->
            Set.copyOf(
                sql.all(
                    "SELECT DISTINCT sender FROM intent WHERE pending AND sender IS NOT NULL",
                    row -> Identity.parse(row.getString(1)))));
  }

  @Override
  public CompletionStage<Set<ContractAddress>> contractsWithPending() {
    return reading(
        sql ->
            Set.copyOf(
                sql.all(
                    "SELECT DISTINCT contract FROM intent WHERE pending AND contract IS NOT NULL",
                    row -> new ContractAddress(row.getString(1)))));
  }

  /**
   * {@inheritDoc} The write that ends it waits for those of the other JVM that have begun, so what
   * is read after it is all.
   */
  @Override
  public CompletionStage<Set<ContractAddress>> takeOver(String name) {
    return access.end(name).thenCompose(ended -> contractsWithPending());
  }

  @Override
  public CompletionStage<Set<String>> otherWriters() {
    return access.others();
  }

  @Override
  public CompletionStage<Boolean> enter(ClusterView view) {
    return access.enter(view);
  }

  @Override
  public CompletionStage<List<Intent>> intents(Optional<Long> before, int limit) {
    return page(
        limit,
        sql ->
            intents.where(
                sql,
                "position < ? ORDER BY position DESC LIMIT ?",
                before.orElse(Long.MAX_VALUE),
                limit));
  }

  @Override
  public CompletionStage<List<Intent>> publics(Optional<Long> before, int limit) {
    return page(
        limit,
        sql ->
            intents.where(
                sql,
                "sender IS NOT NULL AND position < ? ORDER BY position DESC LIMIT ?",
                before.orElse(Long.MAX_VALUE),
                limit));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByNonce(Receipt.Nonce nonce) {
    return reading(
        sql ->
            sql.one(
                "SELECT transaction FROM receipt WHERE signer = ? AND nonce = ? LIMIT 1",
                PostgresReceipts::transaction,
                nonce.signer().value(),
                nonce.number()));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByHash(TransactionHash hash) {
    return reading(
        sql ->
            sql.one(
                "SELECT transaction FROM receipt WHERE ledger_hash = ? LIMIT 1",
                PostgresReceipts::transaction,
                (Object) hash.value().toByteArray()));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> complete(List<Receipt> batch) {
    var encoded = receipts.encoded(batch);
    return writing(change -> receipts.complete(encoded, change));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
    var encoded = receipts.encoded(confirmations);
    var contracts = new HashMap<IntentKey, ContractAddress>();
    confirmations.forEach((intent, receipt) -> contracts.put(intent, receipt.contract()));
    return writing(
        change -> {
          var own = intents.ownOf(contracts, change.sql());
          return receipts.confirm(encoded, known, own, change);
        });
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> correct(List<NumberedReceipt> corrections) {
    var encoded = receipts.encoded(corrections.stream().map(NumberedReceipt::receipt).toList());
    return writing(change -> receipts.correct(corrections, encoded, change));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit) {
    return page(limit, sql -> receipts.firstOfOthers(id, after, limit, sql));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receiptsOfOthers(TransactionId id, int limit) {
    return page(limit, sql -> receipts.ofOthers(id, limit, sql));
  }

  @Override
  public CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return reading(sql -> receipts.find(id, sql));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receipts(long after, int limit) {
    return page(limit, sql -> receipts.after(after, limit, sql));
  }

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<GroupMessage> batch) {
    var encoded = messages.encoded(at, batch);
    return doing(change -> messages.put(encoded, change.sql()));
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, long upTo) {
    return doing(change -> messages.forget(contract, from, upTo, change.sql()));
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return reading(sql -> messages.newest(contract, sql));
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return reading(sql -> messages.of(contract, from, after, limit, sql));
  }

  @Override
  public CompletionStage<Optional<NumberedMessage>> message(GroupMessageId id) {
    return reading(sql -> messages.find(id, sql));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messages(long after, int limit) {
    return page(limit, sql -> messages.after(after, limit, sql));
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messagesBefore(Optional<Long> before, int limit) {
    return page(limit, sql -> messages.before(before.orElse(Long.MAX_VALUE), limit, sql));
  }

  @Override
  public CompletionStage<Boolean> createListener(ListenerKind kind, Listener listener) {
    return writing(change -> listeners.create(kind, listener, change.sql()));
  }

  @Override
  public CompletionStage<Optional<Listener>> listener(ListenerKind kind, String name) {
    return reading(sql -> listeners.find(kind, name, sql));
  }

  @Override
  public CompletionStage<Void> acknowledge(ListenerKind kind, String name, Taken taken) {
    return doing(change -> listeners.acknowledge(kind, name, taken, change));
  }

  @Override
  public CompletionStage<Boolean> deleteListener(ListenerKind kind, String name) {
    return writing(change -> listeners.delete(kind, name, change.sql()));
  }

  @Override
  public CompletionStage<Boolean> stopListener(
      ListenerKind kind, String name, Optional<Instant> stopped) {
    return writing(change -> listeners.stop(kind, name, stopped, change.sql()));
  }

  @Override
  public CompletionStage<List<Listener>> listeners(ListenerKind kind) {
    return reading(sql -> listeners.all(kind, sql));
  }

  @Override
  public CompletionStage<Boolean> putAbi(StoredAbi abi) {
    return writing(change -> abis.put(abi, change.sql()));
  }

  @Override
  public CompletionStage<Boolean> deleteAbi(String owner, Hash hash) {
    return writing(change -> abis.delete(owner, hash, change.sql()));
  }

  @Override
  public CompletionStage<Optional<StoredAbi>> abi(String owner, Hash hash) {
    return reading(sql -> abis.find(owner, hash, sql));
  }

  @Override
  public CompletionStage<List<AbiKey>> abiKeys() {
    return reading(abis::keys);
  }

  /** {@inheritDoc} What is known of it already is kept where {@code group} leaves it empty. */
  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return doing(change -> groups.put(group, change.sql()));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
    return writing(change -> groups.putGiven(group, change.sql()));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
    return reading(sql -> groups.find(id, sql));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract) {
    return reading(sql -> groups.at(contract, sql));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupOf(Hash deploy) {
    return reading(sql -> groups.of(deploy, sql));
  }

  @Override
  public CompletionStage<List<StoredGroup>> groups() {
    return reading(groups::all);
  }

  @Override
  public CompletionStage<Void> putPrepared(Prepared prepared) {
    var value = values.encode(prepared);
    return doing(
        change ->
            change
                .sql()
                .update(
                    "INSERT INTO prepared (transaction, content) VALUES (?, ?)"
                        + " ON CONFLICT DO NOTHING",
                    prepared.prepared().transaction().value(),
                    value));
  }

  @Override
  public CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return reading(
        sql ->
            sql.one(
                "SELECT content FROM prepared WHERE transaction = ?",
                row -> values.decode(row.getBytes(1), Prepared.class),
                id.value()));
  }

  @Override
  public CompletionStage<Void> putStates(List<PrivateState> states) {
    var encoded = privateStates.encoded(states);
    return doing(change -> privateStates.put(encoded, change.sql()))
        .whenComplete((done, failure) -> contentsKept.incrementAndGet());
  }

  @Override
  public long contentsKept() {
    return contentsKept.get();
  }

  @Override
  public CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return reading(sql -> privateStates.find(contract, ids, sql));
  }

  @Override
  public CompletionStage<List<PrivateState>> statesAfter(
      ContractAddress contract, Optional<StateId> after, int limit) {
    return reading(sql -> privateStates.after(contract, after, limit, sql));
  }

  @Override
  public CompletionStage<Optional<ReadSoFar>> readSoFar() {
    return reading(this::readSoFar);
  }

  private Optional<ReadSoFar> readSoFar(Sql sql) throws SQLException {
    return sql.one("SELECT indexed_to FROM node", row -> Optional.ofNullable(row.getBytes(1)))
        .flatMap(bytes -> bytes)
        .map(bytes -> values.decode(bytes, ReadSoFar.class));
  }

  private void put(ReadSoFar read, Sql sql) throws SQLException {
    sql.update("UPDATE node SET indexed_to = ?", values.encode(read));
  }

  @Override
  public CompletionStage<Void> putIndexedTo(IndexedTo indexedTo) {
    return doing(change -> put(ReadSoFar.upTo(readSoFar(change.sql()), indexedTo), change.sql()));
  }

  @Override
  public CompletionStage<ReadSoFar.Reindex> beginReindex(IndexedTo from) {
    return writing(
        change -> {
          var now =
              readSoFar(change.sql())
                  .orElseThrow(() -> new IllegalStateException("Nothing was read."))
                  .readAgain(from, change.lastSequence());
          put(now, change.sql());
          return now.reindex().orElseThrow();
        });
  }

  @Override
  public CompletionStage<Void> endReindex(ReadSoFar.Reindex reindex) {
    return doing(
        change -> {
          var read = readSoFar(change.sql());
          if (read.isPresent()) {
            put(read.get().ended(reindex), change.sql());
          }
        });
  }

  private <T> CompletionStage<T> reading(SqlTransactions.Work<T> read) {
    return access.reading(read);
  }

  /** Rows that are wanted, if any are. */
  private <T> CompletionStage<List<T>> page(int limit, SqlTransactions.Work<List<T>> read) {
    return limit < 1 ? CompletableFuture.completedFuture(List.of()) : reading(read);
  }

  private CompletionStage<Void> doing(Deed deed) {
    return writing(
        change -> {
          deed.apply(change);
          return null;
        });
  }

  /** A change without an answer. */
  private interface Deed {
    void apply(GroupWriter.Transaction change) throws SQLException;
  }

  private <T> CompletionStage<T> writing(GroupWriter.Change<T> change) {
    return access.writing(change);
  }
}
