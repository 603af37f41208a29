package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Reads the base ledger block by block; its pace is the node's block height. A block is handed on
 * when it is final, which it is after the configured confirmations (CNF-3), so that nobody has to
 * take anything back. Those who must not miss a block acknowledge it; the place from which to read
 * on after a restart moves only when they all have. Pure; the only thing that outlives a life is
 * how far every block has been acknowledged, in the node store.
 *
 * <p>A block whose parent is not the block read before it means that the ledger was reorganised
 * below what counted as final (CNF-6). The common ancestor is sought, and what lies above it undone
 * if nobody was told more of it than its height. Else nothing is handed on any more until the
 * ledger has come back to what was told.
 */
public record Indexer(int confirmations, Groups groups) {
  /** Blocks that may be handed on before the oldest is acknowledged. */
  static final int WINDOW = 64;

  /** Blocks that are asked for at once. */
  static final int FETCH = 32;

  static final Duration REDELIVER_AFTER = Duration.ofSeconds(5);

  /** Between two looks at a ledger that lacks blocks of which somebody was told. */
  static final Duration LOOK_AFTER = Duration.ofSeconds(5);

  /** Blocks whose hashes are remembered, to find the ancestor of a reorganisation. */
  static final int TRAIL = 256;

  /** The groups that this node knows, asked anew for each block. */
  public interface Groups {
    boolean isKnown(ContractAddress contract);

    /** Whose transactions a signer of the base ledger submits, if it is this node's. */
    Optional<ContractAddress> submitsFor(LedgerAddress signer);

    /** Whose public transactions a signer of the base ledger signs, if any are pending (PUB-4). */
    Optional<Identity> signsPublicly(LedgerAddress signer);

    /**
     * The group that begins with it, if this node takes part: it is what stands on the ledger.
     * Empty as well if the group stands already with another contract (SEL-6).
     */
    Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed);

    /** A group that this node knows, with all changes of its committee that it has read. */
    Optional<PrivacyGroup> group(ContractAddress contract);
  }

  /** What the indexer is told. */
  public sealed interface Input {
    /** Time to look at the ledger. */
    record Poll() implements Input {}

    /**
     * One of the blocks that were fetched, in order; what follows from it is done before the next.
     */
    record Read(BlockHeight head, Block block) implements Input {}

    /** All that were fetched have been told. */
    record FetchEnded() implements Input {}

    record FetchFailed() implements Input {}

    /** Everything that follows from the block is durable with {@code who}. */
    record Acknowledged(BlockHeight height, String who) implements Input {}

    record Stored(IndexedTo upTo) implements Input {}

    record NotStored() implements Input {}
  }

  /** What the indexer has done. */
  public sealed interface Effect {
    /** Blocks from {@code from} on, at most {@code limit}; each is a {@link Input.Read}. */
    record Fetch(BlockHeight from, int limit) implements Effect {}

    /**
     * A block is to be handed on: groups that begin with it, and those with another committee after
     * it (CMT-5), are known before anybody is told of it. A JVM of the node has come to its height
     * once it {@linkplain HandOn is told} of the block.
     */
    record Reached(BlockHeight height, List<PrivacyGroup> begun, List<PrivacyGroup> changed)
        implements Effect {}

    /** May come again, until it is acknowledged. */
    record Deliver(BlockDelivery delivery) implements Effect {}

    /**
     * To those who may miss it, once.
     *
     * @param groups that begin with it, or have another committee after it
     */
    record HandOn(
        BlockHeight height,
        Instant indexed,
        Map<ContractAddress, BlockNotice> notices,
        List<PrivacyGroup> groups)
        implements Effect {}

    /** One at a time. */
    record StoreProgress(IndexedTo upTo) implements Effect {}

    /** One of this node's transactions was refused. */
    record CountRevert(LedgerReceipt.RevertReason reason) implements Effect {}

    /** Blocks that counted as final were replaced; nobody had been told more than their heights. */
    record Undone(Rift rift) implements Effect {}

    /** Blocks of which somebody was told were replaced: from now on nothing is handed on. */
    record Halted(Rift rift) implements Effect {}

    /** The ledger again has all that was told: it is handed on again. */
    record Resumed() implements Effect {}
  }

  /**
   * Where the ledger and what was read of it part.
   *
   * @param ancestor the newest block that both have; empty if it is older than what is remembered
   * @param last the newest block that was read, which the ledger no longer has
   */
  public record Rift(Optional<BlockHeight> ancestor, IndexedTo last) {}

  /**
   * A block that was read, at its height.
   *
   * @param told whether somebody was told more of it than its height
   * @param untold its receipts, if its height was told with a block that was undone since: they go
   *     with the next block that is handed on
   */
  record Trace(Hash hash, boolean told, List<LedgerReceipt> untold) {}

  /**
   * The common ancestor is sought, from new blocks to old ones.
   *
   * @param from where the last blocks that were asked for begin
   * @param same the highest block that is found in both
   * @param other the lowest that is found to differ
   */
  record Search(BlockHeight from, Optional<BlockHeight> same, BlockHeight other) {
    private Search compared(BlockHeight height, boolean equal) {
      boolean higher = same.isEmpty() || same.get().compareTo(height) < 0;
      if (equal) {
        return higher ? new Search(from, Optional.of(height), other) : this;
      }
      return height.compareTo(other) < 0 ? new Search(from, same, height) : this;
    }

    private Search from(BlockHeight next) {
      return new Search(next, same, other);
    }
  }

  /**
   * @param open who has not acknowledged
   * @param at when they were told last
   */
  record Waiting(IndexedTo block, PMap<String, BlockDelivery> open, Instant at) {}

  /**
   * @param last the newest block that was read and is not undone
   * @param height the highest that was told; never falls
   * @param trail of the newest blocks that were read, {@code last} among them
   * @param search while the ancestor of a reorganisation is sought
   * @param halted when it looked last, while the ledger lacks blocks of which somebody was told
   * @param handedOn blocks since the last fetch began
   * @param reached up to which every block is acknowledged
   * @param stored what of it is known to be durable
   */
  @Copyable
  public record State(
      IndexedTo last,
      BlockHeight height,
      TreePMap<BlockHeight, Trace> trail,
      Optional<Search> search,
      Optional<Instant> halted,
      boolean fetching,
      int handedOn,
      boolean storing,
      IndexedTo reached,
      IndexedTo stored,
      TreePMap<BlockHeight, Waiting> unacknowledged)
      implements IndexerStateBuilder.With {

    /**
     * @param indexedTo where every block up to has been acknowledged
     */
    static State initial(IndexedTo indexedTo) {
      return new State(
          indexedTo,
          indexedTo.height(),
          TreePMap.singleton(indexedTo.height(), new Trace(indexedTo.hash(), true, List.of())),
          Optional.empty(),
          Optional.empty(),
          false,
          0,
          false,
          indexedTo,
          indexedTo,
          TreePMap.empty());
    }

    /** The height to be read next. */
    BlockHeight next() {
      return new BlockHeight(last.height().value() + 1);
    }

    /**
     * The newest block with states of the contract that its state store has not acknowledged; what
     * it has acknowledged it does not wait for, and so nothing is remembered of that.
     */
    BlockHeight openWithStates(ContractAddress contract) {
      var store = BlockDelivery.ToStateStore.to(contract);
      var newest = BlockHeight.ZERO;
      for (var each : unacknowledged.entrySet()) {
        if (each.getValue().open().get(store) instanceof BlockDelivery.ToStateStore delivery
            && delivery.notice().hasStates()) {
          newest = each.getKey();
        }
      }
      return newest;
    }

    private State fetching(boolean now) {
      return with().fetching(now).handedOn(now ? 0 : handedOn).build();
    }

    private State storing(boolean now, IndexedTo durable) {
      return with().storing(now).stored(durable).build();
    }

    private State read(Block block, boolean told, List<LedgerReceipt> untold) {
      var longer = trail.plus(block.height(), new Trace(block.hash(), told, untold));
      return with()
          .last(new IndexedTo(block.height(), block.hash()))
          .trail(longer.size() > TRAIL ? longer.minus(longer.firstKey()) : longer)
          .handedOn(handedOn + 1)
          .build();
    }

    /**
     * The receipts that wait go with the block that is handed on.
     *
     * @param told whether anybody is told of any
     */
    private State withoutUntold(boolean told) {
      var all = trail;
      for (var each : trail.entrySet()) {
        var trace = each.getValue();
        if (!trace.untold().isEmpty()) {
          all = all.plus(each.getKey(), new Trace(trace.hash(), told, List.of()));
        }
      }
      return withTrail(all);
    }

    private State handedOn(Block block, boolean told, Waiting waiting) {
      return withoutUntold(told)
          .read(block, told, List.of())
          .with()
          .height(block.height())
          .unacknowledged(unacknowledged.plus(block.height(), waiting))
          .build();
    }

    private State backTo(BlockHeight ancestor) {
      var block = new IndexedTo(ancestor, trail.get(ancestor).hash());
      return with()
          .last(block)
          .trail(upTo(trail, ancestor))
          .unacknowledged(upTo(unacknowledged, ancestor))
          .reached(reached.height().compareTo(ancestor) > 0 ? block : reached)
          .build();
    }

    private static <T> TreePMap<BlockHeight, T> upTo(
        TreePMap<BlockHeight, T> blocks, BlockHeight height) {
      return blocks.minusAll(List.copyOf(blocks.tailMap(height, false).keySet()));
    }
  }

  /**
   * @param indexedTo where every block up to has been acknowledged
   */
  public Machine<Input, State, Void, Effect> machine(IndexedTo indexedTo) {
    return Machine.storingNothing(State.initial(indexedTo), this::decide, new Input.Poll());
  }

  Decision<State, Void, Effect> decide(State state, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(state, now);
    switch (input) {
      case Input.Poll ignored -> onPoll(step);
      case Input.Read(var head, var block) -> onRead(step, head, block);
      case Input.FetchEnded ignored -> onFetchEnded(step);
      case Input.FetchFailed ignored ->
          step.become(state.fetching(false).withSearch(Optional.empty()));
      case Input.Acknowledged(var height, var who) -> onAcknowledged(step, height, who);
      // What came meanwhile is written by the next look at the ledger.
      case Input.Stored(var upTo) -> step.become(state.storing(false, upTo));
      case Input.NotStored ignored -> step.become(state.storing(false, state.stored()));
    }
    return step.finish();
  }

  private static void onPoll(Step<State, Void, Effect> step) {
    redeliver(step);
    storeProgress(step);
    fetch(step);
  }

  private static void fetch(Step<State, Void, Effect> step) {
    var state = step.state();
    if (state.fetching() || state.unacknowledged().size() >= WINDOW) {
      return;
    }
    if (state.halted().isEmpty()) {
      step.become(state.fetching(true));
      step.effect(new Effect.Fetch(state.next(), FETCH));
    } else if (!step.now().isBefore(state.halted().get().plus(LOOK_AFTER))) {
      // One tells whether the ledger has come back, and nothing else is to be found out.
      step.become(state.fetching(true).withHalted(Optional.of(step.now())));
      step.effect(new Effect.Fetch(state.next(), 1));
    }
  }

  /** Blocks that are not final yet are no reason to ask again at once. */
  private static void onFetchEnded(Step<State, Void, Effect> step) {
    if (step.state().search().isPresent()) {
      onSearched(step, step.state().search().get());
      return;
    }
    boolean mayBeMore = step.state().handedOn() == FETCH;
    step.become(step.state().fetching(false));
    if (mayBeMore) {
      fetch(step);
    }
  }

  private void onRead(Step<State, Void, Effect> step, BlockHeight head, Block block) {
    var state = step.state();
    if (state.search().isPresent()) {
      compare(step, state.search().get(), block);
      return;
    }
    boolean isFinal = block.height().value() <= head.value() - confirmations;
    if (!block.height().equals(state.next())) {
      return;
    }
    if (!follows(state.last(), block)) {
      if (state.halted().isPresent()) {
        return;
      }
      var search = new Search(state.next(), Optional.empty(), state.last().height());
      step.become(state.withSearch(Optional.of(search)));
      return;
    }
    if (state.halted().isPresent()) {
      step.become(state.withHalted(Optional.empty()));
      step.effect(new Effect.Resumed());
    }
    if (isFinal && state.unacknowledged().size() < WINDOW) {
      take(step, block);
    }
  }

  /** What the first block follows upon is the ledger's own. */
  private static boolean follows(IndexedTo last, Block block) {
    return last.height().equals(BlockHeight.ZERO) || block.parent().equals(last.hash());
  }

  /** A height that was told is not told again; what else the block says goes with the next one. */
  private void take(Step<State, Void, Effect> step, Block block) {
    if (block.height().compareTo(step.state().height()) <= 0) {
      step.become(step.state().read(block, false, block.receipts()));
      return;
    }
    var receipts = new ArrayList<LedgerReceipt>();
    step.state().trail().values().forEach(trace -> receipts.addAll(trace.untold()));
    receipts.addAll(block.receipts());
    handOn(
        step,
        new Block(
            block.height(),
            block.hash(),
            block.parent(),
            block.timestamp(),
            receipts,
            block.checkpoint()));
  }

  private static void compare(Step<State, Void, Effect> step, Search search, Block block) {
    var known = step.state().trail().get(block.height());
    if (known != null) {
      boolean equal = known.hash().equals(block.hash());
      step.become(step.state().withSearch(Optional.of(search.compared(block.height(), equal))));
    }
  }

  /** Pages of blocks downwards until one is in both; then up, if the page came in parts. */
  private static void onSearched(Step<State, Void, Effect> step, Search search) {
    var oldest = step.state().trail().firstKey();
    if (search.same().isPresent()) {
      var above = new BlockHeight(search.same().get().value() + 1);
      if (above.compareTo(search.other()) >= 0 || above.equals(search.from())) {
        onRift(step, search.same());
      } else {
        searchFrom(step, search, above);
      }
    } else if (search.from().value() <= Math.max(1, oldest.value())) {
      // Nothing is before the first block, and so it is the same.
      onRift(step, Optional.of(oldest).filter(BlockHeight.ZERO::equals));
    } else {
      long from = Math.max(1, Math.max(oldest.value(), search.from().value() - FETCH));
      searchFrom(step, search, new BlockHeight(from));
    }
  }

  private static void searchFrom(Step<State, Void, Effect> step, Search search, BlockHeight from) {
    step.become(step.state().withSearch(Optional.of(search.from(from))));
    step.effect(new Effect.Fetch(from, FETCH));
  }

  /** What was told cannot be taken back: receipts are with callers, and states are spent by it. */
  private static void onRift(Step<State, Void, Effect> step, Optional<BlockHeight> ancestor) {
    var state = step.state();
    var rift = new Rift(ancestor, state.last());
    boolean told =
        ancestor
            .map(
                height ->
                    state.trail().tailMap(height, false).values().stream().anyMatch(Trace::told))
            .orElse(true);
    step.become(state.fetching(false).withSearch(Optional.empty()));
    if (ancestor.filter(state.last().height()::equals).isPresent()) {
      // The ledger has come back meanwhile.
      return;
    }
    if (told) {
      step.become(step.state().withHalted(Optional.of(step.now())));
      step.effect(new Effect.Halted(rift));
      return;
    }
    step.effect(new Effect.Undone(rift));
    step.become(step.state().backTo(ancestor.orElseThrow()));
    storeProgress(step);
    fetch(step);
  }

  private void handOn(Step<State, Void, Effect> step, Block block) {
    var now = step.now();
    var beginnings = beginnings(block);
    var begun = beginnings.stream().map(Beginning::group).toList();
    var beginning = begun.stream().map(PrivacyGroup::contract).collect(Collectors.toSet());
    var notices =
        BlockNotice.of(
            block, now, contract -> groups.isKnown(contract) || beginning.contains(contract));
    var changed = changed(block, beginning);
    step.effect(new Effect.Reached(block.height(), begun, changed));
    var deliveries = new ArrayList<BlockDelivery>();
    for (var each : notices.entrySet()) {
      var contract = each.getKey();
      var notice = each.getValue();
      var after = step.state().openWithStates(contract);
      deliveries.add(new BlockDelivery.ToSender(contract, notice.ofSender()));
      deliveries.add(new BlockDelivery.ToStateStore(contract, notice.ofStateStore(), after));
    }
    own(step, block)
        .forEach(
            (contract, own) ->
                deliveries.add(new BlockDelivery.ToSubmitter(contract, block.height(), own)));
    ofPublicSigners(block)
        .forEach(
            (from, own) ->
                deliveries.add(new BlockDelivery.ToPublicSubmitter(from, block.height(), own)));
    beginnings.forEach(
        it -> deliveries.add(new BlockDelivery.ToNodeStore(it.group(), it.at(), now)));
    changed.forEach(it -> deliveries.add(new BlockDelivery.OfCommittee(it, block.height())));
    var indexed = new IndexedTo(block.height(), block.hash());
    PMap<String, BlockDelivery> open = HashTrie.empty();
    for (var delivery : deliveries) {
      open = open.plus(delivery.to(), delivery);
      step.effect(new Effect.Deliver(delivery));
    }
    var waiting = new Waiting(indexed, open, now);
    step.become(step.state().handedOn(block, !deliveries.isEmpty(), waiting));
    var groups = Stream.concat(begun.stream(), changed.stream()).toList();
    step.effect(new Effect.HandOn(block.height(), now, notices, groups));
    storeProgress(step);
  }

  /** A group whose contract is in a block. */
  private record Beginning(PrivacyGroup group, OnLedger at) {}

  /** Of several contracts on one group's terms the first counts (SEL-6). */
  private List<Beginning> beginnings(Block block) {
    var beginnings = new ArrayList<Beginning>();
    var begun = new HashSet<GroupId>();
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.Deployed deployed) {
          groups
              .beginsWith(deployed)
              .filter(group -> begun.add(group.id()))
              .flatMap(group -> after(block, group))
              .ifPresent(group -> beginnings.add(new Beginning(group, receipt.onLedger())));
        }
      }
    }
    return beginnings;
  }

  /** Those that this node knows and that have another committee after the block (CMT-5). */
  private List<PrivacyGroup> changed(Block block, Set<ContractAddress> beginning) {
    return changes(block).keySet().stream()
        .filter(contract -> !beginning.contains(contract))
        .flatMap(contract -> groups.group(contract).stream())
        .flatMap(group -> after(block, group).stream())
        .toList();
  }

  /** With the changes of its committee in the block; empty if they do not follow on what it has. */
  private static Optional<PrivacyGroup> after(Block block, PrivacyGroup group) {
    var after = Optional.of(group);
    for (var receipt : changes(block).getOrDefault(group.contract(), List.of())) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.CommitteeChanged it) {
          after = after.flatMap(before -> before.changed(it.change(), receipt.block()));
        }
      }
    }
    return after;
  }

  private static Map<ContractAddress, List<LedgerReceipt>> changes(Block block) {
    var changes = new LinkedHashMap<ContractAddress, List<LedgerReceipt>>();
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.CommitteeChanged it) {
          changes.computeIfAbsent(it.contract(), contract -> new ArrayList<>()).add(receipt);
        }
      }
    }
    return changes;
  }

  /** Receipts of this node's own submissions, by contract. */
  private Map<ContractAddress, List<LedgerReceipt>> own(
      Step<State, Void, Effect> step, Block block) {
    var own = new LinkedHashMap<ContractAddress, List<LedgerReceipt>>();
    for (var receipt : block.receipts()) {
      var contract = groups.submitsFor(receipt.signer());
      if (contract.isPresent()) {
        own.computeIfAbsent(contract.get(), c -> new ArrayList<>()).add(receipt);
        for (var result : receipt.results()) {
          if (result instanceof LedgerReceipt.Reverted reverted) {
            step.effect(new Effect.CountRevert(reverted.reason()));
          }
        }
      }
    }
    return own;
  }

  /** Receipts of what this node's public transactions are signed with. */
  private Map<Identity, List<LedgerReceipt>> ofPublicSigners(Block block) {
    var own = new LinkedHashMap<Identity, List<LedgerReceipt>>();
    for (var receipt : block.receipts()) {
      groups
          .signsPublicly(receipt.signer())
          .ifPresent(from -> own.computeIfAbsent(from, f -> new ArrayList<>()).add(receipt));
    }
    return own;
  }

  private static void onAcknowledged(
      Step<State, Void, Effect> step, BlockHeight height, String who) {
    var waiting = step.state().unacknowledged();
    var block = waiting.get(height);
    if (block != null) {
      var rest = new Waiting(block.block(), block.open().minus(who), block.at());
      step.become(step.state().withUnacknowledged(waiting.plus(height, rest)));
      storeProgress(step);
    }
  }

  /** Writes the newest block before which nothing is open; one write at a time. */
  private static void storeProgress(Step<State, Void, Effect> step) {
    var waiting = step.state().unacknowledged();
    var newest = step.state().reached();
    while (!waiting.isEmpty() && waiting.firstEntry().getValue().open().isEmpty()) {
      newest = waiting.firstEntry().getValue().block();
      waiting = waiting.minus(waiting.firstKey());
    }
    step.become(step.state().with().reached(newest).unacknowledged(waiting).build());
    var state = step.state();
    if (!state.reached().equals(state.stored()) && !state.storing()) {
      step.become(state.storing(true, state.stored()));
      step.effect(new Effect.StoreProgress(state.reached()));
    }
  }

  /** Whoever has not acknowledged may have been restarted meanwhile. */
  private static void redeliver(Step<State, Void, Effect> step) {
    var now = step.now();
    var waiting = step.state().unacknowledged();
    for (var each : step.state().unacknowledged().entrySet()) {
      var block = each.getValue();
      if (block.at().plus(REDELIVER_AFTER).isBefore(now)) {
        block.open().values().forEach(delivery -> step.effect(new Effect.Deliver(delivery)));
        waiting = waiting.plus(each.getKey(), new Waiting(block.block(), block.open(), now));
      }
    }
    step.become(step.state().withUnacknowledged(waiting));
  }
}
