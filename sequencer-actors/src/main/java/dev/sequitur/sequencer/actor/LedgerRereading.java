package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.LedgerComparison;
import dev.sequitur.protocol.distribution.LedgerComparison.Holding;
import dev.sequitur.protocol.distribution.LedgerComparison.Page;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStore.Correction;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.pcollections.PMap;

/**
 * Reads blocks a second time, a page at a time, and asks state stores and the node store for what
 * they have of them (DST-9). Blocks no thread; all that it knows is in a {@link Reading}.
 */
record LedgerRereading(NodeServices services) {
  static final int PAGE = 32;

  private static final int MOST_LOOKUPS = 100;

  private static final Duration ASK = Duration.ofSeconds(30);

  /**
   * How far one is.
   *
   * @param only the group that it is for; empty for all
   * @param first the first block of it
   * @param next the block to be read next
   * @param whole whether it began where the ledger can first tell of a group
   * @param ended whether there is no further block that the node has acknowledged
   * @param last hash of the last block that was read
   * @param groups those of which some block had something; in a reading for all groups only those
   *     of which something is open, so that it does not grow with the groups that are used
   */
  @Copyable
  record Reading(
      Optional<ContractAddress> only,
      BlockHeight first,
      BlockHeight next,
      boolean whole,
      boolean ended,
      Optional<Hash> last,
      PMap<ContractAddress, LedgerComparison> groups)
      implements LedgerRereadingReadingBuilder.With {
    static Reading beginning(Optional<ContractAddress> only, BlockHeight first, boolean whole) {
      return new Reading(only, first, first, whole, false, Optional.empty(), HashTrie.empty());
    }

    /** Of one group, from the first block that can tell of it on. */
    static Reading whole(ContractAddress contract, BlockHeight first, List<StateId> held) {
      var beginning = beginning(Optional.of(contract), first, true);
      return beginning.with(contract, beginning.of(contract).holding(held));
    }

    private Reading with(ContractAddress contract, LedgerComparison comparison) {
      return withGroups(groups.plus(contract, comparison));
    }

    BlockHeight upTo() {
      return new BlockHeight(next.value() - 1);
    }

    LedgerComparison of(ContractAddress contract) {
      return groups.getOrDefault(contract, LedgerComparison.beginning(false));
    }

    private Reading after(Block newest, Map<ContractAddress, LedgerComparison> changed) {
      var settled = new ArrayList<ContractAddress>();
      if (only.isEmpty()) {
        changed.forEach(
            (contract, comparison) -> {
              if (comparison.isSettled()) {
                settled.add(contract);
              }
            });
      }
      return with()
          .next(new BlockHeight(newest.height().value() + 1))
          .ended(false)
          .last(Optional.of(newest.hash()))
          .groups(groups.plusAll(changed).minusAll(settled))
          .build();
    }

    /** Whether its one group was made by these blocks. */
    private Reading seen(List<Block> blocks) {
      return only.filter(contract -> blocks.stream().anyMatch(block -> makes(block, contract)))
          .map(contract -> with(contract, of(contract).made()))
          .orElse(this);
    }

    private static boolean makes(Block block, ContractAddress contract) {
      return block.receipts().stream()
          .flatMap(receipt -> receipt.results().stream())
          .anyMatch(
              result ->
                  result instanceof LedgerReceipt.Deployed made
                      && made.contract().equals(contract));
    }

    /** Whether the block that the node has acknowledged last is not the one that was read. */
    private boolean partsFrom(IndexedTo to) {
      return to.height().equals(upTo()) && last.filter(hash -> !hash.equals(to.hash())).isPresent();
    }

    /** What it has found of a group is true no more. */
    Reading forgetting(ContractAddress contract) {
      return withGroups(groups.minus(contract));
    }

    private boolean isFor(ContractAddress contract) {
      return only.map(contract::equals).orElse(true);
    }
  }

  /** The newest block that everybody in this node has acknowledged. */
  CompletionStage<BlockHeight> acknowledged() {
    return services
        .store()
        .indexedTo()
        .thenApply(to -> to.map(IndexedTo::height).orElse(BlockHeight.ZERO));
  }

  /** The first of these blocks that the ledger still has; the last must be there. */
  CompletionStage<BlockHeight> firstThere(BlockHeight first, BlockHeight last) {
    return isThere(first)
        .thenCompose(
            there ->
                there || first.compareTo(last) >= 0
                    ? CompletableFuture.completedStage(first)
                    : services
                        .ledger()
                        .blocks(last, 1)
                        .thenCompose(newest -> between(first.value(), last.value())));
  }

  /**
   * @param lacking a block that the ledger does not have
   * @param there one that it has
   */
  private CompletionStage<BlockHeight> between(long lacking, long there) {
    if (there - lacking <= 1) {
      return CompletableFuture.completedStage(new BlockHeight(there));
    }
    long middle = lacking + (there - lacking) / 2;
    return isThere(new BlockHeight(middle))
        .thenCompose(is -> is ? between(lacking, middle) : between(middle, there));
  }

  private CompletionStage<Boolean> isThere(BlockHeight height) {
    return services
        .ledger()
        .blocks(height, 1)
        .handle((blocks, failure) -> failure == null && !blocks.isEmpty());
  }

  /** What was read is of no use any more: it has to be read from the beginning. */
  static final class ReadAnew extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private ReadAnew(String why) {
      super(why);
    }

    /**
     * It is not one chain, or not the one that the node has read: which of it is of another one
     * cannot be said.
     */
    private static ReadAnew notOneChain(BlockHeight height) {
      return new ReadAnew(
          "The base ledger does not give the block "
              + height
              + " that this node has read: an endpoint may be on another fork.");
    }

    /** A part of what it shows may be corrected already: it shows that no more. */
    private static ReadAnew corrected(String why) {
      return new ReadAnew("What differs was corrected in part at most: " + why);
    }
  }

  /**
   * Goes on by a page; fails if the ledger, the node store or a state store does not answer, and
   * while the ledger does not have what this node has read of it (CNF-6).
   */
  CompletionStage<Reading> page(Reading reading) {
    var parted = services.standing().reading().parted();
    return parted.isPresent()
        ? CompletableFuture.failedFuture(new IllegalStateException(parted.get()))
        : services
            .store()
            .indexedTo()
            .thenCompose(
                to -> to.map(each -> page(reading, each)).orElseGet(() -> completed(reading)));
  }

  private static CompletionStage<Reading> completed(Reading reading) {
    return CompletableFuture.completedFuture(reading.withEnded(true));
  }

  private CompletionStage<Reading> page(Reading reading, IndexedTo to) {
    if (reading.partsFrom(to)) {
      return CompletableFuture.failedFuture(ReadAnew.notOneChain(to.height()));
    }
    return to.height().compareTo(reading.next()) < 0 ? completed(reading) : read(reading, to);
  }

  private CompletionStage<Reading> read(Reading reading, IndexedTo to) {
    long most = Math.min(PAGE, to.height().value() - reading.upTo().value());
    return services
        .ledger()
        .blocks(reading.next(), (int) most)
        .thenCompose(blocks -> sameChain(to, blocks))
        .thenComposeAsync(blocks -> compared(reading, to, blocks), services.computing());
  }

  /** Fails unless the ledger has the block that this node has acknowledged last. */
  private CompletionStage<List<Block>> sameChain(IndexedTo to, List<Block> blocks) {
    boolean isThere = blocks.stream().anyMatch(block -> block.height().equals(to.height()));
    return (isThere
            ? CompletableFuture.completedStage(blocks)
            : services.ledger().blocks(to.height(), 1))
        .thenApply(
            newest -> {
              if (newest.stream().noneMatch(block -> isIt(to, block))) {
                throw ReadAnew.notOneChain(to.height());
              }
              return blocks;
            });
  }

  private static boolean isIt(IndexedTo to, Block block) {
    return block.height().equals(to.height()) && block.hash().equals(to.hash());
  }

  /** Each is the child of the one before. */
  private static List<Block> chained(Reading reading, List<Block> blocks) {
    var expected = reading.next();
    var parent = reading.last();
    for (var block : blocks) {
      if (!block.height().equals(expected)
          || parent.filter(hash -> !hash.equals(block.parent())).isPresent()) {
        throw ReadAnew.notOneChain(expected);
      }
      expected = new BlockHeight(expected.value() + 1);
      parent = Optional.of(block.hash());
    }
    return blocks;
  }

  private CompletionStage<Reading> compared(Reading reading, IndexedTo to, List<Block> blocks) {
    var read =
        chained(
            reading,
            blocks.stream().filter(block -> block.height().compareTo(to.height()) <= 0).toList());
    if (read.isEmpty()) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(
              "The base ledger does not give block " + reading.next() + " again."));
    }
    var newest = read.get(read.size() - 1);
    return services
        .groups()
        .seek(
            GroupsOfBlocks.contracts(read).stream().filter(reading::isFor).toList(),
            services.store())
        .thenComposeAsync(sought -> compared(reading, newest, read), services.computing());
  }

  private CompletionStage<Reading> compared(Reading reading, Block newest, List<Block> read) {
    var last = newest.height();
    Map<ContractAddress, List<BlockNotice>> shown = new LinkedHashMap<>();
    for (var block : read) {
      BlockNotice.of(block, services.now(), contract -> isCompared(reading, contract))
          .forEach(
              (contract, notice) ->
                  shown.computeIfAbsent(contract, c -> new ArrayList<>()).add(notice));
    }
    return Answers.inTurn(
            shown.entrySet(), each -> compared(reading, each.getKey(), each.getValue(), last))
        .thenApply(
            each ->
                reading
                    .after(
                        newest,
                        each.stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                    .seen(read));
  }

  private boolean isCompared(Reading reading, ContractAddress contract) {
    return reading.isFor(contract) && services.groups().isKnown(contract);
  }

  private CompletionStage<Map.Entry<ContractAddress, LedgerComparison>> compared(
      Reading reading, ContractAddress contract, List<BlockNotice> notices, BlockHeight last) {
    var page = Page.of(notices.stream().map(BlockNotice::forStateStore).toList(), last);
    var holdings = Answers.inTurn(page.questions(), ids -> holding(contract, ids));
    return holdings.thenCombine(
        lost(notices),
        (answers, lost) -> Map.entry(contract, reading.of(contract).with(page, answers, lost)));
  }

  /** What the state store holds of some states. */
  CompletionStage<Holding> holding(ContractAddress contract, List<StateId> ids) {
    return services
        .entities()
        .stateStore(contract)
        .<StateStoreActor.Held>ask(replyTo -> new StateStoreActor.Hold(ids, replyTo), ASK)
        .thenApply(StateStoreActor.Held::holding);
  }

  /** The contents that the state store lacks for certain. */
  CompletionStage<Optional<Lacking>> lacking(ContractAddress contract) {
    return services
        .entities()
        .stateStore(contract)
        .<StateStoreActor.Lacked>ask(StateStoreActor.Lack::new, ASK)
        .thenApply(StateStoreActor.Lacked::lacking);
  }

  /** All that the state store holds unspent now. */
  CompletionStage<List<StateId>> held(ContractAddress contract) {
    var parts = IntStream.range(0, StateStore.PARTS).boxed().toList();
    return Answers.inTurn(
            parts,
            part ->
                services
                    .entities()
                    .stateStore(contract)
                    .<StateStoreActor.Held>ask(
                        replyTo -> new StateStoreActor.HoldPart(part, replyTo), ASK))
        .thenApply(
            answers -> answers.stream().flatMap(answer -> answer.unspent().stream()).toList());
  }

  /** Own intents that the blocks fulfil and that are not told as fulfilled here. */
  private CompletionStage<Map<TransactionId, BlockHeight>> lost(List<BlockNotice> notices) {
    var fulfilled = new ArrayList<Map.Entry<IntentKey, BlockHeight>>();
    for (var notice : notices) {
      notice.confirmed().keySet().forEach(key -> fulfilled.add(Map.entry(key, notice.height())));
    }
    return Answers.inParts(
            fulfilled,
            MOST_LOOKUPS,
            part ->
                Answers.all(part.stream().map(each -> isLost(each.getKey())).toList())
                    .thenApply(answers -> answers))
        .thenApply(
            answers -> {
              var lost = new HashMap<TransactionId, BlockHeight>();
              for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i)) {
                  lost.put(fulfilled.get(i).getKey().transaction(), fulfilled.get(i).getValue());
                }
              }
              return lost;
            });
  }

  private CompletionStage<Boolean> isLost(IntentKey key) {
    var store = services.store();
    return store
        .intent(key.transaction())
        .thenCompose(
            intent ->
                intent
                        .flatMap(stored -> stored.privately())
                        .filter(own -> own.key().equals(key))
                        .isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : store
                        .receipt(key.transaction())
                        .thenApply(
                            receipt -> receipt.filter(it -> it.receipt().success()).isEmpty()));
  }

  /** Tells the state store that it is not what the ledger shows. */
  CompletionStage<Boolean> tell(ContractAddress contract, BlockHeight since) {
    return services
        .entities()
        .stateStore(contract)
        .<StateStoreActor.Corrected>ask(replyTo -> new StateStoreActor.Differs(since, replyTo), ASK)
        .thenApply(StateStoreActor.Corrected::done);
  }

  /**
   * Makes what differs what the ledger shows: outcomes first, since after the states the group goes
   * on.
   *
   * @param all whether nothing else differs, so that the group goes on: only then is what no block
   *     has made put aside
   * @return false if the state store has read on meanwhile, and this has to first; nothing is
   *     corrected then. Fails with {@link ReadAnew}
   */
  CompletionStage<Boolean> correct(Reading reading, ContractAddress contract, boolean all) {
    var comparison = reading.of(contract);
    var blocks = comparison.outcomes().values().stream().distinct().sorted().toList();
    return Answers.inTurn(blocks, height -> tellSender(contract, height))
        .thenCompose(
            told ->
                correctStates(
                    contract,
                    reading.upTo(),
                    List.copyOf(comparison.held().keySet()),
                    comparison.lacking(reading.upTo()),
                    all ? List.copyOf(comparison.unmade()) : List.of(),
                    all))
        .handle(
            (done, failure) ->
                failure == null
                    ? CompletableFuture.completedFuture(done)
                    : CompletableFuture.<Boolean>failedFuture(
                        ReadAnew.corrected(String.valueOf(Answers.cause(failure).getMessage()))))
        .thenCompose(done -> done);
  }

  /** The same block once more: what it confirms counts whenever it comes. */
  private CompletionStage<LedgerIndexer.Ack> tellSender(
      ContractAddress contract, BlockHeight height) {
    return services
        .ledger()
        .blocks(height, 1)
        .thenCompose(
            blocks ->
                blocks.stream()
                    .findFirst()
                    .map(block -> BlockNotice.of(block, services.now(), contract::equals))
                    .flatMap(notices -> Optional.ofNullable(notices.get(contract)))
                    .map(notice -> tellSender(contract, notice))
                    .orElseGet(
                        () ->
                            CompletableFuture.failedFuture(
                                new IllegalStateException(
                                    "The base ledger does not give block " + height + " again."))));
  }

  private CompletionStage<LedgerIndexer.Ack> tellSender(
      ContractAddress contract, BlockNotice notice) {
    return services
        .entities()
        .sender(contract)
        .ask(replyTo -> new SenderActor.BlockIndexed(notice, replyTo), ASK);
  }

  private CompletionStage<Boolean> correctStates(
      ContractAddress contract,
      BlockHeight upTo,
      List<StateId> spent,
      List<Missing> made,
      List<StateId> unmade,
      boolean all) {
    var unmadeNow = unmade.subList(0, Math.min(unmade.size(), LedgerComparison.MOST_ASKED));
    var unmadeLater = unmade.subList(unmadeNow.size(), unmade.size());
    var spentNow = spent.subList(0, Math.min(spent.size(), LedgerComparison.MOST_ASKED));
    var madeNow = made.subList(0, Math.min(made.size(), LedgerComparison.MOST_ASKED));
    var spentLater = spent.subList(spentNow.size(), spent.size());
    var madeLater = made.subList(madeNow.size(), made.size());
    boolean isLast = spentLater.isEmpty() && madeLater.isEmpty() && unmadeLater.isEmpty();
    return services
        .contents()
        .states(contract, madeNow.stream().map(Missing::state).collect(Collectors.toSet()))
        .thenCompose(
            kept ->
                services
                    .entities()
                    .stateStore(contract)
                    .<StateStoreActor.Corrected>ask(
                        replyTo ->
                            new StateStoreActor.Correct(
                                new Correction(
                                    upTo, spentNow, madeNow, kept, isLast && all, unmadeNow),
                                replyTo),
                        ASK))
        .thenComposeAsync(
            answer ->
                !answer.done() || isLast
                    ? CompletableFuture.completedFuture(answer.done())
                    : correctStates(contract, upTo, spentLater, madeLater, unmadeLater, all)
                        .thenApply(LedgerRereading::whole),
            services.computing());
  }

  /** The parts after the first must not be left out. */
  private static boolean whole(boolean done) {
    if (!done) {
      throw new IllegalStateException("a block has come.");
    }
    return true;
  }

  /** Whose groups the ledger has shown to be different so far. */
  static Set<ContractAddress> differing(Reading reading) {
    return reading.groups().entrySet().stream()
        .filter(each -> each.getValue().differsSince(reading.upTo()).isPresent())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
