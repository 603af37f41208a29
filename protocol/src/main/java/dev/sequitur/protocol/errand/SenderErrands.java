package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a sender has done by others: the node store, the state store, the ledger. Thread-safe. */
public final class SenderErrands {
  private final Surroundings node;
  private final ContractAddress contract;
  private final Edge edge;
  private final Map<TransactionId, Receipt> ending =
      Collections.synchronizedMap(new LinkedHashMap<>());

  /** Intents that are read at once. */
  static final int LOADED = 500;

  private final AtomicBoolean seeking = new AtomicBoolean();

  /** All receipts up to now; what a block has confirmed may have been told before the block was. */
  private CompletionStage<?> stored = CompletableFuture.completedFuture(null);

  /** Tells machines of this node; what they are told may get lost. Thread-safe. */
  public interface Edge {
    /** The sender itself; an answer to it is lost with its life. */
    void answer(SenderInput input);

    /** The sender cannot go on without a fresh start. */
    void failed(String what, Throwable cause);

    /** The state store answers with AssemblyFinished. */
    void assemble(SenderEffect.Assemble work);

    /**
     * The state store has {@link #storePrepared} called when it has stored the outputs, with those
     * that it may hold.
     */
    void distribute(Received<PreparedTransactionDistribution> prepared);
  }

  public SenderErrands(Surroundings node, ContractAddress contract, Edge edge) {
    this.node = node;
    this.contract = contract;
    this.edge = edge;
  }

  /**
   * To be called by one thread at a time.
   *
   * @param whenDurable run when the receipts are, those of before too; never, if any could not be
   *     stored
   */
  public void run(List<SenderEffect> effects, Runnable whenDurable) {
    var durable = stored;
    for (var effect : effects) {
      switch (effect) {
        case SenderEffect.Complete(var receipts) ->
            durable = durable.thenCombine(complete(receipts), (a, b) -> a);
        case SenderEffect.Confirm confirmed ->
            durable = durable.thenCombine(confirm(confirmed), (a, b) -> a);
        case SenderEffect.Errand errand -> run(errand);
      }
    }
    stored = durable;
    durable.thenRun(whenDurable);
  }

  /** Receipts on their way to the node store, where nobody can read them yet. */
  public Collection<Receipt> ending() {
    synchronized (ending) {
      return List.copyOf(ending.values());
    }
  }

  private CompletionStage<?> complete(List<Receipt> receipts) {
    return ending(receipts, () -> node.intents().complete(receipts));
  }

  private CompletionStage<?> confirm(SenderEffect.Confirm confirmed) {
    return ending(
        confirmed.ofKnown(),
        () -> node.intents().confirm(confirmed.confirmations(), confirmed.known()));
  }

  private CompletionStage<?> ending(
      List<Receipt> own, Supplier<CompletionStage<List<NumberedReceipt>>> store) {
    own.forEach(receipt -> ending.put(receipt.transaction(), receipt));
    var stored = store.get();
    then(
        stored,
        "Storing receipts",
        told -> {
          node.ended(told);
          own.forEach(receipt -> ending.remove(receipt.transaction(), receipt));
        });
    return stored;
  }

  private <T> void then(CompletionStage<T> stage, String what, Consumer<T> done) {
    stage.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            done.accept(result);
          } else {
            edge.failed(what, failure);
          }
        });
  }

  private void run(SenderEffect.Errand errand) {
    switch (errand) {
      case SenderEffect.Assemble assemble -> edge.assemble(assemble);
      case SenderEffect.LoadPending(var after) -> load(after);
      // Its outputs go to those on their lists, as those of a dispatch do; only then it is stored.
      case SenderEffect.StorePrepared(var received) -> edge.distribute(received);
      case SenderEffect.LookUpReceipt(var dependency) -> lookUp(dependency);
      case SenderEffect.SeekConfirmation(var intents) -> seekConfirmation(Set.copyOf(intents));
      case SenderEffect.Count(var what) -> node.count(what);
      case SenderEffect.Took(var transaction, var step, var time) ->
          node.took(transaction, step, time);
      case SenderEffect.Fulfilled(var transaction, var time) ->
          node.fulfilled(contract, transaction, time);
    }
  }

  /**
   * Reads intents that have no receipt, whether the sender knows of them or not: a page, once the
   * sender has the one before.
   */
  private void load(long after) {
    then(
        node.intents().pending(contract, after, LOADED).thenCompose(this::withPrepared),
        "Loading intents",
        edge::answer);
  }

  private CompletionStage<SenderInput> withPrepared(List<Intent> pending) {
    var next =
        pending.size() < LOADED ? Optional.<Long>empty() : Optional.of(pending.getLast().order());
    var transactions = pending.stream().flatMap(each -> each.privately().stream()).toList();
    var accepted = new HashMap<TransactionId, Instant>();
    pending.forEach(each -> accepted.put(each.transaction().id(), each.created()));
    return prepared(transactions)
        .thenApply(
            prepared -> new SenderInput.PendingLoaded(transactions, accepted, prepared, next));
  }

  private CompletionStage<Map<TransactionId, NodeStore.Prepared>> prepared(
      List<PrivateTransaction> pending) {
    CompletionStage<Map<TransactionId, NodeStore.Prepared>> all =
        CompletableFuture.completedFuture(new HashMap<>());
    for (var transaction : pending) {
      if (transaction.submitMode() == SubmitMode.EXTERNAL) {
        all =
            all.thenCombine(
                node.intents().prepared(transaction.id()),
                (known, found) -> {
                  found.ifPresent(prepared -> known.put(transaction.id(), prepared));
                  return known;
                });
      }
    }
    return all;
  }

  /** What is not there, or could not be read, is asked for again by the sender. */
  private void lookUp(TransactionId dependency) {
    var intents = node.intents();
    intents
        .receipt(dependency)
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(found.map(each -> each.receipt().success()))
                    : intents
                        .forgotten(dependency)
                        .thenApply(it -> it.filter(Forgotten::own).map(Forgotten::success)))
        .thenAccept(
            found ->
                found
                    .map(success -> new SenderInput.DependencyEnded(dependency, success))
                    .ifPresent(edge::answer));
  }

  /** One search at a time: what is not found is asked for again when it is lost again. */
  private void seekConfirmation(Set<IntentKey> intents) {
    if (seeking.compareAndSet(false, true)) {
      new ConfirmationSearch(node.ledger(), node.intents()::intent, node.computing(), contract)
          .find(intents, node.height())
          .whenComplete(
              (found, failure) -> {
                seeking.set(false);
                if (failure == null && !found.isEmpty()) {
                  edge.answer(new SenderInput.ConfirmationFound(node.now(), found));
                }
              });
    }
  }

  /** Called when the state store of this node has the outputs of the prepared transaction. */
  public void storePrepared(Received<PreparedTransactionDistribution> received) {
    var message = received.message();
    var prepared = new NodeStore.Prepared(message.prepared(), message.outputs(), node.now());
    then(
        node.intents().putPrepared(prepared),
        "Storing a prepared transaction",
        done -> edge.answer(new SenderInput.PreparedStored(received)));
  }
}
