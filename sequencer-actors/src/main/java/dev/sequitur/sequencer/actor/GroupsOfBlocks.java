package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.sequencer.setup.GroupRegistry;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Has the groups that blocks are about in memory before the blocks are read. A ledger has others'
 * groups and keys, too: those are asked for once and remembered, so many at most, for one life of
 * an indexer. Nobody but the indexer adds a group, and what it adds is in memory. Thread-safe.
 */
final class GroupsOfBlocks {
  private static final int STRANGERS = 10_000;
  private static final int PAGE = 1_000;
  private static final int BLOCKS = 256;

  private final GroupRegistry groups;
  private final NodeStore store;
  private final Blocks ledger;
  private final Map<ContractAddress, PrivacyGroup> joining = new ConcurrentHashMap<>();
  private final Map<GroupId, ContractAddress> standing = new ConcurrentHashMap<>();
  private final Map<GroupId, ContractAddress> begun =
      Collections.synchronizedMap(LimitedMap.ofNewest(STRANGERS));
  private final Set<ContractAddress> strangers = remembered();
  private final Set<LedgerAddress> strangersKeys = remembered();

  /** Of the ledger, from one upwards, so many at most. */
  interface Blocks {
    CompletionStage<List<Block>> read(BlockHeight from, int limit);
  }

  GroupsOfBlocks(GroupRegistry groups, NodeStore store, Blocks ledger) {
    this.groups = groups;
    this.store = store;
    this.ledger = ledger;
  }

  private static <T> Set<T> remembered() {
    return Collections.synchronizedSet(Collections.newSetFromMap(LimitedMap.ofNewest(STRANGERS)));
  }

  /** Completes when each group of this node that they are about is in memory. */
  CompletionStage<Void> seek(List<Block> blocks) {
    var contracts = contracts(blocks);
    var keys = new LinkedHashSet<LedgerAddress>();
    blocks.forEach(block -> block.receipts().forEach(receipt -> keys.add(receipt.signer())));
    contracts.removeAll(strangers);
    keys.removeAll(strangersKeys);
    return groups
        .seek(contracts, store)
        .thenCompose(sought -> groups.seekSubmitters(keys, store))
        .thenCompose(sought -> load(blocks))
        .thenCompose(sought -> loadStanding(blocks))
        .thenAccept(sought -> remember(contracts, keys));
  }

  /** Whose committee changes is in memory as a whole. */
  private CompletionStage<Void> load(List<Block> blocks) {
    var changed =
        changes(blocks)
            .map(LedgerReceipt.CommitteeChanged::contract)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return Answers.all(changed.stream().map(contract -> groups.load(contract, store)).toList())
        .thenCompose(loaded -> loadJoining(blocks));
  }

  /** Those that this node comes into, since its operator has agreed to the change (AGR-6). */
  private CompletionStage<Void> loadJoining(List<Block> blocks) {
    joining.clear();
    return Answers.inTurn(
            changes(blocks).filter(it -> !groups.isKnown(it.contract())).toList(),
            it -> store.agreed(it.contract()).thenAccept(agreed -> join(it, agreed)))
        .thenApply(done -> null);
  }

  /** The first contract of a group stays (SEL-6), unless the block that has made it is gone. */
  private CompletionStage<Void> loadStanding(List<Block> blocks) {
    standing.clear();
    return Answers.inTurn(
            results(blocks, LedgerReceipt.Deployed.class).toList(),
            made ->
                store
                    .group(made.genesis().group())
                    .thenCompose(
                        stored ->
                            stored
                                .flatMap(StoredGroup::group)
                                .filter(group -> !group.contract().equals(made.contract()))
                                .map(this::stand)
                                .orElseGet(() -> CompletableFuture.completedFuture(null))))
        .thenApply(done -> null);
  }

  private CompletionStage<Void> stand(PrivacyGroup group) {
    return store
        .readSoFar()
        .thenCompose(
            read ->
                read.flatMap(ReadSoFar::reindex)
                    .map(reindex -> first(group, reindex.fork(), read.get().height()))
                    .orElseGet(() -> found(group.contract())))
        .thenAccept(first -> first.ifPresent(contract -> standing.put(group.id(), contract)));
  }

  /**
   * While the ledger is read again: a contract that was there up to the fork, or else the first of
   * those that were read since, which a life before this one may have done (CNF-11).
   */
  private CompletionStage<Optional<ContractAddress>> first(
      PrivacyGroup group, BlockHeight fork, BlockHeight read) {
    return hasBegun(group.contract(), fork, Optional.empty())
        .thenCompose(
            stays ->
                stays
                    ? found(group.contract())
                    : firstIn(group.id(), fork.value() + 1, read.value()));
  }

  private CompletionStage<Optional<ContractAddress>> firstIn(GroupId group, long from, long upTo) {
    if (from > upTo) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return ledger
        .read(new BlockHeight(from), (int) Math.min(BLOCKS, upTo - from + 1))
        .thenCompose(
            page -> {
              var made =
                  results(page, LedgerReceipt.Deployed.class)
                      .filter(it -> it.genesis().group().equals(group))
                      .findFirst();
              return made.isPresent() || page.isEmpty()
                  ? CompletableFuture.completedFuture(made.map(LedgerReceipt.Deployed::contract))
                  : firstIn(group, page.getLast().height().value() + 1, upTo);
            });
  }

  private static CompletionStage<Optional<ContractAddress>> found(ContractAddress contract) {
    return CompletableFuture.completedFuture(Optional.of(contract));
  }

  /** Whether a group was there in blocks up to this one. */
  private CompletionStage<Boolean> hasBegun(
      ContractAddress contract, BlockHeight upTo, Optional<ChangedGroup> after) {
    return store
        .changedGroups(BlockHeight.ZERO, upTo, after, PAGE)
        .thenCompose(
            page ->
                page.stream().anyMatch(it -> it.contract().equals(contract))
                    ? CompletableFuture.completedFuture(true)
                    : page.size() < PAGE
                        ? CompletableFuture.completedFuture(false)
                        : hasBegun(contract, upTo, Optional.of(page.getLast())));
  }

  /**
   * Whether a group of these terms stands already, with another contract. Asked for each contract
   * once, in the order of the ledger: if it does not, it stands with this one from now on.
   */
  boolean standsElsewhere(LedgerReceipt.Deployed made) {
    var group = made.genesis().group();
    var first =
        Optional.ofNullable(begun.get(group)).or(() -> Optional.ofNullable(standing.get(group)));
    if (first.filter(contract -> !contract.equals(made.contract())).isPresent()) {
      return true;
    }
    begun.put(group, made.contract());
    return false;
  }

  private void join(LedgerReceipt.CommitteeChanged by, Optional<AgreedChange> agreed) {
    agreed
        .flatMap(it -> Changing.letIn(it, by.change()))
        .ifPresent(group -> joining.put(group.contract(), group));
  }

  private static Stream<LedgerReceipt.CommitteeChanged> changes(List<Block> blocks) {
    return results(blocks, LedgerReceipt.CommitteeChanged.class);
  }

  private static <R> Stream<R> results(List<Block> blocks, Class<R> kind) {
    return blocks.stream()
        .flatMap(block -> block.receipts().stream())
        .flatMap(receipt -> receipt.results().stream())
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  /** A group that this node comes into with one of the blocks, as it was before. */
  Optional<PrivacyGroup> joining(ContractAddress contract) {
    return Optional.ofNullable(joining.get(contract));
  }

  /** Those whose transactions are in them. */
  static Set<ContractAddress> contracts(List<Block> blocks) {
    var contracts = new LinkedHashSet<ContractAddress>();
    for (var block : blocks) {
      for (var receipt : block.receipts()) {
        for (var result : receipt.results()) {
          if (result instanceof LedgerReceipt.Fulfilled fulfilled) {
            contracts.add(fulfilled.contract());
          }
        }
      }
    }
    return contracts;
  }

  private void remember(Collection<ContractAddress> contracts, Collection<LedgerAddress> keys) {
    contracts.stream().filter(contract -> !groups.isKnown(contract)).forEach(strangers::add);
    keys.stream().filter(key -> groups.contractOf(key).isEmpty()).forEach(strangersKeys::add);
  }
}
