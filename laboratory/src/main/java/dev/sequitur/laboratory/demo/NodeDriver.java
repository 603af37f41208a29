package dev.sequitur.laboratory.demo;

import dev.sequitur.laboratory.demo.Driver.Work;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.SequencerNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * Submits one node's operations, a batch after the other and never more at a time than may be
 * outstanding, and follows its receipts. Nothing here waits: {@link #step} does what can be done
 * now. Confined to one thread.
 */
final class NodeDriver {
  private static final int BATCH = 50;
  private static final int MOST_OUTSTANDING = 500;
  private static final int RECEIPT_PAGE = 1000;
  private static final Duration AGAIN_AFTER = Duration.ofMillis(250);

  /** Operations to be submitted again, before new ones. */
  private final Deque<List<Operation>> apart = new ArrayDeque<>();

  private final SequencerNode node;
  private final OperationSource source;
  private final Intents intents;
  private final DriverTotals totals;
  private final Set<TransactionId> acceptedBefore;
  private final Map<TransactionId, OptionalLong> outstanding = new LinkedHashMap<>();
  private final Map<TransactionId, Early> early = new HashMap<>();
  private List<Operation> sending = List.of();
  private CompletableFuture<List<TransactionId>> submission =
      CompletableFuture.completedFuture(List.of());
  private CompletableFuture<List<NumberedReceipt>> reading =
      CompletableFuture.completedFuture(List.of());
  private long sentAt;
  private long notBefore;
  private long receiptsRead;
  private boolean started;
  private boolean caughtUp;
  private boolean exhausted;

  /** A receipt that was there before the submission was answered; no time if before this start. */
  private record Early(boolean success, OptionalLong seenAt) {}

  NodeDriver(SequencerNode node, Work work, DriverTotals totals) {
    this.node = node;
    this.source = new OperationSource(node.name(), work.operations(), work.size());
    this.intents = work.intents();
    this.acceptedBefore = work.acceptedBefore();
    this.totals = totals;
    this.notBefore = System.nanoTime();
  }

  /** Takes what has been answered, and asks for the next. */
  void step() {
    if (caughtUp && submission.isDone()) {
      takeSubmission();
      submitNext();
    }
    if (reading.isDone()) {
      takeReceipts();
    }
  }

  /** Whether every operation has been accepted and has its receipt. */
  boolean isDone() {
    return exhausted && apart.isEmpty() && sending.isEmpty() && outstanding.isEmpty();
  }

  /** Why the oldest of what is unfinished is so, as the node tells it. */
  CompletionStage<Optional<String>> oldestWaitsFor() {
    if (outstanding.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var oldest = outstanding.keySet().iterator().next();
    return node.transactionStatus(oldest)
        .thenApply(
            found ->
                found.map(
                    status ->
                        oldest
                            + " on "
                            + node.name()
                            + " is "
                            + status.state()
                            + ", "
                            + status.waitsFor()));
  }

  /** How many receipts wait for the answer to their submission. */
  int early() {
    return early.size();
  }

  private void takeSubmission() {
    if (sending.isEmpty()) {
      return;
    }
    var sent = sending;
    sending = List.of();
    try {
      submission.join().forEach(this::accepted);
    } catch (CompletionException e) {
      failed(sent, Answers.cause(e));
    }
  }

  private void accepted(TransactionId id) {
    if (!totals.accept(id)) {
      return;
    }
    var submittedAt = acceptedBefore.contains(id) ? OptionalLong.empty() : OptionalLong.of(sentAt);
    var receipt = early.remove(id);
    if (receipt == null) {
      outstanding.put(id, submittedAt);
    } else if (receipt.seenAt().isEmpty()) {
      totals.finishedBefore(receipt.success());
    } else {
      totals.finish(receipt.success(), elapsed(submittedAt, receipt.seenAt().getAsLong()));
    }
  }

  private static OptionalLong elapsed(OptionalLong submittedAt, long now) {
    return submittedAt.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, now - submittedAt.getAsLong()));
  }

  private void failed(List<Operation> sent, Throwable failure) {
    if (failure instanceof RefusedIntent && sent.size() > 1) {
      sent.forEach(operation -> apart.addLast(List.of(operation)));
    } else if (failure instanceof RefusedIntent) {
      totals.refuse(failure.getMessage());
    } else {
      // The same again: what was accepted after all is known by its idempotency key.
      totals.fail(node.name() + ": " + failure.getMessage());
      notBefore = System.nanoTime() + AGAIN_AFTER.toNanos();
      apart.addLast(sent);
    }
  }

  private void submitNext() {
    int room = Math.min(BATCH, MOST_OUTSTANDING - outstanding.size());
    if (room <= 0 || System.nanoTime() < notBefore) {
      return;
    }
    var next = apart.isEmpty() ? source.take(room) : apart.removeFirst();
    if (next.isEmpty()) {
      exhausted = true;
      return;
    }
    sending = next;
    sentAt = System.nanoTime();
    List<Intent> batch = next.stream().map(intents::of).toList();
    submission = node.submit(batch).toCompletableFuture();
  }

  private void takeReceipts() {
    try {
      reading.join().forEach(this::takeReceipt);
      caughtUp |= started && reading.join().isEmpty();
    } catch (CompletionException e) {
      totals.fail(node.name() + ": " + Answers.cause(e).getMessage());
    }
    started = true;
    reading = node.store().receipts(receiptsRead, RECEIPT_PAGE).toCompletableFuture();
  }

  private void takeReceipt(NumberedReceipt numbered) {
    receiptsRead = numbered.sequence();
    if (!numbered.own()) {
      // Nothing here waits for it: it would be kept for ever.
      return;
    }
    var receipt = numbered.receipt();
    if (totals.accepted().contains(receipt.transaction())) {
      receipt.failureMessage().ifPresent(totals::revertedFor);
    }
    long now = System.nanoTime();
    var submittedAt = outstanding.remove(receipt.transaction());
    if (submittedAt == null) {
      var seenAt = caughtUp ? OptionalLong.of(now) : OptionalLong.empty();
      early.put(receipt.transaction(), new Early(receipt.success(), seenAt));
    } else {
      totals.finish(receipt.success(), elapsed(submittedAt, now));
    }
  }

  /** Hands out, in order, the operations that one node sends. Confined to one thread. */
  private static final class OperationSource {
    private final NodeName node;
    private final IntFunction<Operation> operations;
    private final int size;
    private int next;

    /**
     * @param operations by index, all nodes' together
     */
    OperationSource(NodeName node, IntFunction<Operation> operations, int size) {
      this.node = node;
      this.operations = operations;
      this.size = size;
    }

    /** At most {@code limit}; none if there are no more. */
    List<Operation> take(int limit) {
      var taken = new ArrayList<Operation>(limit);
      while (taken.size() < limit && next < size) {
        var operation = operations.apply(next++);
        if (operation.from().node().equals(node)) {
          taken.add(operation);
        }
      }
      return taken;
    }
  }
}
