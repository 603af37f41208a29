package dev.sequitur.ledger.remote;

import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Callers that wait for the next head, so that an idle network exchanges one message for each block
 * and not one for each glance. Thread-safe.
 */
final class HeadWatch implements AutoCloseable {
  private final EmbeddedLedger ledger;
  private final Executor answering;
  private final int maxWaiting;
  private final EmbeddedLedger.Registration registration;
  private final Set<CompletableFuture<BlockHeight>> waiting = new HashSet<>(); // guarded by itself
  private boolean closed; // guarded by waiting

  /**
   * @param answering runs what follows on a wait, off the thread that makes the blocks
   * @param maxWaiting callers that may wait at a time; to answer one more at once would make it ask
   *     in a loop
   */
  HeadWatch(EmbeddedLedger ledger, Executor answering, int maxWaiting) {
    this.ledger = ledger;
    this.answering = answering;
    this.maxWaiting = maxWaiting;
    this.registration = ledger.onHead(this::tell);
  }

  /**
   * The head as soon as it is another than {@code known} or was replaced, or as it is when the time
   * is over or the watch is closed. Fails if too many wait.
   */
  CompletableFuture<BlockHeight> after(BlockHeight known, int waitMillis) {
    var answer = new CompletableFuture<BlockHeight>();
    synchronized (waiting) {
      var head = ledger.headHeight();
      if (closed || !head.equals(known) || waitMillis <= 0) {
        return CompletableFuture.completedFuture(head);
      }
      if (waiting.size() >= maxWaiting) {
        return CompletableFuture.failedFuture(
            new LedgerUnreachableException("Too many wait for the next block."));
      }
      waiting.add(answer);
    }
    return answer
        .completeOnTimeout(known, waitMillis, TimeUnit.MILLISECONDS)
        .whenCompleteAsync((head, failure) -> forget(answer), answering);
  }

  private void tell(BlockHeight head) {
    List<CompletableFuture<BlockHeight>> told;
    synchronized (waiting) {
      told = new ArrayList<>(waiting);
      waiting.clear();
    }
    told.forEach(answer -> answer.complete(head));
  }

  /** How many wait now. */
  int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  private void forget(CompletableFuture<BlockHeight> answer) {
    synchronized (waiting) {
      waiting.remove(answer);
    }
  }

  @Override
  public void close() {
    registration.close();
    synchronized (waiting) {
      closed = true; // who comes from now on would be told by nobody
    }
    tell(ledger.headHeight());
  }
}
