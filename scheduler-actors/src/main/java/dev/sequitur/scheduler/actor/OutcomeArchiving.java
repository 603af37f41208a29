package dev.sequitur.scheduler.actor;

import dev.sequitur.persistence.store.OutcomeStore;
import dev.sequitur.persistence.store.OutcomeStore.Ended;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Hands what has happened in a queue to its store, many at a time, and has the oldest forgotten
 * there. If it dies in between, they are handed over again, which changes nothing; the queue drops
 * them once it has recorded that the store has them, or when they are older than what is kept.
 */
final class OutcomeArchiving extends SideWrite {
  /** Bounds a write. */
  static final int BATCH = 1_000;

  /**
   * A write is worth while, and mostly no larger: the journal waits for it, since both are in one
   * store.
   */
  static final int WORTH_WHILE = 4 * OutcomeStore.TOGETHER;

  /** What has gathered beyond that is written in so many parts, so that it becomes less. */
  private static final int PARTS = 8;

  private final PastOutcomes past;
  private final Executor computing;
  private final String queue;
  private final int kept;

  /** Below this the store has them. */
  private long next;

  /**
   * @param computing collects what is to be written
   * @param kept how many outcomes are kept, in memory and in the store
   */
  OutcomeArchiving(PastOutcomes past, Executor computing, String queue, int kept) {
    this.past = past;
    this.computing = computing;
    this.queue = queue;
    this.kept = kept;
  }

  /**
   * A write, if it is time for one: while a queue goes on working, not before memory has half of
   * what is kept, so that a burst has the disk for its journal.
   *
   * @param stored what the journal has
   * @param pressed whether the queue goes on working at once
   * @return completes with what the queue is to be told
   */
  Optional<CompletionStage<QueueInput.OutcomesStored>> write(QueueState stored, boolean pressed) {
    var history = stored.history();
    long from = Math.max(next, history.oldest());
    long there = history.next() - from;
    int worthWhile = Math.min(WORTH_WHILE, Math.max(1, kept / 2));
    if (!mayBegin() || there < (pressed ? Math.max(worthWhile, kept / 2) : worthWhile)) {
      return Optional.empty();
    }
    begins();
    long upTo = from + together(from, Math.clamp(there / PARTS, worthWhile, BATCH)) - 1;
    return Optional.of(
        CompletableFuture.supplyAsync(() -> rows(stored, from, upTo), computing)
            .thenCompose(rows -> past.store().add(queue, rows, Math.max(0, history.next() - kept)))
            .thenApply(added -> new QueueInput.OutcomesStored(upTo)));
  }

  /** So many or fewer, up to the end of what stands together, if that is not all of them. */
  private static long together(long from, long atMost) {
    long whole = atMost - (from + atMost) % OutcomeStore.TOGETHER;
    return whole > 0 ? whole : atMost;
  }

  private List<Ended> rows(QueueState stored, long from, long upTo) {
    var rows = new ArrayList<Ended>();
    for (long number = from; number <= upTo; number++) {
      rows.add(past.row(number, stored.history().at(number)));
    }
    return rows;
  }

  void written(QueueInput.OutcomesStored told) {
    next = told.upTo() + 1;
    written();
  }
}
