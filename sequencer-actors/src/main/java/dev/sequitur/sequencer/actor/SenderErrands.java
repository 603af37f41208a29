package dev.sequitur.sequencer.actor;

import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.setup.SequencerMetrics.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a sender has done by others: the node store, the state store, the ledger. Their answers come
 * to the actor as commands. Confined to the actor.
 */
final class SenderErrands {
  private final ActorContext<SenderActor.Command> context;
  private final NodeServices services;
  private final ContractAddress contract;
  private final Map<TransactionId, Receipt> ending = new LinkedHashMap<>();
  private boolean seeking;

  SenderErrands(
      ActorContext<SenderActor.Command> context, NodeServices services, ContractAddress contract) {
    this.context = context;
    this.services = services;
    this.contract = contract;
  }

  private NodeStore store() {
    return services.setup().ports().store();
  }

  /** Completes when receipts are durable; a failure stops the actor too. */
  CompletionStage<Void> run(List<SenderEffect> effects) {
    CompletionStage<Void> durable = CompletableFuture.completedFuture(null);
    for (var effect : effects) {
      switch (effect) {
        case SenderEffect.Complete(var receipts) ->
            durable = durable.thenCombine(complete(receipts), (a, b) -> a);
        case SenderEffect.ConfirmReverted late ->
            durable = durable.thenCombine(confirmReverted(late), (a, b) -> a);
        case SenderEffect.Errand errand -> perform(errand);
      }
    }
    return durable;
  }

  private <T> CompletionStage<T> stored(CompletionStage<T> receipts) {
    context.pipeToSelf(
        receipts,
        (done, failure) ->
            failure == null
                ? new SenderActor.Wake()
                : new SenderActor.Failed("Storing receipts", failure));
    return receipts;
  }

  private CompletionStage<?> complete(List<Receipt> receipts) {
    countReceipts(receipts);
    receipts.forEach(receipt -> ending.put(receipt.transaction(), receipt));
    var completed = store().complete(receipts);
    context.pipeToSelf(
        completed,
        (done, failure) ->
            failure == null
                ? new SenderActor.Completed(receipts)
                : new SenderActor.Failed("Storing receipts", failure));
    return completed;
  }

  /** They can be read now. */
  void completed(List<Receipt> receipts) {
    receipts.forEach(receipt -> ending.remove(receipt.transaction(), receipt));
  }

  /** Receipts on their way to the node store, where nobody can read them yet. */
  Collection<Receipt> ending() {
    return List.copyOf(ending.values());
  }

  private CompletionStage<?> confirmReverted(SenderEffect.ConfirmReverted late) {
    return stored(store().confirmReverted(late.confirmations()))
        .thenApply(
            receipts -> {
              countReceipts(receipts.stream().map(NodeStore.NumberedReceipt::receipt).toList());
              return receipts;
            });
  }

  private void countReceipts(List<Receipt> receipts) {
    long confirmed = receipts.stream().filter(Receipt::success).count();
    services.metrics().transactions(Transaction.CONFIRMED, confirmed);
    services.metrics().transactions(Transaction.REVERTED, receipts.size() - confirmed);
  }

  private void perform(SenderEffect.Errand errand) {
    switch (errand) {
      case SenderEffect.Assemble assemble ->
          stateStore().tell(new StateStoreActor.Assemble(assemble, context.getSelf()));
      case SenderEffect.LoadPending ignored -> load();
      // Its outputs go to those on their lists, as those of a dispatch do; only then it is stored.
      case SenderEffect.StorePrepared(var received) ->
          stateStore().tell(new StateStoreActor.DistributePrepared(received, context.getSelf()));
      case SenderEffect.LookUpReceipt(var dependency) -> lookUp(dependency);
      case SenderEffect.SeekConfirmation(var intents) -> seekConfirmation(Set.copyOf(intents));
      case SenderEffect.Count(var what) ->
          services.metrics().count(what);
    }
  }

  private EntityRef<StateStoreActor.Command> stateStore() {
    return services.entities().stateStore(contract);
  }

  private void load() {
    var loaded =
        store()
            .pending(contract)
            .thenCompose(
                intents -> {
                  var transactions = intents.stream().map(Intent::transaction).toList();
                  return prepared(transactions)
                      .thenApply(at -> new SenderInput.PendingLoaded(transactions, at));
                });
    context.pipeToSelf(
        loaded,
        (input, failure) ->
            failure == null
                ? new SenderActor.Fed(input)
                : new SenderActor.Failed("Loading intents", failure));
  }

  private CompletionStage<Map<TransactionId, Instant>> prepared(List<PrivateTransaction> pending) {
    CompletionStage<Map<TransactionId, Instant>> all =
        CompletableFuture.completedFuture(new HashMap<>());
    for (var transaction : pending) {
      if (transaction.submitMode() == SubmitMode.EXTERNAL) {
        all =
            all.thenCombine(
                store().prepared(transaction.id()),
                (known, found) -> {
                  found.ifPresent(prepared -> known.put(transaction.id(), prepared.at()));
                  return known;
                });
      }
    }
    return all;
  }

  /** What is not there, or could not be read, is asked for again by the sender. */
  private void lookUp(TransactionId dependency) {
    context.pipeToSelf(
        store().receipt(dependency),
        (receipt, failure) ->
            failure != null || receipt.isEmpty()
                ? new SenderActor.Wake()
                : new SenderActor.Fed(
                    new SenderInput.DependencyEnded(
                        dependency, receipt.get().receipt().success())));
  }

  /** One search at a time: what is not found is asked for again when it is lost again. */
  private void seekConfirmation(Set<IntentKey> intents) {
    if (!seeking) {
      seeking = true;
      context.pipeToSelf(
          new ConfirmationSearch(services.setup().ports().ledger(), store()::intent, contract)
              .find(intents, services.height()),
          (found, failure) -> new SenderActor.Sought(failure == null ? found : Map.of()));
    }
  }

  void sought() {
    seeking = false;
  }

  /** Its outputs are with this node's state store. */
  void storePrepared(Received<PreparedTransactionDistribution> received) {
    var message = received.message();
    var prepared = new NodeStore.Prepared(message.prepared(), message.outputs(), services.now());
    context.pipeToSelf(
        store().putPrepared(prepared),
        (done, failure) ->
            failure == null
                ? new SenderActor.Fed(new SenderInput.PreparedStored(received))
                : new SenderActor.Failed("Storing a prepared transaction", failure));
  }
}
