package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Reads the base ledger block by block; its pace is the node's block height. A block is handed on
 * when it is final, which it is after the configured confirmations (CNF-3), so that nobody has to
 * take anything back. Those who must not miss a block acknowledge it; the place from which to read
 * on after a restart moves only when they all have. Pure; the only thing that outlives a life is
 * how far every block has been acknowledged, in the node store.
 */
public final class Indexer {
  /** Blocks that may be handed on before the oldest is acknowledged. */
  static final int WINDOW = 64;

  /** Blocks that are asked for at once. */
  static final int FETCH = 32;

  static final Duration REDELIVER_AFTER = Duration.ofSeconds(5);

  private final int confirmations;
  private final Groups groups;

  /** The groups that this node knows, asked anew for each block. */
  public interface Groups {
    boolean isKnown(ContractAddress contract);

    /** Whose transactions a signer of the base ledger submits, if it is this node's. */
    Optional<ContractAddress> submitsFor(LedgerAddress signer);

    /** The group that begins with it, if this node takes part: it is what stands on the ledger. */
    Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed);
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

    /** It is so at once, before anybody is told of the block. */
    record Reached(BlockHeight height, List<PrivacyGroup> begun) implements Effect {}

    /** May come again, until it is acknowledged. */
    record Deliver(BlockDelivery delivery) implements Effect {}

    /** To those who may miss it, once. */
    record HandOn(
        BlockHeight height,
        Instant indexed,
        Map<ContractAddress, BlockNotice> notices,
        List<PrivacyGroup> begun)
        implements Effect {}

    /** One at a time. */
    record StoreProgress(IndexedTo upTo) implements Effect {}

    /** One of this node's transactions was refused. */
    record CountRevert(LedgerReceipt.RevertReason reason) implements Effect {}
  }

  /**
   * @param open who has not acknowledged
   * @param at when they were told last
   */
  record Waiting(IndexedTo block, PMap<String, BlockDelivery> open, Instant at) {}

  /**
   * @param next the height to be handed on next
   * @param handedOn blocks since the last fetch began
   * @param reached up to which every block is acknowledged
   * @param stored what of it is known to be durable
   * @param lastWithStates the last block that had states of each contract, in this life
   */
  public record State(
      BlockHeight next,
      boolean fetching,
      int handedOn,
      boolean storing,
      IndexedTo reached,
      IndexedTo stored,
      PMap<ContractAddress, BlockHeight> lastWithStates,
      TreePMap<BlockHeight, Waiting> unacknowledged) {

    /**
     * @param indexedTo where every block up to has been acknowledged
     */
    static State initial(IndexedTo indexedTo) {
      return new State(
          new BlockHeight(indexedTo.height().value() + 1),
          false,
          0,
          false,
          indexedTo,
          indexedTo,
          HashTreePMap.empty(),
          TreePMap.empty());
    }

    private State fetching(boolean now) {
      return new State(
          next, now, now ? 0 : handedOn, storing, reached, stored, lastWithStates, unacknowledged);
    }

    private State storing(boolean now, IndexedTo durable) {
      return new State(
          next, fetching, handedOn, now, reached, durable, lastWithStates, unacknowledged);
    }

    private State with(TreePMap<BlockHeight, Waiting> waiting) {
      return new State(next, fetching, handedOn, storing, reached, stored, lastWithStates, waiting);
    }

    private State reached(IndexedTo newest, TreePMap<BlockHeight, Waiting> waiting) {
      return new State(next, fetching, handedOn, storing, newest, stored, lastWithStates, waiting);
    }

    private State handedOn(Waiting block, PMap<ContractAddress, BlockHeight> withStates) {
      return new State(
          new BlockHeight(next.value() + 1),
          fetching,
          handedOn + 1,
          storing,
          reached,
          stored,
          withStates,
          unacknowledged.plus(block.block().height(), block));
    }
  }

  public Indexer(int confirmations, Groups groups) {
    this.confirmations = confirmations;
    this.groups = groups;
  }

  /**
   * @param indexedTo where every block up to has been acknowledged
   */
  public Machine<Input, State, Void, Effect> machine(IndexedTo indexedTo) {
    return new Machine<>(
        State.initial(indexedTo),
        this::decide,
        (state, nothing) -> state,
        now -> Optional.empty(),
        new Input.Poll());
  }

  Decision<State, Void, Effect> decide(State state, Input input, Instant now) {
    var step = new Step<State, Void, Effect>(state, now, (before, nothing) -> before);
    switch (input) {
      case Input.Poll ignored -> onPoll(step);
      case Input.Read(var head, var block) -> onRead(step, head, block);
      case Input.FetchEnded ignored -> onFetchEnded(step);
      case Input.FetchFailed ignored -> step.become(state.fetching(false));
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
    if (!state.fetching() && state.unacknowledged().size() < WINDOW) {
      step.become(state.fetching(true));
      step.effect(new Effect.Fetch(state.next(), FETCH));
    }
  }

  /** Blocks that are not final yet are no reason to ask again at once. */
  private static void onFetchEnded(Step<State, Void, Effect> step) {
    boolean mayBeMore = step.state().handedOn() == FETCH;
    step.become(step.state().fetching(false));
    if (mayBeMore) {
      fetch(step);
    }
  }

  private void onRead(Step<State, Void, Effect> step, BlockHeight head, Block block) {
    var state = step.state();
    boolean isFinal = block.height().value() <= head.value() - confirmations;
    if (block.height().equals(state.next()) && isFinal && state.unacknowledged().size() < WINDOW) {
      handOn(step, block);
    }
  }

  private void handOn(Step<State, Void, Effect> step, Block block) {
    var now = step.now();
    var begun = begun(block);
    var notices = BlockNotice.of(block, now, contract -> isKnown(contract, begun));
    step.effect(new Effect.Reached(block.height(), begun));
    var withStates = step.state().lastWithStates();
    var deliveries = new ArrayList<BlockDelivery>();
    for (var each : notices.entrySet()) {
      var contract = each.getKey();
      var notice = each.getValue();
      var after = withStates.getOrDefault(contract, BlockHeight.ZERO);
      deliveries.add(new BlockDelivery.ToSender(contract, notice));
      deliveries.add(new BlockDelivery.ToStateStore(contract, notice, after));
      if (notice.hasStates()) {
        withStates = withStates.plus(contract, block.height());
      }
    }
    own(step, block)
        .forEach(
            (contract, own) ->
                deliveries.add(new BlockDelivery.ToSubmitter(contract, block.height(), own)));
    begun.forEach(
        group -> deliveries.add(new BlockDelivery.ToNodeStore(group, block.height(), now)));
    var indexed = new IndexedTo(block.height(), block.hash());
    PMap<String, BlockDelivery> open = HashTreePMap.empty();
    for (var delivery : deliveries) {
      open = open.plus(delivery.to(), delivery);
      step.effect(new Effect.Deliver(delivery));
    }
    step.become(step.state().handedOn(new Waiting(indexed, open, now), withStates));
    step.effect(new Effect.HandOn(block.height(), now, notices, begun));
    storeProgress(step);
  }

  private List<PrivacyGroup> begun(Block block) {
    var begun = new ArrayList<PrivacyGroup>();
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.Deployed deployed) {
          groups.beginsWith(deployed).ifPresent(begun::add);
        }
      }
    }
    return begun;
  }

  private boolean isKnown(ContractAddress contract, List<PrivacyGroup> begun) {
    return groups.isKnown(contract)
        || begun.stream().anyMatch(group -> group.contract().equals(contract));
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

  private static void onAcknowledged(
      Step<State, Void, Effect> step, BlockHeight height, String who) {
    var waiting = step.state().unacknowledged();
    var block = waiting.get(height);
    if (block != null) {
      var rest = new Waiting(block.block(), block.open().minus(who), block.at());
      step.become(step.state().with(waiting.plus(height, rest)));
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
    step.become(step.state().reached(newest, waiting));
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
    step.become(step.state().with(waiting));
  }
}
