package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
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

  BlockExecution(ContractRules rules, BlockHeight height, Function<Bytes, Optional<Bytes>> base) {
    this.rules = rules;
    this.height = height;
    this.state = new Overlay(base);
  }

  /** Runs a transaction if its nonce is the next one; else it does nothing. */
  void run(CheckedTransaction transaction) {
    long next = nonce(state.get(StoreKey.nonce(transaction.signer())));
    if (transaction.nonce() != next) {
      return;
    }
    var results = results(transaction);
    int index = receipts.size();
    state.put(StoreKey.nonce(transaction.signer()), LedgerFormat.of(Long.class).toBytes(next + 1));
    // its nonce was free until now, so it is in no block
    var position = LedgerFormat.of(Position.class).toBytes(new Position(height.value(), index));
    state.putNew(StoreKey.position(transaction.hash()), position);
    state.putNew(StoreKey.used(transaction.signer(), next), position);
    executed.add(transaction);
    receipts.add(
        new LedgerReceipt(transaction.hash(), transaction.signer(), next, height, index, results));
  }

  private List<Result> results(CheckedTransaction transaction) {
    return switch (transaction.signed().transaction().call()) {
      case Deploy deploy -> List.of(rules.deploy(state, transaction, deploy));
      case Invoke invoke -> rules.invoke(state, transaction, invoke);
      case UseNonce ignored -> List.of(new LedgerReceipt.NonceUsed());
      case PublicCall ignored ->
          throw new IllegalStateException("The pool takes no public transaction.");
    };
  }

  Executed finish(Block parent, Instant timestamp) {
    var block = BlockHash.seal(height, parent.hash(), timestamp, receipts);
    return new Executed(block, List.copyOf(executed), state);
  }

  static long nonce(Optional<Bytes> stored) {
    return stored.map(bytes -> LedgerFormat.of(Long.class).decode(bytes)).orElse(0L);
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
    void addTo(Map<Bytes, Optional<Bytes>> batch, boolean replaceable) {
      long at = block.height().value();
      batch.put(StoreKey.block(at), Optional.of(LedgerFormat.of(Block.class).toBytes(block)));
      batch.put(
          StoreKey.transactions(at),
          Optional.of(LedgerFormat.listOf(CheckedTransaction.class).toBytes(transactions)));
      if (replaceable) {
        batch.put(
            StoreKey.undo(at),
            Optional.of(LedgerFormat.of(Undo.class).toBytes(new Undo(state.undo()))));
      }
    }
  }

  /** What the keys that a block changed led to before. */
  record Undo(Map<Bytes, Optional<Bytes>> before) {}
}
