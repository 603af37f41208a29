package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A final block as one contract sees it.
 *
 * @param indexed when this node read it
 * @param concernsContract whether it has anything of the contract
 */
public record BlockNotice(
    BlockHeight height,
    Instant indexed,
    boolean concernsContract,
    Map<IntentKey, Receipt.OnLedger> confirmed,
    List<StateId> spent,
    List<StateId> created) {
  private static final long NOTICE_BYTES = 200;
  private static final long CONFIRMED_BYTES = 300;
  static final long STATE_BYTES = 64;

  public static BlockNotice heightOnly(BlockHeight height, Instant indexed) {
    return new BlockNotice(height, indexed, false, Map.of(), List.of(), List.of());
  }

  /**
   * What {@code block} has of each contract that is {@code wanted}; those of which it has nothing
   * are left out.
   */
  public static Map<ContractAddress, BlockNotice> of(
      Block block, Instant indexed, Predicate<ContractAddress> wanted) {
    var notices = new LinkedHashMap<ContractAddress, BlockNotice>();
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        switch (result) {
          case LedgerReceipt.Fulfilled fulfilled -> {
            if (wanted.test(fulfilled.contract())) {
              notices
                  .computeIfAbsent(fulfilled.contract(), c -> empty(block.height(), indexed))
                  .add(receipt, fulfilled);
            }
          }
          // A contract's committees are what the indexer takes up; the rest change no state.
          case LedgerReceipt.Deployed ignored -> {}
          case LedgerReceipt.CommitteeChanged ignored -> {}
          case LedgerReceipt.ChangeRefused ignored -> {}
          case LedgerReceipt.Reverted ignored -> {}
          case LedgerReceipt.Called ignored -> {}
          case LedgerReceipt.NonceUsed ignored -> {}
        }
      }
    }
    return notices;
  }

  private static BlockNotice empty(BlockHeight height, Instant indexed) {
    return new BlockNotice(
        height, indexed, true, new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
  }

  private void add(LedgerReceipt receipt, LedgerReceipt.Fulfilled fulfilled) {
    confirmed.put(fulfilled.intent(), receipt.onLedger(fulfilled));
    spent.addAll(fulfilled.spent());
    created.addAll(fulfilled.created());
  }

  /** About how many bytes it takes in memory; a message takes fewer. */
  public long bytes() {
    long states = spent.size() + (long) created.size();
    for (var each : confirmed.values()) {
      states += each.spent().size() + each.read().size() + each.confirmed().size();
    }
    return NOTICE_BYTES + CONFIRMED_BYTES * confirmed.size() + STATE_BYTES * states;
  }

  /** Whether it spends or creates states of the contract. */
  public boolean hasStates() {
    return !spent.isEmpty() || !created.isEmpty();
  }

  /** As much of it as {@link #forSender} takes: that may go to another JVM. */
  BlockNotice ofSender() {
    return new BlockNotice(height, indexed, concernsContract, confirmed, List.of(), List.of());
  }

  /** As much of it as {@link #forStateStore} takes, likewise. */
  BlockNotice ofStateStore() {
    return new BlockNotice(height, indexed, concernsContract, Map.of(), spent, created);
  }

  public SenderInput.BlockIndexed forSender() {
    return new SenderInput.BlockIndexed(height, indexed, confirmed);
  }

  public CoordinatorInput.BlockIndexed forCoordinator() {
    return new CoordinatorInput.BlockIndexed(
        height, List.copyOf(confirmed.keySet()), concernsContract, spent, created);
  }

  public Endorser.Input.BlockIndexed forEndorser() {
    return new Endorser.Input.BlockIndexed(height);
  }

  public StateStore.Input.BlockIndexed forStateStore() {
    return new StateStore.Input.BlockIndexed(height, spent, created);
  }
}
