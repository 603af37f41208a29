package dev.sequitur.ledger;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One node's view of a ledger, with faults that can be set at any time for this view alone. The
 * same seed and the same calls give the same faults. A view does not take back a height it has
 * shown: a new lag holds it where it is until the ledger is that far ahead. Thread-safe.
 */
public final class LedgerView implements BaseLedger {
  /** Submissions that may be on their way at a time while they are delayed. */
  private static final int MAX_DELAYED = 1_000;

  private static final int PAGE = 64;

  /** How far below the head a view that lags in time and has shown nothing yet begins to look. */
  private static final int FIRST_LOOK = 256;

  private final RehearsalLedger ledger;
  private final InstantSource time;
  private final ScheduledExecutorService scheduler;
  private final Random random;
  private final InjectedReverts reverts = new InjectedReverts();
  private final Semaphore delayed = new Semaphore(MAX_DELAYED);
  private final AtomicLong shown = new AtomicLong(-1);
  private volatile LedgerFaults faults = LedgerFaults.NONE;
  private volatile boolean closed;

  /**
   * @param ledger stays open when the view is closed
   * @param time the same that gives the ledger's blocks their timestamps
   * @param scheduler delays submissions
   */
  public LedgerView(
      RehearsalLedger ledger, InstantSource time, ScheduledExecutorService scheduler, long seed) {
    this.ledger = ledger;
    this.time = time;
    this.scheduler = scheduler;
    this.random = new Random(seed);
  }

  /** Replaces all faults of this view. */
  public void set(LedgerFaults faults) {
    this.faults = faults;
  }

  /**
   * Makes the next {@code count} new transactions of a contract that are submitted through this
   * view revert with INJECTED; replaces what was set for the contract before.
   */
  public void revertNext(ContractAddress contract, int count) {
    reverts.next(contract, count);
  }

  /** How many of the contract's next transactions will still revert so. */
  public int revertsLeft(ContractAddress contract) {
    return reverts.left(contract);
  }

  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return ledger.sign(transaction, signer);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    var faults = this.faults;
    if (closed || faults.unreachable()) {
      return unreachable();
    }
    var fate = fate(faults.submitFailureRate());
    if (fate == Fate.LOST) {
      return delayed(faults.submitDelay(), this::unreachable);
    }
    var doomed = reverts.among(transactions);
    var sent = delayed(faults.submitDelay(), () -> ledger.submit(transactions, doomed));
    return fate == Fate.ANSWER_LOST ? sent.thenCompose(outcomes -> unreachable()) : sent;
  }

  private enum Fate {
    DELIVERED,
    LOST,
    ANSWER_LOST
  }

  private Fate fate(double failureRate) {
    if (failureRate == 0) {
      return Fate.DELIVERED;
    }
    synchronized (random) {
      boolean fails = random.nextDouble() < failureRate;
      boolean arrives = random.nextBoolean();
      return !fails ? Fate.DELIVERED : arrives ? Fate.ANSWER_LOST : Fate.LOST;
    }
  }

  private <T> CompletionStage<T> delayed(Duration delay, Supplier<CompletionStage<T>> call) {
    if (delay.isZero()) {
      return call.get();
    }
    if (!delayed.tryAcquire()) {
      return failedFuture(
          new LedgerUnreachableException(
              "More than " + MAX_DELAYED + " submissions are delayed already."));
    }
    var due = new CompletableFuture<Void>();
    scheduler.schedule(() -> due.complete(null), delay.toNanos(), TimeUnit.NANOSECONDS);
    return due.thenCompose(
        nothing -> {
          delayed.release();
          return call.get();
        });
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return visible().thenApply(BlockHeight::new);
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    return visible()
        .thenCompose(
            visible -> {
              long room = visible - Math.max(1, from.value()) + 1;
              return room < 1
                  ? completedFuture(List.<Block>of())
                  : ledger.blocks(from, (int) Math.min(limit, room));
            });
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return shown(() -> ledger.receipt(hash));
  }

  @Override
  public Optional<NonceIndex> nonces() {
    return ledger.nonces().map(index -> used -> shown(() -> index.receipt(used)));
  }

  private CompletionStage<Optional<LedgerReceipt>> shown(
      Supplier<CompletionStage<Optional<LedgerReceipt>>> receipt) {
    return visible()
        .thenCompose(
            visible ->
                receipt
                    .get()
                    .thenApply(found -> found.filter(it -> it.block().value() <= visible)));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return receipt(hash)
        .thenCompose(
            shown ->
                shown.isEmpty() ? completedFuture(Optional.empty()) : ledger.transaction(hash));
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return visible()
        .thenCompose(
            visible ->
                ledger
                    .nonce(signer)
                    .thenCompose(newest -> firstNonceAbove(visible, signer, newest)));
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return closed || faults.unreachable() ? unreachable() : ledger.pendingNonce(signer);
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return closed || faults.unreachable() ? unreachable() : ledger.knows(hash);
  }

  /** The first nonce of the signer in a block that this view does not show yet. */
  private CompletionStage<Long> firstNonceAbove(long visible, LedgerAddress signer, long newest) {
    return ledger
        .blocks(new BlockHeight(visible + 1), PAGE)
        .thenCompose(
            hidden -> {
              var first =
                  hidden.stream()
                      .flatMap(block -> block.receipts().stream())
                      .filter(receipt -> receipt.signer().equals(signer))
                      .findFirst();
              if (hidden.isEmpty() || first.isPresent()) {
                return completedFuture(first.map(LedgerReceipt::nonce).orElse(newest));
              }
              return firstNonceAbove(heightOfLast(hidden), signer, newest);
            });
  }

  /** Of the ledger itself: faults hide blocks, and no words about them. */
  @Override
  public Optional<LedgerCheckpoints> checkpoints() {
    return ledger.checkpoints();
  }

  /** The height that this view shows now. */
  private CompletionStage<Long> visible() {
    var faults = this.faults;
    if (closed || faults.unreachable()) {
      return unreachable();
    }
    return ledger
        .head()
        .thenCompose(
            head -> {
              long most = Math.max(0, head.value() - faults.lagBlocks());
              if (faults.lagTime().isZero()) {
                return completedFuture(show(most, head));
              }
              long known = shown.get() >= 0 ? shown.get() : Math.max(0, most - FIRST_LOOK);
              return newestBefore(time.instant().minus(faults.lagTime()), known, most)
                  .thenApply(height -> show(height, head));
            });
  }

  private long show(long height, BlockHeight head) {
    return Math.min(head.value(), shown.accumulateAndGet(height, Math::max));
  }

  private CompletionStage<Long> newestBefore(Instant limit, long known, long most) {
    if (known >= most) {
      return completedFuture(Math.max(0, known));
    }
    return ledger
        .blocks(new BlockHeight(known + 1), (int) Math.min(PAGE, most - known))
        .thenCompose(
            page -> {
              long old = page.stream().takeWhile(it -> !it.timestamp().isAfter(limit)).count();
              return old == 0 || old < page.size()
                  ? completedFuture(known + old)
                  : newestBefore(limit, heightOfLast(page), most);
            });
  }

  private static long heightOfLast(List<Block> blocks) {
    return blocks.get(blocks.size() - 1).height().value();
  }

  private <T> CompletionStage<T> unreachable() {
    return failedFuture(
        new LedgerUnreachableException(
            closed
                ? "This view of the ledger is closed."
                : "The ledger does not answer: a fault was set."));
  }

  /** Leaves the ledger open, which others see too. */
  @Override
  public void close() {
    closed = true;
  }
}
