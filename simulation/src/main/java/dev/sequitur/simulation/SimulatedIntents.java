package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A running node's way to the intents on its disk, with the crashes before and after a write. */
record SimulatedIntents(NodeLife node) implements IntentStore {
  private <T> CompletionStage<T> write(Supplier<T> what) {
    return SimulatedSurroundings.write(node, NodeLife.WRITE, what);
  }

  private <T> CompletionStage<T> read(Supplier<T> what) {
    return SimulatedSurroundings.answer(node, NodeLife.WORK, what);
  }

  @Override
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    return node.simulation().moves().accept(node, batch, () -> stored(batch));
  }

  private CompletionStage<Acceptance> stored(List<Intent> batch) {
    return write(
        () -> {
          var ids = new ArrayList<TransactionId>();
          var fresh = new ArrayList<Intent>();
          for (var intent : batch) {
            var known = intent.idempotencyKey().flatMap(node.disk()::byKey);
            if (known.isEmpty()) {
              node.accept(intent);
              fresh.add(intent);
            } else if (!known.get().bodyHash().equals(intent.bodyHash())) {
              throw new IllegalStateException("Another body under the key of " + known.get());
            }
            ids.add(known.orElse(intent).transaction().id());
          }
          return new Acceptance.Accepted(ids, fresh);
        });
  }

  @Override
  public CompletionStage<Void> change(PublicTransaction changed) {
    throw new UnsupportedOperationException("Callers here change nothing but by cancelling it.");
  }

  @Override
  public CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return read(() -> node.disk().intent(id));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
    return read(() -> node.disk().byKey(key).map(known -> known.transaction().id()));
  }

  @Override
  public CompletionStage<List<Intent>> pending(ContractAddress contract, long after, int limit) {
    return read(() -> node.disk().pending(contract, after, limit));
  }

  @Override
  public CompletionStage<List<Intent>> publicPending(Identity from, long after, int limit) {
    return read(() -> node.disk().publicPending(after, limit));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> complete(List<Receipt> receipts) {
    return write(() -> store(receipts));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
    return write(
        () ->
            store(
                confirmations.entrySet().stream()
                    .filter(
                        each ->
                            known.contains(each.getKey())
                                || node.disk().replaces(each.getValue(), each.getKey()))
                    .map(Map.Entry::getValue)
                    .toList()));
  }

  /** Nobody reads them by their numbers. */
  private List<NumberedReceipt> store(List<Receipt> receipts) {
    return receipts.stream()
        .filter(node::complete)
        .map(each -> new NumberedReceipt(1, each))
        .toList();
  }

  @Override
  public CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return read(() -> node.disk().receipt(id).map(each -> new NumberedReceipt(1, each)));
  }

  @Override
  public CompletionStage<Optional<Forgotten>> forgotten(TransactionId id) {
    return read(
        () ->
            Optional.ofNullable(node.disk().receipts.get(id))
                .filter(ended -> node.disk().forgotten.contains(id))
                .filter(ended -> node.simulation().tampering().keepsIds())
                .map(
                    ended ->
                        new Forgotten(
                            id, ended.contract(), true, ended.success(), ended.indexed())));
  }

  @Override
  public CompletionStage<Void> putPrepared(Prepared prepared) {
    return write(
        () -> {
          node.storePrepared(prepared);
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return read(
        () ->
            Optional.ofNullable(node.disk().prepared.get(id))
                .filter(found -> !node.disk().forgotten.contains(id)));
  }
}
