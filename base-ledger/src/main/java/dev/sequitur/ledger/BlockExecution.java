package dev.sequitur.ledger;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Runs the transactions of one block, one after another, each on what the one before left. */
final class BlockExecution {
  private final ContractRules rules;
  private final BlockHeight height;
  private final Overlay state;
  private final List<LedgerReceipt> receipts = new ArrayList<>();
  private final List<CheckedTransaction> executed = new ArrayList<>();

  BlockExecution(ContractRules rules, BlockHeight height, Function<Key, Optional<byte[]>> base) {
    this.rules = rules;
    this.height = height;
    this.state = new Overlay(base);
  }

  /** Runs a transaction if its nonce is the next one; else it does nothing. */
  void run(CheckedTransaction transaction) {
    long next = state.get(LedgerTable.NONCES, transaction.signer()).orElse(0L);
    if (transaction.nonce() != next) {
      return;
    }
    var results = results(transaction);
    int index = receipts.size();
    state.put(LedgerTable.NONCES, transaction.signer(), next + 1);
    // its nonce was free until now, so it is in no block
    var position = new Position(height.value(), index);
    state.putNew(LedgerTable.POSITIONS, transaction.hash(), position);
    state.putNew(LedgerTable.USED, new Receipt.Nonce(transaction.signer(), next), position);
    executed.add(transaction);
    receipts.add(
        new LedgerReceipt(transaction.hash(), transaction.signer(), next, height, index, results));
  }

  private List<Result> results(CheckedTransaction transaction) {
    return switch (transaction.signed().transaction().call()) {
      case Deploy deploy -> List.of(rules.deploy(state, transaction, deploy));
      case Invoke invoke -> rules.invoke(state, height, transaction, invoke);
      case ChangeCommittee change -> List.of(rules.change(state, height, transaction, change));
      case UseNonce ignored -> List.of(new LedgerReceipt.NonceUsed());
      case PublicCall ignored ->
          throw new IllegalStateException("The pool takes no public transaction.");
    };
  }

  /**
   * @param checkpoint of what the parent has left, if the block is to carry one
   */
  Executed finish(Block parent, Instant timestamp, Optional<Hash> checkpoint) {
    var open = new Block(height, parent.hash(), parent.hash(), timestamp, receipts, checkpoint);
    var block = BlockHash.seal(open);
    return new Executed(block, List.copyOf(executed), state);
  }

  /**
   * Where a transaction is.
   *
   * @param height of its block
   * @param index in it, from 0
   */
  record Position(long height, int index) {}

  /**
   * A block that is not stored yet.
   *
   * @param state what it changes, on top of its parent
   */
  record Executed(Block block, List<CheckedTransaction> transactions, Overlay state) {

    /**
     * Adds what must be stored beside the changes.
     *
     * @param replaceable whether a reorganisation may undo the block
     */
    void addTo(Map<Key, Optional<byte[]>> batch, boolean replaceable) {
      long at = block.height().value();
      LedgerTable.BLOCKS.put(at, block, batch);
      LedgerTable.TRANSACTIONS.put(at, transactions, batch);
      if (replaceable) {
        LedgerTable.UNDO.put(at, state.undo(), batch);
      }
    }
  }
}
