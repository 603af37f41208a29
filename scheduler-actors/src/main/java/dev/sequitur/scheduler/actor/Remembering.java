package dev.sequitur.scheduler.actor;

import dev.sequitur.persistence.store.CommandStore;
import dev.sequitur.persistence.store.CommandStore.Extent;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.RecentCommands;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Hands the commands that a queue has done to their store, but for the newest, and has those
 * forgotten whose time is over. If it dies in between, they are handed over again, which changes
 * nothing; the queue drops only what the store has.
 */
final class Remembering extends SideWrite {
  /** Bounds a write. */
  private static final int BATCH = 10_000;

  /** A write is worth while for a tenth of what memory always keeps. */
  private static final int BATCHES_OF_ROOM = 10;

  /** Memory takes so many times what it always keeps, until the store has some of it. */
  private static final int MOST_TIMES = 10;

  /**
   * They are kept longer by such a part than is promised: callers say by their own clocks how old a
   * command is.
   */
  private static final int PART_LONGER = 100;

  private final QueueServices services;
  private final String queue;
  private final SchedulerSettings settings;
  private Extent stored = new Extent(1, 0);

  Remembering(QueueServices services, String queue) {
    this.services = services;
    this.queue = queue;
    this.settings = services.settings();
  }

  /** As the store says at the start. */
  void begin(Extent extent) {
    stored = extent;
  }

  void written(Extent extent) {
    stored = extent;
    written();
  }

  /** Whether the store has any, so that what memory does not know may be there. */
  boolean hasAny() {
    return stored.size() > 0;
  }

  /** The number up to which memory may drop them: without the newest. */
  long droppable(RecentCommands commands) {
    return Math.min(stored.upTo(), newestDropped(commands));
  }

  /** What is answered to commands that would have to be remembered; empty if there is room. */
  Optional<Refusal> refusal(RecentCommands commands) {
    if (commands.answers().size() >= (long) MOST_TIMES * settings.rememberedCommands()) {
      return busy(
          "The queue cannot store at the moment what it has done under which key: try again in a"
              + " moment, under the same key.");
    } else if (stored.size() >= settings.mostRememberedCommands()) {
      return busy(
          "The queue remembers as many keys as it may (scheduler.most-remembered-commands, for"
              + " scheduler.commands-remembered-for): send what you will not repeat without a key,"
              + " or try again when older ones are forgotten.");
    }
    return Optional.empty();
  }

  static Optional<Refusal> busy(String sentence) {
    return Optional.of(new Refusal(Refusal.Code.BUSY, sentence));
  }

  /**
   * A write, if it is time for one.
   *
   * @param journalled what the journal has
   * @return completes with what is in the store then
   */
  Optional<CompletionStage<Extent>> write(QueueMemory journalled) {
    var commands = journalled.commands();
    long from = stored.upTo() + 1;
    long to = Math.min(newestDropped(commands), stored.upTo() + BATCH);
    int worthWhile = Math.max(1, settings.rememberedCommands() / BATCHES_OF_ROOM);
    if (!mayBegin() || to - from + 1 < Math.min(worthWhile, BATCH)) {
      return Optional.empty();
    }
    begins();
    var now = services.now().toInstant();
    return Optional.of(
        CompletableFuture.supplyAsync(
                () -> services.recall().done(commands, from, to), services.computing())
            .thenCompose(done -> store().add(queue, to, now, done))
            .thenCompose(added -> forget(now)));
  }

  /** Has those forgotten whose time is over, if there are any. */
  Optional<CompletionStage<Extent>> forget() {
    if (!mayBegin() || !hasAny()) {
      return Optional.empty();
    }
    begins();
    return Optional.of(forget(services.now().toInstant()));
  }

  /** Faster than they can come. */
  private CompletionStage<Extent> forget(Instant now) {
    var kept = settings.commandsRememberedFor();
    var before = now.minus(kept).minus(kept.dividedBy(PART_LONGER));
    return store().forget(queue, before, 2 * BATCH);
  }

  private CommandStore store() {
    return services.recall().store();
  }

  private long newestDropped(RecentCommands commands) {
    return commands.next() - 1 - settings.rememberedCommands();
  }
}
