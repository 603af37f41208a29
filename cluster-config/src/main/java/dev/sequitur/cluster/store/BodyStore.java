package dev.sequitur.cluster.store;

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
   * Keeps these, all or none; durable when the future completes.
   *
   * @param bodies SHA-256 of each
   */
  CompletionStage<Void> add(String queue, List<Hash> bodies);

  /** Whether the queue's body was added before; sees every addition that has completed. */
  CompletionStage<Boolean> contains(String queue, Hash body);
}
