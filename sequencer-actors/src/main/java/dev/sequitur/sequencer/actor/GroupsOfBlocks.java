package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.sequencer.setup.GroupRegistry;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Has the groups that blocks are about in memory before the blocks are read. A ledger has others'
 * groups and keys, too: those are asked for once and remembered, so many at most, for one life of
 * an indexer. Nobody but the indexer adds a group, and what it adds is in memory. Thread-safe.
 */
final class GroupsOfBlocks {
  private static final int STRANGERS = 10_000;

  private final GroupRegistry groups;
  private final NodeStore store;
  private final Set<ContractAddress> strangers = remembered();
  private final Set<LedgerAddress> strangersKeys = remembered();

  GroupsOfBlocks(GroupRegistry groups, NodeStore store) {
    this.groups = groups;
    this.store = store;
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
        .thenAccept(sought -> remember(contracts, keys));
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
