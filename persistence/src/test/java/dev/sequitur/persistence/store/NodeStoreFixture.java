package dev.sequitur.persistence.store;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A node store under test, and valid values for it. */
abstract class NodeStoreFixture {
  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private static final int THREADS = 8;

  final Arbitrary arbitrary = new Arbitrary(1);

  /** An empty one, the same for the whole of a test. */
  protected abstract NodeStore store();

  /** What a future holds; fails if it takes too long. */
  protected static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** The answer to a batch that must be accepted. */
  protected final Accepted accepted(Intent... batch) {
    return (Accepted) get(store().accept(List.of(batch)));
  }

  /** A new one without a key, of any contract. */
  protected final Intent intent(Hash body) {
    return new Intent(0, NOW, Optional.empty(), body, arbitrary.next(PrivateTransaction.class));
  }

  /** A new one without a key, of a contract. */
  protected final Intent intent(ContractAddress contract) {
    var any = arbitrary.next(PrivateTransaction.class);
    return new Intent(0, NOW, Optional.empty(), hash(), any.withContract(contract));
  }

  /** A key of this name, whoever its owner is by default. */
  protected static IdempotencyKey key(String name) {
    return new IdempotencyKey(IdempotencyKey.Owner.of(Identity.parse("alice@node1")), name);
  }

  /** A new one with this key. */
  protected final Intent intent(IdempotencyKey key, Hash body) {
    return new Intent(0, NOW, Optional.of(key), body, arbitrary.next(PrivateTransaction.class));
  }

  /** A new one with a key of this name. */
  protected final Intent intent(String key, Hash body) {
    return intent(key(key), body);
  }

  /** A new public one of this sender. */
  protected final Intent publicIntent(Identity from) {
    var any = arbitrary.next(PublicTransaction.class);
    var transaction =
        new PublicTransaction(
            any.id(), from, any.to(), any.data(), any.value(), any.gas(), any.source());
    return new Intent(0, NOW, Optional.empty(), hash(), transaction);
  }

  /** Its end; a success if it has a place on the ledger. */
  protected static Receipt ended(
      Intent publicly, Optional<Receipt.OnLedger> place, Optional<Receipt.Nonce> nonce) {
    return new Receipt(
        id(publicly),
        new ContractAddress("0x" + "00".repeat(20)),
        "",
        place.isPresent(),
        place,
        place.isPresent() ? Optional.empty() : Optional.of("refused"),
        NOW,
        Optional.empty(),
        Optional.of(new Receipt.Called(Optional.empty(), Bytes.EMPTY, nonce)));
  }

  /** Any body. */
  protected final Hash hash() {
    return arbitrary.next(Hash.class);
  }

  /** As stored. */
  protected static Intent at(long order, Intent intent) {
    return new Intent(
        order, intent.created(), intent.idempotencyKey(), intent.bodyHash(), intent.transaction());
  }

  /** Its transaction's. */
  protected static TransactionId id(Intent intent) {
    return intent.transaction().id();
  }

  /** A success on the ledger. */
  protected final Receipt confirmed(Intent intent) {
    var transaction = intent.privately().orElseThrow();
    return new Receipt(
        transaction.id(),
        transaction.contract(),
        transaction.domain(),
        true,
        Optional.of(arbitrary.next(Receipt.OnLedger.class)),
        Optional.empty(),
        NOW);
  }

  /** An end before the ledger. */
  protected final Receipt reverted(Intent intent) {
    var transaction = intent.privately().orElseThrow();
    return Receipt.reverted(
        transaction.id(), transaction.contract(), transaction.domain(), "no funds", NOW);
  }

  /** What each of many calls at once does. */
  protected interface Call<T> {
    CompletionStage<T> of(int index);
  }

  /** The answers to so many calls from several threads. */
  protected static <T> List<T> concurrently(int calls, Call<T> call) {
    var start = new CountDownLatch(1);
    var stages = new ArrayList<CompletionStage<T>>();
    IntStream.range(0, calls).forEach(i -> stages.add(null));
    var threads =
        IntStream.range(0, THREADS)
            .mapToObj(
                thread ->
                    new Thread(
                        () -> {
                          try {
                            start.await();
                          } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                          }
                          for (int i = thread; i < calls; i += THREADS) {
                            stages.set(i, call.of(i));
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    start.countDown();
    threads.forEach(NodeStoreFixture::join);
    return stages.stream().map(NodeStoreFixture::get).toList();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
