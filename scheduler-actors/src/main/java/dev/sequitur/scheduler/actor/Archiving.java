package dev.sequitur.scheduler.actor;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Hands the executed bodies of a queue to their store, many at a time, and only those whose
 * execution is in the journal. If it dies in between, they are handed over again, which changes
 * nothing; the queue drops them once it has recorded that the store has them.
 */
final class Archiving extends SideWrite {
  /**
   * What memory takes is so many batches: few, so that what was looked up in the store holds for a
   * while; more than one, so that creations do not become BUSY when a write takes its time.
   */
  private static final int BATCHES_OF_ROOM = 20;

  private final BodyStore store;
  private final Executor computing;
  private final String queue;
  private final int batch;

  /**
   * @param computing collects what is to be written
   */
  Archiving(BodyStore store, Executor computing, String queue, QueueSetup setup) {
    this.store = store;
    this.computing = computing;
    this.queue = queue;
    this.batch =
        setup
            .family(Family.Archiving.class)
            .map(Family.Archiving::mostUnstored)
            .map(most -> Math.max(1, most / BATCHES_OF_ROOM))
            .orElse(Integer.MAX_VALUE);
  }

  /**
   * A write, if it is time for one: of the oldest ones, no more than are usual, so that after a
   * store has stood still neither it nor the queue gets all at once.
   *
   * @param stored what the journal has
   * @return completes with what the queue is to be told
   */
  Optional<CompletionStage<QueueInput>> write(QueueState stored) {
    if (!mayBegin()) {
      return Optional.empty();
    }
    var bodies = StoredBodies.bodies(stored);
    if (bodies.unstored() < batch) {
      return Optional.empty();
    }
    begins();
    long upTo = bodies.stored() + batch;
    return Optional.of(
        CompletableFuture.supplyAsync(() -> bodies.unstored(batch), computing)
            .thenCompose(some -> store.add(queue, upTo, some))
            .thenApply(done -> new QueueInput.BodiesStored(upTo)));
  }
}
