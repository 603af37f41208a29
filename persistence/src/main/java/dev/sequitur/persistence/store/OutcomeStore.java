package dev.sequitur.persistence.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The outcomes that each schedule queue no longer keeps in memory, by their numbers and by marks
 * that the queue gives them, until they are forgotten. Thread-safe; nothing blocks the caller.
 */
public interface OutcomeStore {
  /** Of one read. */
  int MOST = 1_000;

  /** Numbers from a multiple of it on stand together: who adds such groups whole writes least. */
  int TOGETHER = OutcomeTable.IN_ROW;

  /**
   * One of them.
   *
   * @param number within its queue, in the order in which they came about, from 0
   * @param at when; no later than that of a higher number
   * @param marks by which it can be found
   * @param content what the queue wants to know of it, in the queue's own bytes
   */
  record Ended(long number, Instant at, List<String> marks, byte[] content) {
    public Ended {
      marks = List.copyOf(marks);
    }
  }

  /** One that was found. */
  record Found(long number, byte[] content) {}

  /**
   * Which are wanted.
   *
   * @param mark only those that have it
   * @param from the lowest number
   * @param since only those that came about then or later
   * @param newestFirst the highest numbers first
   * @param atMost how many, 1 to {@value #MOST}
   */
  record Query(
      Optional<String> mark, long from, Optional<Instant> since, boolean newestFirst, int atMost) {
    public Query {
      if (from < 0 || atMost < 1 || atMost > MOST) {
        throw new IllegalArgumentException("No page: " + atMost + " from " + from);
      }
    }
  }

  /**
   * Keeps these, all or none, and forgets the oldest; durable when the future completes. To add
   * again changes nothing.
   *
   * @param keptFrom the lowest number that is to be kept; of those below some are forgotten with
   *     each call, more than are added, but for fewer than {@value OutcomeTable#IN_ROW}
   */
  CompletionStage<Void> add(String queue, List<Ended> outcomes, long keptFrom);

  /** In the order of their numbers, or against it; sees every addition that has completed. */
  CompletionStage<List<Found>> find(String queue, Query query);

  /** The lowest number that is there; empty if there is none. */
  CompletionStage<Optional<Long>> oldest(String queue);
}
