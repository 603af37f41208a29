package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What a submitter has done by others: the base ledger, the key that it signs with, the machines
 * beside it.
 */
public final class SubmitterErrands {
  /** More than all that a key can have on its way. */
  private static final BigInteger UNTOLD = BigInteger.TWO.pow(300);

  private final Surroundings node;
  private final Edge edge;
  private final Signer signer;
  private final LedgerAddress address;

  /** Tells machines of this node; what they are told may get lost. Thread-safe. */
  public interface Edge {
    /** The submitter itself; an answer to it is lost with its life. */
    void answer(SubmitterInput input);

    void tellCoordinator(ContractAddress contract, CoordinatorInput.Local told);

    /** Whose public transactions are signed with the key, if any are. */
    Identity sender();

    /** The state store answers with OutputsStored when it has stored what they make. */
    void distribute(List<Dispatch> dispatches);
  }

  /**
   * @param key what the node calls the key that it signs with
   */
  public SubmitterErrands(Surroundings node, String key, Edge edge) {
    this.node = node;
    this.edge = edge;
    this.signer = node.keys().signer(key);
    this.address = node.signatures().address(signer.verifier());
  }

  /**
   * What the ledger charges comes first: what is packed or raised upon the answer goes by it. Asked
   * for with the pool, too, since a price that rises keeps blocks from taking what is there.
   */
  private void answerWithPrice(SubmitterInput input) {
    edge.answer(new SubmitterInput.BaseFeeKnown(node.ledger().baseFee()));
    edge.answer(input);
  }

  /** As whom it signs. */
  public LedgerAddress address() {
    return address;
  }

  public void run(SubmitterEffect effect) {
    switch (effect) {
      case SubmitterEffect.Submit(var items) -> submit(items);
      case SubmitterEffect.TellCommitted(var byContract) ->
          byContract.forEach(
              (of, ids) -> edge.tellCoordinator(of, new CoordinatorInput.DispatchesCommitted(ids)));
      case SubmitterEffect.TellSettled(var height, var byContract) ->
          byContract.forEach(
              (of, ids) ->
                  edge.tellCoordinator(of, new CoordinatorInput.DispatchesSettled(ids, height)));
      case SubmitterEffect.TellReverted(var of, var transaction) ->
          edge.tellCoordinator(of, new CoordinatorInput.DispatchReverted(transaction));
      case SubmitterEffect.TellSubmitting(var of, var why) ->
          edge.tellCoordinator(of, new CoordinatorInput.Submitting(why));
      case SubmitterEffect.Distribute(var dispatches) -> edge.distribute(dispatches);
      case SubmitterEffect.QueryNonce ignored ->
          node.ledger()
              .nonce(address)
              .thenCombine(node.ledger().pendingNonce(address), SubmitterErrands::known)
              .thenAccept(this::answerWithPrice);
      case SubmitterEffect.QueryBalance ignored -> queryBalance();
      case SubmitterEffect.QueryPool(var asked, var pooled) -> {
        var ledger = node.ledger();
        var unused =
            ledger
                .nonce(address)
                .thenCompose(next -> used(pooled, next, ledger::knows))
                .thenCombine(
                    ledger
                        .pendingNonce(address)
                        .thenCompose(next -> lost(pooled, next, ledger::knows)),
                    (used, lost) -> new SubmitterInput.PoolKnown(used, lost, asked))
                .thenAccept(this::answerWithPrice);
      }
      case SubmitterEffect.QueryUsed(var nonce) -> {
        var unused =
            node.acknowledged()
                .thenAccept(upTo -> upTo.ifPresent(block -> queryUsed(nonce, block)));
      }
      case SubmitterEffect.ReadPublics(var after, var limit) -> readPublics(after, limit);
      case SubmitterEffect.StoreReceipts(var receipts) -> store(receipts);
      case SubmitterEffect.Count(var what) -> node.count(what);
      case SubmitterEffect.Took(var transaction, var time) ->
          node.took(transaction, TransactionStep.SUBMITTED, time);
      case SubmitterEffect.CountPaid(var paid) -> node.count(paid);
      case SubmitterEffect.UseGas(var needs, var sends, var waits, var lacks, var above) ->
          node.use(new KeyUse(address, needs, sends, waits, lacks, above, false));
    }
  }

  /** Of two answers of a ledger that goes on between them, or does not count its pool. */
  private static SubmitterInput.NonceKnown known(long next, long pending) {
    return new SubmitterInput.NonceKnown(next, Math.max(next, pending));
  }

  /**
   * The nonce first: what is used after it counts as not used, and its money twice. Where nothing
   * tells what the key has, the pool alone decides.
   */
  private void queryBalance() {
    var contracts = node.ledger().contracts();
    if (contracts.isEmpty()) {
      edge.answer(new SubmitterInput.BalanceKnown(UNTOLD, 0));
      return;
    }
    var unused =
        node.ledger()
            .nonce(address)
            .thenCompose(
                next ->
                    contracts
                        .get()
                        .balance(address)
                        .thenApply(has -> new SubmitterInput.BalanceKnown(has, next)))
            .thenAccept(edge::answer);
  }

  private void queryUsed(long nonce, BlockHeight upTo) {
    var ledger = node.ledger();
    if (ledger.contracts().isPresent()) {
      var unused =
          ledger
              .contracts()
              .get()
              .nonce(address, upTo)
              .thenAccept(next -> edge.answer(new SubmitterInput.UsedKnown(next)));
    } else if (ledger.nonces().isPresent()) {
      var unused =
          ledger
              .nonces()
              .get()
              .receipt(new Receipt.Nonce(address, nonce))
              .thenAccept(
                  used ->
                      used.filter(receipt -> receipt.block().compareTo(upTo) <= 0)
                          .ifPresent(
                              receipt -> edge.answer(new SubmitterInput.UsedKnown(nonce + 1))));
    }
  }

  /**
   * Below which nonce all that was pooled is in blocks: none, if another transaction has the first
   * of their nonces.
   *
   * @param next the key's first nonce that is in no block
   */
  static CompletionStage<Long> used(
      SortedMap<Long, List<TransactionHash>> pooled,
      long next,
      Function<TransactionHash, CompletionStage<Boolean>> knows) {
    var below = pooled.headMap(next);
    if (below.isEmpty()) {
      return CompletableFuture.completedFuture(next);
    }
    return Answers.all(below.firstEntry().getValue().stream().map(knows).toList())
        .thenApply(known -> known.contains(true) ? next : 0L);
  }

  /**
   * The first of those that were pooled which the ledger has no more.
   *
   * @param pendingNonce too low if the ledger does not count what is in its pool
   */
  static CompletionStage<OptionalLong> lost(
      SortedMap<Long, List<TransactionHash>> pooled,
      long pendingNonce,
      Function<TransactionHash, CompletionStage<Boolean>> knows) {
    var behind = pooled.tailMap(pendingNonce);
    if (behind.isEmpty()) {
      return CompletableFuture.completedFuture(OptionalLong.empty());
    }
    long first = behind.firstKey();
    return knows
        .apply(behind.get(first).getLast())
        .thenApply(known -> known ? OptionalLong.empty() : OptionalLong.of(first));
  }

  private void readPublics(long after, int limit) {
    var unused =
        node.intents()
            .publicPending(edge.sender(), after, limit)
            .whenComplete(
                (found, failure) ->
                    edge.answer(
                        failure == null
                            ? new SubmitterInput.PublicsRead(accepted(found))
                            : new SubmitterInput.PublicsNotRead()));
  }

  /** An ABI may be long, and a submitter has no use for it. */
  private static List<Accepted> accepted(List<Intent> found) {
    return found.stream()
        .flatMap(
            intent -> intent.publicly().stream().map(it -> new Accepted(intent.order(), it.bare())))
        .toList();
  }

  /** What could not be stored the submitter has stored again. */
  private void store(List<Receipt> receipts) {
    var unused =
        Answers.all(receipts.stream().map(this::withReason).toList())
            .thenCompose(node.intents()::complete)
            .thenAccept(
                stored -> {
                  node.ended(stored);
                  edge.answer(
                      new SubmitterInput.ReceiptsStored(
                          receipts.stream().map(Receipt::transaction).toList()));
                });
  }

  /** What a contract said as it reverted is told in the words of the ABI that was sent. */
  private CompletionStage<Receipt> withReason(Receipt receipt) {
    var data = receipt.called().map(Receipt.Called::revertData).orElse(Bytes.EMPTY);
    var contracts = node.ledger().contracts();
    if (data.isEmpty() || contracts.isEmpty()) {
      return CompletableFuture.completedFuture(receipt);
    }
    return node.intents()
        .intent(receipt.transaction())
        .thenApply(
            intent ->
                receipt.because(
                    contracts
                        .get()
                        .reason(
                            data,
                            intent.flatMap(Intent::publicly).flatMap(it -> it.source().abi()))));
  }

  private void submit(List<SubmitterEffect.Item> items) {
    var nonces = items.stream().map(SubmitterEffect.Item::nonce).toList();
    var unused =
        CompletableFuture.supplyAsync(() -> items.stream().map(this::sign).toList(), signing())
            .thenCompose(signed -> node.ledger().submit(signed))
            .thenApply(answers -> byNonce(nonces, answers))
            .whenComplete(
                (answers, failure) ->
                    edge.answer(
                        failure == null
                            ? new SubmitterInput.SubmitAnswered(answers)
                            : new SubmitterInput.SubmitFailed(nonces)));
  }

  private static Map<Long, SubmitOutcome> byNonce(List<Long> nonces, List<SubmitOutcome> answers) {
    var byNonce = new HashMap<Long, SubmitOutcome>();
    for (int i = 0; i < answers.size(); i++) {
      byNonce.put(nonces.get(i), answers.get(i));
    }
    return byNonce;
  }

  /** Whoever waits for a signature from elsewhere holds up nobody's computing. */
  private Executor signing() {
    return signer.isHere() ? node.computing() : node.waiting();
  }

  private SignedLedgerTransaction sign(SubmitterEffect.Item item) {
    var transaction =
        new LedgerTransaction(address, item.nonce(), item.fees(), item.gasLimit(), item.call());
    return node.ledger().sign(transaction, signer);
  }
}
