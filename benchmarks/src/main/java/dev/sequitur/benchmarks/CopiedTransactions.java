package dev.sequitur.benchmarks;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Transactions of a node as they lie in its store after a load, put there again and again as if
 * others like them had been carried out: with new ids, each spending what one before it has made,
 * under a contract that no group has.
 */
final class CopiedTransactions {
  private static final int SAMPLES = 500;
  private static final int PAGE = 1_000;
  private static final int TOGETHER = 500;
  private static final int UNDER_WAY = 8;

  /** Of a transaction of the node's own that was confirmed. */
  private record Sample(Intent intent, Receipt receipt, List<PrivateState> made) {}

  private final List<Sample> samples;
  private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
  private final FreshIntents fresh = new FreshIntents(LimitSettings.DEFAULT.intentSeries());
  private final ContractAddress contract = new ContractAddress("0x" + "c0".repeat(20));
  private final ArrayDeque<StateId> unspent = new ArrayDeque<>();

  private CopiedTransactions(List<Sample> samples) {
    this.samples = samples;
  }

  /**
   * @throws IllegalStateException if no transaction of the node's own was confirmed
   */
  static CopiedTransactions of(NodeStore store) {
    var samples = new ArrayList<Sample>();
    long after = 0;
    List<NumberedReceipt> page;
    do {
      page = join(store.receipts(after, PAGE));
      for (var each : page) {
        after = each.sequence();
        if (each.own() && each.receipt().isConfirmed() && samples.size() < SAMPLES) {
          sample(store, each.receipt()).ifPresent(samples::add);
        }
      }
    } while (!page.isEmpty() && samples.size() < SAMPLES);
    if (samples.isEmpty()) {
      throw new IllegalStateException("No transaction of the node was confirmed.");
    }
    return new CopiedTransactions(samples);
  }

  private static Optional<Sample> sample(NodeStore store, Receipt receipt) {
    var made = receipt.onLedger().orElseThrow().confirmed();
    var contents = join(store.states(receipt.contract(), made));
    return join(store.intent(receipt.transaction()))
        .filter(intent -> intent.privately().isPresent())
        .map(intent -> new Sample(intent, receipt, contents));
  }

  /** Returns when so many more are in the store for good. */
  void putInto(NodeStore store, int count) {
    var underWay = new ArrayDeque<CompletableFuture<?>>();
    for (int from = 0; from < count; from += TOGETHER) {
      var batch = batch(Math.min(TOGETHER, count - from));
      underWay.add(
          store
              .accept(batch.intents())
              .thenCompose(accepted -> store.putStates(batch.made()))
              .thenCompose(kept -> store.confirm(batch.done(), batch.done().keySet()))
              .toCompletableFuture());
      if (underWay.size() == UNDER_WAY) {
        underWay.remove().join();
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  private record Batch(
      List<Intent> intents, List<PrivateState> made, Map<IntentKey, Receipt> done) {}

  private Batch batch(int size) {
    var batch = new Batch(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
    for (int i = 0; i < size; i++) {
      add(samples.get(random.nextInt(samples.size())), batch);
    }
    return batch;
  }

  private void add(Sample sample, Batch batch) {
    var was = sample.intent().privately().orElseThrow();
    var next = fresh.next(contract, was.from());
    var copy = was.with().id(next.id()).salt(next.salt()).contract(contract).build();
    batch
        .intents()
        .add(
            new Intent(
                0, sample.receipt().indexed(), sample.intent().idempotencyKey(), hash(), copy));
    var place = sample.receipt().onLedger().orElseThrow();
    var ids = new HashMap<StateId, StateId>();
    place.confirmed().forEach(state -> ids.put(state, new StateId(hash())));
    for (var state : sample.made()) {
      batch
          .made()
          .add(
              new PrivateState(
                  ids.get(state.id()),
                  contract,
                  state.schema(),
                  state.lookup(),
                  state.data(),
                  state.distribution()));
    }
    var spent = new ArrayList<StateId>();
    for (int i = 0; i < place.spent().size(); i++) {
      spent.add(unspent.isEmpty() ? new StateId(hash()) : unspent.remove());
    }
    unspent.addAll(ids.values());
    var receipt = sample.receipt();
    batch
        .done()
        .put(
            copy.key(),
            new Receipt(
                copy.id(),
                contract,
                receipt.domain(),
                true,
                Optional.of(
                    new Receipt.OnLedger(
                        new TransactionHash(hash()),
                        place.block(),
                        place.index(),
                        spent,
                        List.of(),
                        List.copyOf(ids.values()))),
                Optional.empty(),
                receipt.indexed(),
                receipt.course(),
                Optional.empty()));
  }

  private Hash hash() {
    return new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
