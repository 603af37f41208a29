package dev.sequitur.node.rpc;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store in memory, as much of one as the endpoint needs. */
final class FakeNodeStore implements NodeStore {
  private final List<Intent> intents = new ArrayList<>();
  private final Map<TransactionId, Intent> byId = new HashMap<>();
  private final Map<String, Intent> byKey = new HashMap<>();
  private final List<NumberedReceipt> receipts = new ArrayList<>();
  private final Map<TransactionId, NumberedReceipt> receiptOf = new HashMap<>();
  private final Map<String, Listener> listeners = new HashMap<>();
  private final Map<Object, StoredGroup> groups = new LinkedHashMap<>();
  private final Map<TransactionId, Prepared> prepared = new HashMap<>();
  private final Map<StateId, PrivateState> states = new HashMap<>();

  /** What keeps it from writing, if a test wants it so. */
  volatile Supplier<CompletionStage<Optional<Hindrance>>> hindrance =
      () -> completedFuture(Optional.empty());

  synchronized int intentCount() {
    return intents.size();
  }

  @Override
  public synchronized CompletionStage<Acceptance> accept(List<Intent> batch) {
    for (var intent : batch) {
      var known = intent.idempotencyKey().map(byKey::get);
      if (known.filter(old -> !old.bodyHash().equals(intent.bodyHash())).isPresent()) {
        return completedFuture(
            new Acceptance.IdempotencyConflict(
                intent.idempotencyKey().orElseThrow(), known.get().transaction().id()));
      }
    }
    var ids = new ArrayList<TransactionId>();
    var fresh = new ArrayList<Intent>();
    for (var intent : batch) {
      var known = intent.idempotencyKey().map(byKey::get);
      if (known.isPresent()) {
        ids.add(known.get().transaction().id());
        continue;
      }
      var stored =
          new Intent(
              intents.size() + 1L,
              intent.created(),
              intent.idempotencyKey(),
              intent.bodyHash(),
              intent.transaction());
      intents.add(stored);
      byId.put(stored.transaction().id(), stored);
      stored.idempotencyKey().ifPresent(key -> byKey.put(key, stored));
      ids.add(stored.transaction().id());
      fresh.add(stored);
    }
    return completedFuture(new Acceptance.Accepted(ids, fresh));
  }

  @Override
  public synchronized CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return completedFuture(Optional.ofNullable(byId.get(id)));
  }

  @Override
  public synchronized CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(String key) {
    return completedFuture(Optional.ofNullable(byKey.get(key)).map(i -> i.transaction().id()));
  }

  @Override
  public synchronized CompletionStage<Boolean> hasPending(ContractAddress contract) {
    return pending(contract).thenApply(intents -> !intents.isEmpty());
  }

  @Override
  public synchronized CompletionStage<List<Intent>> pending(ContractAddress contract) {
    return completedFuture(
        intents.stream()
            .filter(intent -> intent.transaction().contract().equals(contract))
            .filter(intent -> !receiptOf.containsKey(intent.transaction().id()))
            .toList());
  }

  @Override
  public synchronized CompletionStage<Set<ContractAddress>> contractsWithPending() {
    var contracts = new LinkedHashSet<ContractAddress>();
    intents.stream()
        .filter(intent -> !receiptOf.containsKey(intent.transaction().id()))
        .forEach(intent -> contracts.add(intent.transaction().contract()));
    return completedFuture(contracts);
  }

  @Override
  public synchronized CompletionStage<List<Intent>> intents(Optional<Long> before, int limit) {
    int end = before.map(order -> (int) (order - 1)).orElse(intents.size());
    var page = new ArrayList<>(intents.subList(Math.max(0, end - limit), end));
    Collections.reverse(page);
    return completedFuture(page);
  }

  @Override
  public synchronized CompletionStage<List<NumberedReceipt>> complete(List<Receipt> completed) {
    var numbered = new ArrayList<NumberedReceipt>();
    for (var receipt : completed) {
      var next = new NumberedReceipt(receipts.size() + 1L, receipt);
      receipts.add(next);
      receiptOf.put(receipt.transaction(), next);
      numbered.add(next);
    }
    return completedFuture(numbered);
  }

  @Override
  public synchronized CompletionStage<List<NumberedReceipt>> confirmReverted(
      Map<IntentKey, Receipt> confirmations) {
    return completedFuture(List.of());
  }

  @Override
  public synchronized CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return completedFuture(Optional.ofNullable(receiptOf.get(id)));
  }

  @Override
  public synchronized CompletionStage<List<NumberedReceipt>> receipts(long after, int limit) {
    int from = (int) Math.min(after, receipts.size());
    int to = Math.min(receipts.size(), from + limit);
    return completedFuture(List.copyOf(receipts.subList(from, to)));
  }

  @Override
  public synchronized CompletionStage<Boolean> createListener(Listener listener) {
    var known = listeners.putIfAbsent(listener.name(), listener);
    return completedFuture(known == null || known.properties().equals(listener.properties()));
  }

  @Override
  public synchronized CompletionStage<Optional<Listener>> listener(String name) {
    return completedFuture(Optional.ofNullable(listeners.get(name)));
  }

  @Override
  public synchronized CompletionStage<Void> acknowledge(String listener, long sequence) {
    listeners.computeIfPresent(
        listener, (name, old) -> new Listener(name, old.properties(), old.created(), sequence));
    return completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<Boolean> deleteListener(String name) {
    return completedFuture(listeners.remove(name) != null);
  }

  @Override
  public synchronized CompletionStage<Void> putGroup(StoredGroup group) {
    groups.put(group.id(), group);
    return completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<List<StoredGroup>> groups() {
    return completedFuture(List.copyOf(groups.values()));
  }

  @Override
  public synchronized CompletionStage<Void> putPrepared(Prepared newest) {
    prepared.put(newest.prepared().transaction(), newest);
    return completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return completedFuture(Optional.ofNullable(prepared.get(id)));
  }

  @Override
  public synchronized CompletionStage<Void> putStates(List<PrivateState> added) {
    added.forEach(state -> states.putIfAbsent(state.id(), state));
    return completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return completedFuture(ids.stream().filter(states::containsKey).map(states::get).toList());
  }

  @Override
  public CompletionStage<Optional<IndexedTo>> indexedTo() {
    return completedFuture(Optional.empty());
  }

  @Override
  public CompletionStage<Void> putIndexedTo(IndexedTo indexedTo) {
    return completedFuture(null);
  }

  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return hindrance.get();
  }
}
