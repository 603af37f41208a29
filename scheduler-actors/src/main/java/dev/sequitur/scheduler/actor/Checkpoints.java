package dev.sequitur.scheduler.actor;

import dev.sequitur.scheduler.storage.QueueMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Knows what the last checkpoint holds and when the next one is due. A queue that has more to do
 * than it does at once puts it off, within bounds: writing one takes as much of the processor as
 * the work of a second. Whether one that failed was stored is not known; if it was, the next one
 * finds out. Two at a time would look like two incarnations of the queue.
 */
final class Checkpoints extends SideWrite {
  /** Times the usual number of events, after which one is written whatever there is to do. */
  private static final int MOST_PUT_OFF = 4;

  private final QueueServices services;
  private final String stream;
  private QueueMemory stored = QueueMemory.EMPTY;
  private long eventsSince;
  private long eventsInWrite;

  Checkpoints(QueueServices services, String stream) {
    this.services = services;
    this.stream = stream;
  }

  void begin(QueueMemory loaded) {
    stored = loaded;
  }

  /**
   * Counts events that are stored, also those that a start repeats; whether one is to be written.
   *
   * @param pressed whether the queue goes on working at once
   */
  boolean isDue(int events, boolean pressed) {
    eventsSince += events;
    long usual = services.settings().checkpointEvents();
    return mayBegin() && eventsSince >= (pressed ? MOST_PUT_OFF * usual : usual);
  }

  /** Finds what has changed, and stores it, elsewhere than on the actor's thread. */
  CompletionStage<SideWrites.Told> write(QueueMemory now) {
    begins();
    eventsInWrite = eventsSince;
    var before = stored;
    return CompletableFuture.supplyAsync(
            () -> services.layout().change(before, now), services.computing())
        .thenCompose(change -> services.cells().write(stream, change))
        .thenApply(written -> new SideWrites.Told.Checkpointed(now, written));
  }

  void written(QueueMemory now) {
    written();
    eventsSince -= eventsInWrite;
    stored = now;
  }
}
