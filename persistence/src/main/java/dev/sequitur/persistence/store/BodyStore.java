package dev.sequitur.persistence.store;

import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Which bodies each schedule queue has executed, for ever: what the queue itself no longer keeps in
 * memory. Nothing is ever removed, and adding again changes nothing. Thread-safe; nothing blocks
 * the caller.
 */
public interface BodyStore {
  /**
   * Keeps these and how many there are now, all or none; durable when the future completes.
   *
   * @param upTo how many the queue has executed with these; a lower number than was told before
   *     changes nothing
   * @param bodies SHA-256 of each
   */
  CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies);

  /**
   * The highest {@code upTo} that was ever added; 0 if nothing was. A queue that knows of more has
   * lost its store.
   */
  CompletionStage<Long> storedUpTo(String queue);

  /** Whether the queue's body was added before; sees every addition that has completed. */
  CompletionStage<Boolean> contains(String queue, Hash body);
}
