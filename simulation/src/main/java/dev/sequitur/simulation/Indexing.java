package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What LedgerIndexer does: final blocks in order, and the place to read on from after a crash moves
 * only when everything that follows from a block is durable.
 */
final class Indexing {
  private final RunningNode node;
  private final TreeMap<Long, Integer> unacknowledged = new TreeMap<>();
  private long height;

  Indexing(RunningNode node, long indexedTo) {
    this.node = node;
    this.height = indexedTo;
  }

  long height() {
    return height;
  }

  void poll() {
    long end = node.home().indexableTo();
    while (height < end) {
      var block = node.ledger().block(height + 1);
      if (node.simulation().now().isBefore(block.timestamp().plus(node.home().lag()))) {
        return;
      }
      node.reach(new Moment.Indexing(node.name(), block));
      height++;
      handOn(block);
    }
  }

  /** What a block has of one contract. */
  private record Part(
      Map<IntentKey, Receipt.OnLedger> confirmed, List<StateId> spent, List<StateId> created) {
    Part() {
      this(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /** Everything of a contract that is indexed, from the first block on. */
  Map<IntentKey, Receipt.OnLedger> confirmations(ContractAddress contract) {
    var all = new Part();
    for (long number = 1; number <= height; number++) {
      for (var receipt : node.ledger().block(number).receipts()) {
        if (receipt.result() instanceof LedgerReceipt.Fulfilled fulfilled
            && fulfilled.contract().equals(contract)) {
          add(all, receipt, fulfilled);
        }
      }
    }
    return all.confirmed();
  }

  private void handOn(Block block) {
    var parts = new LinkedHashMap<ContractAddress, Part>();
    for (var receipt : block.receipts()) {
      if (receipt.result() instanceof LedgerReceipt.Fulfilled fulfilled) {
        add(
            parts.computeIfAbsent(fulfilled.contract(), contract -> new Part()),
            receipt,
            fulfilled);
      }
    }
    unacknowledged.put(block.height().value(), 1);
    for (var each : node.entities()) {
      handOn(each, block, parts);
    }
    acknowledge(block.height());
  }

  private static void add(Part part, LedgerReceipt receipt, LedgerReceipt.Fulfilled fulfilled) {
    part.confirmed().put(fulfilled.intent(), receipt.onLedger(fulfilled));
    part.spent().addAll(fulfilled.spent());
    part.created().addAll(fulfilled.created());
  }

  private void handOn(Entities each, Block block, Map<ContractAddress, Part> parts) {
    var contract = node.simulation().contractOf(each);
    var part = parts.get(contract);
    var seen = part == null ? new Part() : part;
    var height = block.height();
    var own =
        block.receipts().stream()
            .filter(receipt -> receipt.signer().equals(each.submitter().address()))
            .toList();
    each.endorser().reach(height);
    each.coordinator()
        .tell(
            new CoordinatorInput.BlockIndexed(
                height, List.copyOf(seen.confirmed().keySet()), part != null));
    var toSender = new SenderInput.BlockIndexed(height, node.now(), seen.confirmed());
    if (part == null) {
      each.sender().index(toSender, () -> {});
    } else {
      unacknowledged.merge(height.value(), 2, Integer::sum);
      each.sender().index(toSender, () -> acknowledge(height));
      each.states()
          .tell(
              new StateStore.Input.BlockIndexed(height, seen.spent(), seen.created()),
              () -> acknowledge(height));
    }
    if (!own.isEmpty()) {
      unacknowledged.merge(height.value(), 1, Integer::sum);
      each.submitter()
          .tell(new SubmitterInput.BlockIndexed(height, own), () -> acknowledge(height));
    }
  }

  private void acknowledge(BlockHeight block) {
    unacknowledged.merge(block.value(), -1, Integer::sum);
    while (!unacknowledged.isEmpty() && unacknowledged.firstEntry().getValue() == 0) {
      long done = unacknowledged.pollFirstEntry().getKey();
      node.disk().indexedTo = done;
      var receipts = node.disk().receipts;
      node.simulation().invariants().onIndexed(node.name(), node.ledger().block(done), receipts);
    }
  }
}
