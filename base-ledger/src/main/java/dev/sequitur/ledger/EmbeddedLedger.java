package dev.sequitur.ledger;

import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A base ledger of its own, one for each network: a pool, a block maker, and contracts that enforce
 * what {@link dev.sequitur.protocol.port.BaseLedger} promises. Nodes see it through a {@link
 * LedgerView} each. Thread-safe.
 *
 * <p>Survives a crash: each block and all that it changes, fsynced in one write. Does not survive:
 * the pool; what was not in a block is to be submitted again, as on any ledger.
 */
public final class EmbeddedLedger implements RehearsalLedger {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedLedger.class);

  private final LedgerSettings settings;
  private final LedgerRuntime runtime;
  private final Chain chain;
  private final Pool pool;
  private final PoolAdmission submission;
  private final Random random;
  private final List<Consumer<BlockHeight>> headListeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock making = new ReentrantLock();
  private final AtomicBoolean cutWaits = new AtomicBoolean();
  private final AtomicReference<Optional<Class<?>>> hindered =
      new AtomicReference<>(Optional.empty());
  private Optional<ScheduledFuture<?>> schedule = Optional.empty(); // guarded by making

  private EmbeddedLedger(LedgerStorage storage, LedgerSettings settings, LedgerRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.chain = new Chain(storage, settings);
    this.pool = new Pool(settings.poolCapacity(), chain::nonce);
    this.submission = new PoolAdmission(chain, pool, runtime, settings);
    this.random = new Random(settings.seed());
  }

  /**
   * Opens a ledger, a new one if the storage is empty. Blocks are cut by {@link #cutBlock} until
   * {@link #start} is called.
   *
   * @param storage closed with the ledger
   */
  public static EmbeddedLedger open(
      LedgerStorage storage, LedgerSettings settings, LedgerRuntime runtime) {
    return new EmbeddedLedger(storage, settings, runtime);
  }

  /**
   * Cuts blocks from now on, one each block time. A block that takes longer delays the next. With
   * checkpoints it is looked meanwhile whether the tables hold what the next one will say; if they
   * do not, it cuts no more.
   */
  public void start() {
    making.lock();
    try {
      if (schedule.isEmpty()) {
        long nanos = settings.blockTime().toNanos();
        schedule =
            Optional.of(
                runtime
                    .scheduler()
                    .scheduleAtFixedRate(this::cutSoon, nanos, nanos, TimeUnit.NANOSECONDS));
        runtime.executor().execute(this::checkTables);
      }
    } finally {
      making.unlock();
    }
  }

  private void checkTables() {
    try {
      if (!chain.holdsWhatItSays()) {
        LOG.error("The ledger's storage is damaged: no more blocks are made.");
      }
    } catch (RuntimeException e) {
      LOG.error("Whether the ledger's storage is sound could not be told.", e);
    }
  }

  private void cutSoon() {
    if (!cutWaits.compareAndSet(false, true)) {
      return;
    }
    try {
      runtime.executor().execute(this::cutNow);
    } catch (RejectedExecutionException e) {
      cutWaits.set(false);
      LOG.warn("The executor is too busy to cut a block; the next tick tries again.");
    }
  }

  private void cutNow() {
    cutWaits.set(false);
    try {
      cutBlock();
      if (hindered.getAndSet(Optional.empty()).isPresent()) {
        LOG.info("Blocks are cut again.");
      }
    } catch (LedgerUnreachableException closed) {
      LOG.debug("No block is cut: {}", closed.getMessage());
    } catch (RuntimeException e) {
      tellOnce(e);
    }
  }

  /** The next tick meets the same, and the next: each kind of reason is told when it begins. */
  private void tellOnce(RuntimeException reason) {
    var before = hindered.getAndSet(Optional.of(reason.getClass()));
    if (before.equals(Optional.of(reason.getClass()))) {
      return;
    }
    if (reason instanceof LevelDbException) {
      LOG.error("No block can be cut. {}", reason.getMessage());
    } else {
      LOG.error("No block can be cut.", reason);
    }
  }

  /**
   * Makes a block of what waits, and returns when it is stored. Blocks the caller meanwhile.
   *
   * @return empty if nothing waits and empty blocks are not wanted
   */
  public Optional<Block> cutBlock() {
    making.lock();
    try {
      var transactions = pool.select(settings.blockLimit());
      if (transactions.isEmpty() && !settings.emptyBlocks()) {
        return Optional.empty();
      }
      var block = chain.append(transactions, runtime.time().instant());
      var nextNonces = new HashMap<LedgerAddress, Long>();
      block.receipts().forEach(receipt -> nextNonces.put(receipt.signer(), receipt.nonce() + 1));
      pool.settle(nextNonces);
      chain.dropOldest();
      tellHead();
      return Optional.of(block);
    } finally {
      making.unlock();
    }
  }

  /**
   * Replaces the newest blocks by others with the same transactions in another order, chosen by the
   * ledger's seed.
   *
   * @throws IllegalArgumentException if a block that is final would change
   */
  public void reorganise(int depth) {
    reorganise(new Reorganisation(depth, random.nextLong(), 0, 0));
  }

  /** As {@link #reorganise(int)}, by a plan. */
  public void reorganise(Reorganisation plan) {
    making.lock();
    try {
      pool.restore(chain.reorganise(plan));
      tellHead();
    } finally {
      making.unlock();
    }
  }

  /**
   * Calls {@code listener} after each new block and each reorganisation, with the head's height, on
   * the thread that made it: it must be quick and must not throw.
   *
   * @return ends it when closed
   */
  public Registration onHead(Consumer<BlockHeight> listener) {
    headListeners.add(listener);
    return () -> headListeners.remove(listener);
  }

  @Override
  public Optional<LedgerCheckpoints> checkpoints() {
    return Optional.of(
        new LedgerCheckpoints() {
          @Override
          public CompletionStage<CheckpointStanding> standing() {
            return reading(chain::standing);
          }

          @Override
          public CompletionStage<Answer> agree(Agreement agreement) {
            return reading(() -> judged(agreement));
          }
        });
  }

  private Answer judged(Agreement agreement) {
    var reader = runtime.signatures().address(agreement.reader());
    boolean signed =
        runtime
            .signatures()
            .isValid(
                agreement.reader(), agreement.signed(settings.chainId()), agreement.signature());
    making.lock();
    try {
      var answer = chain.agree(agreement.checkpoint(), reader, signed);
      if (answer == Answer.DIFFERS) {
        LOG.error(
            "The reader {} has another digest at block {} than this ledger: no blocks are dropped.",
            reader,
            agreement.checkpoint().height());
      }
      return answer;
    } finally {
      making.unlock();
    }
  }

  private void tellHead() {
    var height = headHeight();
    headListeners.forEach(listener -> listener.accept(height));
  }

  /** What ends a subscription. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** Transitions that wait for a block. */
  public int poolSize() {
    return pool.size();
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {
    return submission.submit(transactions, doomed);
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return reading(() -> chain.nonce(signer));
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return reading(() -> pool.pendingNonce(signer));
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return pool.contains(hash)
        ? CompletableFuture.completedFuture(true)
        : receipt(hash).thenApply(Optional::isPresent);
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return CompletableFuture.completedFuture(headHeight());
  }

  /** As {@link #head}, at once. */
  public BlockHeight headHeight() {
    return chain.head().height();
  }

  /** Fewer than {@code limit} blocks too when they are large; at least one if there is one. */
  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    if (limit < 1 || from.compareTo(headHeight()) > 0) {
      return CompletableFuture.completedFuture(List.of());
    }
    return reading(() -> chain.blocks(from, limit));
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return reading(() -> chain.receipt(hash));
  }

  @Override
  public Optional<NonceIndex> nonces() {
    return Optional.of(used -> reading(() -> chain.receipt(used)));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return reading(() -> chain.transaction(hash));
  }

  private <T> CompletionStage<T> reading(Supplier<T> read) {
    try {
      return CompletableFuture.supplyAsync(read, runtime.executor());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new LedgerUnreachableException("The ledger is too busy: ask again later.", e));
    }
  }

  /** Waits for a block that is being made; what is in the pool is lost. */
  @Override
  public void close() {
    making.lock();
    try {
      schedule.ifPresent(ticks -> ticks.cancel(false));
      schedule = Optional.empty();
      chain.close();
    } finally {
      making.unlock();
    }
  }
}
