package dev.sequitur.benchmarks;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Submits to one node in batches and follows its receipts, as a caller with a receipt listener
 * would. Nothing here waits. Confined to one thread.
 */
final class NodeLoad {
  private static final int RECEIPT_PAGE = 1000;

  private final SequencerNode node;
  private final Entrance entrance;
  private final Tally tally;
  private final Deque<Submission> open = new ArrayDeque<>();
  private final Map<TransactionId, Long> submittedAt = new HashMap<>();

  /** Of transactions whose submission is not answered yet. */
  private final Map<TransactionId, Early> early = new HashMap<>();

  private CompletableFuture<List<NumberedReceipt>> reading =
      CompletableFuture.completedFuture(List.of());
  private long receiptsRead;
  private BlockHeight newest = new BlockHeight(0);

  private record Submission(int size, long at, CompletableFuture<List<TransactionId>> ids) {}

  private record Early(Receipt receipt, long at) {}

  NodeLoad(SequencerNode node, Entrance entrance, Tally tally) {
    this.node = node;
    this.entrance = entrance;
    this.tally = tally;
  }

  int outstanding() {
    return submittedAt.size() + open.stream().mapToInt(Submission::size).sum() - early.size();
  }

  /** Of the newest receipt. */
  BlockHeight newest() {
    return newest;
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
    open.removeIf(this::isAnswered);
    if (open.isEmpty() && !early.isEmpty()) {
      throw new IllegalStateException("Receipts for what was not submitted: " + early.keySet());
    }
    int submitted = 0;
    while (submitted < room && open.size() < entrance.atOnce()) {
      submitted += submit(workload, Math.min(entrance.together(), room - submitted));
    }
    return submitted;
  }

  private int submit(Workload workload, int count) {
    long now = System.nanoTime();
    var batch = new ArrayList<Intent>(count);
    for (int i = 0; i < count; i++) {
      batch.add(workload.take());
    }
    open.add(new Submission(count, now, entrance.submit(batch)));
    return count;
  }

  private boolean isAnswered(Submission submission) {
    if (!submission.ids().isDone()) {
      return false;
    }
    for (var id : submission.ids().join()) {
      var receipt = early.remove(id);
      if (receipt == null) {
        submittedAt.put(id, submission.at());
      } else {
        tally.finish(receipt.receipt(), receipt.at() - submission.at());
      }
    }
    return true;
  }

  private void take(NumberedReceipt numbered) {
    long now = System.nanoTime();
    receiptsRead = numbered.sequence();
    var receipt = numbered.receipt();
    receipt.onLedger().ifPresent(place -> newest = place.block());
    if (!numbered.own()) {
      return;
    }
    var since = submittedAt.remove(receipt.transaction());
    if (since == null) {
      early.put(receipt.transaction(), new Early(receipt, now));
    } else {
      tally.finish(receipt, now - since);
    }
  }
}
