package dev.sequitur.benchmarks;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.sequencer.SequencerNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Submits to one node in batches and follows its receipts, as a caller with a receipt listener
 * would. Nothing here waits. Confined to one thread.
 */
final class NodeLoad {
  private static final int BATCH = 200;
  private static final int RECEIPT_PAGE = 1000;

  private final SequencerNode node;
  private final Tally tally;
  private final Map<TransactionId, Long> submittedAt = new HashMap<>();
  private CompletableFuture<List<TransactionId>> submission =
      CompletableFuture.completedFuture(List.of());
  private CompletableFuture<List<NumberedReceipt>> reading =
      CompletableFuture.completedFuture(List.of());
  private long receiptsRead;

  NodeLoad(SequencerNode node, Tally tally) {
    this.node = node;
    this.tally = tally;
  }

  int outstanding() {
    return submittedAt.size();
  }

  /**
   * Takes what has arrived and submits at most {@code room} more.
   *
   * @return how many it submitted
   */
  int step(Workload workload, int room) {
    if (reading.isDone()) {
      reading.join().forEach(this::take);
      reading = node.store().receipts(receiptsRead, RECEIPT_PAGE).toCompletableFuture();
    }
    if (!submission.isDone() || room <= 0) {
      return 0;
    }
    submission.join();
    var batch = new ArrayList<Intent>();
    long now = System.nanoTime();
    for (int i = 0; i < Math.min(BATCH, room); i++) {
      var intent = workload.take();
      submittedAt.put(intent.transaction().id(), now);
      batch.add(intent);
    }
    submission = node.submit(batch).toCompletableFuture();
    return batch.size();
  }

  private void take(NumberedReceipt numbered) {
    receiptsRead = numbered.sequence();
    var receipt = numbered.receipt();
    var since = submittedAt.remove(receipt.transaction());
    if (since == null) {
      throw new IllegalStateException("A receipt for what was not submitted: " + receipt);
    }
    tally.finish(receipt, System.nanoTime() - since);
  }
}
