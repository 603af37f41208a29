package dev.sequitur.ledger;

import dev.sequitur.ledger.BlockExecution.Executed;
import dev.sequitur.ledger.BlockExecution.Position;
import dev.sequitur.ledger.LedgerTable.Only;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.checkpoint.Agreements;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Agreements.Word;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The blocks and what they left: contracts, states, intents, nonces. A block and its changes are
 * stored in one write, so opening after a crash finds the state of the last whole block and replays
 * nothing. Memory holds a bounded part of it only.
 *
 * <p>Reads are thread-safe; {@link #append}, {@link #reorganise} and {@link #close} may be called
 * by one thread at a time.
 */
final class Chain implements AutoCloseable {
  /** Stands below the first block and is never handed out. */
  private static final Block ORIGIN =
      new Block(
          BlockHeight.ZERO,
          BlockHash.beforeFirst(),
          BlockHash.beforeFirst(),
          Instant.EPOCH,
          List.of(),
          Optional.empty());

  private static final int CACHED_STATES = 65_536;

  /** Blocks that are dropped at once. */
  private static final int MOST_DROPPED = 64;

  /** Entries after which no further block is dropped at once. */
  private static final int MOST_KEYS = 20_000;

  /** Results after which an answer with several blocks ends early. */
  private static final int RESULTS_IN_ANSWER = 5_000;

  private final LedgerStorage storage;
  private final LedgerSettings settings;
  private final ContractRules rules = new ContractRules();
  private final DecodedBlocks decoded = new DecodedBlocks();
  // readers share it; a reorganisation and close take it alone
  private final ReadWriteLock view = new ReentrantReadWriteLock();
  private final Map<Key, byte[]> cachedStates = LimitedMap.ofLastUsed(CACHED_STATES);
  private final StoredSums sums;
  private volatile Block head;
  private volatile long oldest;
  private volatile Agreements agreements;
  private volatile boolean closed;
  private volatile boolean damaged;

  Chain(LedgerStorage storage, LedgerSettings settings) {
    this.storage = storage;
    this.settings = settings;
    this.sums = new StoredSums(storage);
    this.head = load(storage.get(LedgerTable.HEAD, Only.ONE).orElse(0L));
    this.oldest = storage.get(LedgerTable.OLDEST, Only.ONE).orElse(1L);
    this.agreements = new Agreements(settings.readers(), said());
    if (settings.checkpoints() && !sums.areThere()) {
      sums.make();
    } else if (!settings.checkpoints() && sums.areThere()) {
      sums.drop();
    }
  }

  /** The newest block; before the first one of height 0 that is never handed out. */
  Block head() {
    return head;
  }

  private Map<LedgerAddress, Word> said() {
    var said = new HashMap<LedgerAddress, Word>();
    for (var reader : settings.readers().values()) {
      storage.get(LedgerTable.SAID, reader).ifPresent(word -> said.put(reader, word));
    }
    return said;
  }

  /**
   * Blocks from a height upwards; fewer than {@code limit} if they are large.
   *
   * @throws BlocksDroppedException if the first is not there any more
   */
  List<Block> blocks(BlockHeight from, int limit) {
    return reading(
        () -> {
          if (Math.max(1, from.value()) < oldest) {
            throw BlocksDroppedException.below(new BlockHeight(oldest));
          }
          var found = new ArrayList<Block>();
          int results = 0;
          long last = head.height().value();
          for (long at = Math.max(1, from.value());
              at <= last && found.size() < limit && results < RESULTS_IN_ANSWER;
              at++) {
            var block = load(at);
            found.add(block);
            results += block.receipts().stream().mapToInt(each -> each.results().size()).sum();
          }
          return found;
        });
  }

  Optional<LedgerReceipt> receipt(TransactionHash hash) {
    return receipt(LedgerTable.POSITIONS, hash);
  }

  /** Of what has used it. */
  Optional<LedgerReceipt> receipt(Receipt.Nonce used) {
    return receipt(LedgerTable.USED, used);
  }

  private <K> Optional<LedgerReceipt> receipt(LedgerTable<K, Position> table, K key) {
    return reading(
        () -> position(table, key).map(at -> load(at.height()).receipts().get(at.index())));
  }

  /** As it was submitted. */
  Optional<LedgerTransaction> transaction(TransactionHash hash) {
    return reading(
        () ->
            position(LedgerTable.POSITIONS, hash)
                .map(at -> transactions(at.height()).get(at.index()).signed().transaction()));
  }

  private <K> Optional<Position> position(LedgerTable<K, Position> table, K key) {
    return storage
        .get(table, key)
        // stored a moment before its block is shown
        .filter(at -> at.height() <= head.height().value());
  }

  boolean contains(TransactionHash hash) {
    return reading(() -> storage.get(LedgerTable.POSITIONS, hash).isPresent());
  }

  /** The nonce of the signer's next transaction. */
  long nonce(LedgerAddress signer) {
    return reading(() -> storage.get(LedgerTable.NONCES, signer).orElse(0L));
  }

  /**
   * Counts whether the tables hold what the next checkpoint will say, while blocks are made. If
   * they do not, no block is made any more. Ends early if the ledger is closed.
   *
   * @return whether they do
   */
  boolean holdsWhatItSays() {
    if (settings.checkpoints() && !sums.matchTables(() -> !closed)) {
      damaged = true;
    }
    return !damaged;
  }

  /** Makes and stores the next block; transactions whose nonce is not the next are left out. */
  Block append(List<CheckedTransaction> transactions, Instant now) {
    requireOpen();
    requireSound();
    var execution = new BlockExecution(rules, next(head), this::state);
    transactions.forEach(execution::run);
    var checkpoint = checkpoint(head, new Overlay(this::state));
    var executed = execution.finish(head, later(now, head), checkpoint);
    var batch = new HashMap<Key, Optional<byte[]>>();
    long nowFinal = executed.block().height().value() - settings.finalityDepth();
    batch.put(LedgerTable.UNDO.at(nowFinal), Optional.empty());
    executed.addTo(batch, settings.finalityDepth() > 0);
    follow(executed.state(), batch);
    store(batch, executed.state().changes(), List.of(executed.block()));
    return executed.block();
  }

  /**
   * Replaces the newest blocks.
   *
   * @return transactions of the old blocks that are in none of the new ones and not lost
   * @throws IllegalArgumentException if a block that is final would change
   */
  List<CheckedTransaction> reorganise(Reorganisation plan) {
    requireOpen();
    requireSound();
    requireReplaceable(plan.depth());
    long last = head.height().value();
    long first = last - plan.depth() + 1;
    var state = new Overlay(this::state);
    var replaced = new ArrayList<CheckedTransaction>();
    for (long at = last; at >= first; at--) {
      state.putAll(stored(LedgerTable.UNDO, at));
      replaced.addAll(0, transactions(at));
    }
    var order = Reordering.of(plan, replaced, settings.blockLimit());
    var batch = new HashMap<Key, Optional<byte[]>>();
    var left = new LinkedHashMap<TransactionHash, CheckedTransaction>();
    order.kept().forEach(transaction -> left.put(transaction.hash(), transaction));
    var blocks = new ArrayList<Block>();
    Block parent = load(first - 1);
    for (var transactions : order.blocks()) {
      var executed = replacement(parent, transactions, state);
      executed.addTo(batch, true);
      state.putAll(executed.state().changes());
      executed.transactions().forEach(transaction -> left.remove(transaction.hash()));
      parent = executed.block();
      blocks.add(parent);
    }
    follow(state, batch);
    view.writeLock().lock();
    try {
      store(batch, state.changes(), blocks);
    } finally {
      view.writeLock().unlock();
    }
    return List.copyOf(left.values());
  }

  private Executed replacement(Block parent, List<CheckedTransaction> transactions, Overlay state) {
    var execution = new BlockExecution(rules, next(parent), state::get);
    transactions.forEach(execution::run);
    // after the timestamp of the block it replaces, so that an empty block changes too
    var replaced = load(parent.height().value() + 1);
    return execution.finish(
        parent, later(later(replaced.timestamp(), replaced), parent), checkpoint(parent, state));
  }

  /**
   * What the next block says of the state that its parent has left.
   *
   * @param state that one
   */
  private Optional<Hash> checkpoint(Block parent, Overlay state) {
    return settings.isCheckpoint(parent.height())
        ? Optional.of(after(state).digest())
        : Optional.empty();
  }

  /** Adds the sums of a state that is about to be stored. */
  private void follow(Overlay state, Map<Key, Optional<byte[]>> batch) {
    if (settings.checkpoints()) {
      after(state).addTo(batch);
    }
  }

  private TableSums after(Overlay state) {
    var after = new TableSums(sums);
    after.follow(state);
    return after;
  }

  /** What the ledger says of a height, if that can't change any more and is still there. */
  private Optional<Checkpoint> checkpoint(long height) {
    boolean isFinal = height + 1 <= head.height().value() - settings.finalityDepth();
    if (!isFinal || height < 1 || height + 1 < oldest) {
      return Optional.empty();
    }
    var carrier = load(height + 1);
    return carrier
        .checkpoint()
        .map(digest -> new Checkpoint(new BlockHeight(height), carrier.hash(), digest));
  }

  private Optional<BlockHeight> newestCheckpoint() {
    if (!settings.checkpoints()) {
      return Optional.empty();
    }
    long carrier = head.height().value() - settings.finalityDepth();
    long height =
        Math.max(0, carrier - 1) / settings.checkpointEvery() * settings.checkpointEvery();
    return checkpoint(height).map(Checkpoint::height);
  }

  CheckpointStanding standing() {
    return reading(
        () -> {
          var newest = newestCheckpoint();
          return new CheckpointStanding(
              settings.checkpointEvery(),
              new BlockHeight(oldest),
              newest,
              agreements.agreed(),
              settings.keep(),
              dropUpTo().map(upTo -> Math.max(0, upTo.value() - oldest + 1)).orElse(0L),
              agreements.standing(newest));
        });
  }

  private Optional<BlockHeight> dropUpTo() {
    return CheckpointStanding.dropUpTo(head.height(), agreements.agreed(), settings.keep());
  }

  /**
   * A reader says what it has found. By the thread that makes blocks.
   *
   * @param signed whether it has signed it
   */
  Answer agree(Checkpoint word, LedgerAddress reader, boolean signed) {
    requireOpen();
    var answer = agreements.judge(word, reader, signed, checkpoint(word.height().value()));
    switch (answer) {
      case AGREED, DIFFERS -> {
        var last = new Word(word, answer == Answer.AGREED);
        var batch = new HashMap<Key, Optional<byte[]>>();
        LedgerTable.SAID.put(reader, last, batch);
        storage.write(batch);
        agreements = agreements.with(reader, last);
      }
      case KNOWN, NO_READER, NOT_SIGNED, NO_CHECKPOINT -> {}
    }
    return answer;
  }

  /**
   * Drops some of the oldest blocks that all readers have agreed to and that are not to be kept:
   * more than a block each time, so that they don't grow. By the thread that makes blocks.
   *
   * @return how many
   */
  int dropOldest() {
    requireOpen();
    long upTo = dropUpTo().map(BlockHeight::value).orElse(0L);
    var batch = new HashMap<Key, Optional<byte[]>>();
    long next = oldest;
    while (next <= upTo
        && next < oldest + MOST_DROPPED
        && (next < oldest + 2 || batch.size() < MOST_KEYS)) {
      drop(next, batch);
      next++;
    }
    if (next == oldest) {
      return 0;
    }
    LedgerTable.OLDEST.put(Only.ONE, next, batch);
    int dropped = (int) (next - oldest);
    view.writeLock().lock();
    try {
      storage.write(batch);
      oldest = next;
    } finally {
      view.writeLock().unlock();
    }
    return dropped;
  }

  private void drop(long height, Map<Key, Optional<byte[]>> batch) {
    for (var receipt : load(height).receipts()) {
      var used = new Receipt.Nonce(receipt.signer(), receipt.nonce());
      batch.put(LedgerTable.POSITIONS.at(receipt.hash()), Optional.empty());
      batch.put(LedgerTable.USED.at(used), Optional.empty());
    }
    batch.put(LedgerTable.BLOCKS.at(height), Optional.empty());
    batch.put(LedgerTable.TRANSACTIONS.at(height), Optional.empty());
    batch.put(LedgerTable.UNDO.at(height), Optional.empty());
  }

  private void requireReplaceable(int depth) {
    long height = head.height().value();
    if (depth > settings.finalityDepth() || depth > height) {
      throw new IllegalArgumentException(
          "At height "
              + height
              + " with a finality depth of "
              + settings.finalityDepth()
              + " at most "
              + Math.min(height, settings.finalityDepth())
              + " blocks can be replaced, not "
              + depth
              + ".");
    }
    if (storage.get(LedgerTable.UNDO, height - depth + 1).isEmpty()) {
      throw new IllegalArgumentException(
          "Block " + (height - depth + 1) + " became final under an earlier finality depth.");
    }
  }

  private void store(
      Map<Key, Optional<byte[]>> batch, Map<Key, Optional<byte[]>> state, List<Block> blocks) {
    batch.putAll(state);
    var newest = blocks.get(blocks.size() - 1);
    LedgerTable.HEAD.put(Only.ONE, newest.height().value(), batch);
    // if this fails, memory still shows the chain before it, and the next attempt starts from there
    storage.write(batch);
    state.forEach(
        (key, value) ->
            value.ifPresentOrElse(
                present -> cachedStates.put(key, present), () -> cachedStates.remove(key)));
    blocks.forEach(decoded::put);
    head = newest;
  }

  /** Only for the one thread that makes blocks: others would fill the cache with what is past. */
  private Optional<byte[]> state(Key key) {
    var cached = cachedStates.get(key);
    if (cached != null) {
      return Optional.of(cached);
    }
    var found = storage.get(key);
    found.ifPresent(value -> cachedStates.put(key, value));
    return found;
  }

  private Block load(long height) {
    if (height == 0) {
      return ORIGIN;
    }
    return decoded
        .get(height)
        .orElseGet(
            () -> {
              var block = stored(LedgerTable.BLOCKS, height);
              decoded.put(block);
              return block;
            });
  }

  private List<CheckedTransaction> transactions(long height) {
    return stored(LedgerTable.TRANSACTIONS, height);
  }

  private <V> V stored(LedgerTable<Long, V> table, long height) {
    return storage
        .get(table, height)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "The ledger's storage lacks key " + table.at(height) + "."));
  }

  private <T> T reading(Supplier<T> read) {
    view.readLock().lock();
    try {
      requireOpen();
      return read.get();
    } finally {
      view.readLock().unlock();
    }
  }

  private void requireSound() {
    if (damaged) {
      throw new IllegalStateException(
          "The tables of the ledger do not hold what its blocks have left in them: its storage is"
              + " damaged. It makes no more blocks. Set it up from a copy.");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new LedgerUnreachableException("The ledger is closed.");
    }
  }

  @Override
  public void close() {
    view.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        storage.close();
      }
    } finally {
      view.writeLock().unlock();
    }
  }

  private static BlockHeight next(Block block) {
    return new BlockHeight(block.height().value() + 1);
  }

  /** Whole milliseconds, and each block's timestamp after its parent's, whatever the clock does. */
  private static Instant later(Instant now, Block parent) {
    var earliest = parent.timestamp().plusMillis(1);
    var rounded = now.truncatedTo(ChronoUnit.MILLIS);
    return rounded.isBefore(earliest) ? earliest : rounded;
  }
}
