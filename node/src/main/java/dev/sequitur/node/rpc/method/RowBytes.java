package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;

/**
 * About how many bytes a stored row has in an answer: what its caller can make long, and something
 * for the rest.
 */
final class RowBytes {
  private static final long REST = 500;
  private static final long HASH = 66;

  private RowBytes() {}

  static long of(Intent intent) {
    return REST
        + switch (intent.transaction()) {
          case PrivateTransaction some -> of(some.inputs()) + HASH * some.dependsOn().size();
          case PublicTransaction some -> of(some.data());
          case NewGroup some -> of(some.inputs()) + of(some.request().configuration());
        };
  }

  static long of(NumberedReceipt numbered) {
    var receipt = numbered.receipt();
    return REST
        + receipt.failureMessage().map(String::length).orElse(0)
        + receipt.called().map(Receipt.Called::revertData).map(RowBytes::of).orElse(0L);
  }

  static long of(Prepared prepared) {
    var transaction = prepared.prepared();
    long states =
        (long) transaction.inputs().size()
            + transaction.reads().size()
            + transaction.outputs().size();
    return REST
        + HASH * states
        + prepared.outputs().stream().mapToLong(RowBytes::of).sum()
        + REST * transaction.proof().signatures().size();
  }

  static long of(PrivateState state) {
    return REST + of(state.data()) + state.lookup().length();
  }

  static long of(Block block) {
    return REST + block.receipts().stream().mapToLong(RowBytes::of).sum();
  }

  static long of(LedgerReceipt receipt) {
    return REST + receipt.results().stream().mapToLong(RowBytes::of).sum();
  }

  private static long of(LedgerReceipt.Result result) {
    return REST
        + switch (result) {
          case LedgerReceipt.Fulfilled some ->
              HASH * (some.spent().size() + some.read().size() + some.created().size());
          case LedgerReceipt.Called some -> of(some.revertData());
          case LedgerReceipt.Deployed ignored -> 0;
          case LedgerReceipt.CommitteeChanged ignored -> 0;
          case LedgerReceipt.ChangeRefused ignored -> 0;
          case LedgerReceipt.Reverted some -> some.message().length();
          case LedgerReceipt.NonceUsed() -> 0;
        };
  }

  static long of(Placed event) {
    return REST + of(event.event().data());
  }

  static long of(StoredAbi stored) {
    return REST + of(stored.json());
  }

  /** In hexadecimal digits. */
  static long of(Bytes bytes) {
    return 2L * bytes.size();
  }
}
