package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.Hash;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The commands that each schedule queue has done and no longer keeps in memory, until they are
 * forgotten. Thread-safe; nothing blocks the caller.
 */
public interface CommandStore {
  /**
   * One that was done.
   *
   * @param number within its queue, in the order in which they were done, from 1
   * @param id SHA-256 of the id under which its caller sent it
   * @param content what the queue wants to know of it, in the queue's own bytes
   */
  record Done(long number, Hash id, byte[] content) {}

  /**
   * Which are there.
   *
   * @param from the number of the oldest that is not forgotten
   * @param upTo the highest number that was ever added; 0 if none was
   */
  record Extent(long from, long upTo) {
    /** How many they are at most: not every number need be there. */
    public long size() {
      return upTo - from + 1;
    }
  }

  /**
   * Keeps these, all or none; durable when the future completes. To add again changes nothing.
   *
   * @param upTo that all up to this number were added which are to be; {@link Extent#upTo}
   * @param at when they count as done
   */
  CompletionStage<Void> add(String queue, long upTo, Instant at, List<Done> commands);

  /** What is known of these ids; sees every addition that has completed. */
  CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids);

  /** Which are there. */
  CompletionStage<Extent> extent(String queue);

  /**
   * Forgets the oldest that were done before a time.
   *
   * @param atMost how many with one call
   * @return what is left
   */
  CompletionStage<Extent> forget(String queue, Instant before, int atMost);
}
