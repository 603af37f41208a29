package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.port.RoomStore.Freed;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Cut;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Stop;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Makes room in the node store as the rules of {@link Room} say, a few receipts at a time. What a
 * process that ends has not done, the next one does. Thread-safe.
 */
public final class RoomErrands {
  /** Receipts that go in one write: small, so that nobody waits for it. */
  public static final int BATCH = 100;

  private final Room room;
  private final NodeStore store;
  private final InstantSource clock;

  public RoomErrands(Room room, NodeStore store, InstantSource clock) {
    this.room = room;
    this.store = store;
    this.clock = clock;
  }

  /**
   * What a step came to.
   *
   * @param freed by all of it
   * @param goesOn whether more may go at once
   * @param stop why no more contents go; of use if it does not go on
   */
  public record Step(Freed freed, boolean goesOn, Stop stop) {}

  /**
   * What would go, if all that may went now.
   *
   * @param whole whether all was counted
   */
  public record Estimate(Freed contents, Freed ids, Stop stop, boolean whole) {
    /** Of which nothing is counted yet. */
    public static final Estimate NONE =
        new Estimate(Freed.NOTHING, Freed.NOTHING, Stop.NONE, false);

    private Estimate and(Kept kept, Freed more, Stop why, boolean all) {
      return switch (kept) {
        case CONTENTS -> new Estimate(contents.and(more), ids, why, all);
        case IDS -> new Estimate(contents, ids.and(more), stop, all);
      };
    }
  }

  /** Forgets some contents and some ids. */
  public CompletionStage<Step> forget() {
    return situation()
        .thenCompose(
            now ->
                forget(Kept.CONTENTS, now)
                    .thenCompose(
                        contents -> forget(Kept.IDS, now).thenApply(ids -> both(contents, ids))));
  }

  private static Step both(Step contents, Step ids) {
    return new Step(
        contents.freed().and(ids.freed()), contents.goesOn() || ids.goesOn(), contents.stop());
  }

  private CompletionStage<Step> forget(Kept kept, Room.Situation now) {
    return store
        .ended(kept, Optional.empty(), BATCH)
        .thenCompose(
            page -> {
              var cut = room.cut(kept, page.rows(), now);
              return store
                  .forget(kept, page, cut.rows())
                  .thenApply(freed -> new Step(freed, cut.rows() == BATCH, cut.stop()));
            });
  }

  private CompletionStage<Room.Situation> situation() {
    return store
        .takenByListeners()
        .thenCombine(
            store.readSoFar(),
            (taken, read) ->
                new Room.Situation(
                    clock.instant(), taken, read.flatMap(ReadSoFar::reindex).isPresent()));
  }

  /**
   * Counts what would go, and changes nothing. Reads all of that.
   *
   * @param progress told how far it is now and then
   */
  public CompletionStage<Estimate> estimate(Consumer<Estimate> progress) {
    return situation()
        .thenCompose(
            now ->
                estimate(Kept.CONTENTS, Optional.empty(), now, Estimate.NONE, progress)
                    .thenCompose(
                        contents -> estimate(Kept.IDS, Optional.empty(), now, contents, progress)));
  }

  private CompletionStage<Estimate> estimate(
      Kept kept,
      Optional<Long> from,
      Room.Situation now,
      Estimate before,
      Consumer<Estimate> progress) {
    progress.accept(before);
    return store
        .ended(kept, from, BATCH)
        .thenCompose(
            page -> {
              var cut = room.cut(kept, page.rows(), now);
              return store
                  .wouldForget(kept, page, cut.rows())
                  .thenCompose(freed -> next(kept, page, cut, now, before, freed, progress));
            });
  }

  private CompletionStage<Estimate> next(
      Kept kept,
      RoomStore.Page page,
      Cut cut,
      Room.Situation now,
      Estimate before,
      Freed freed,
      Consumer<Estimate> progress) {
    boolean goesOn = cut.rows() == BATCH;
    var counted = before.and(kept, freed, cut.stop(), !goesOn);
    return goesOn
        ? estimate(kept, Optional.of(page.rows().getLast().number() + 1), now, counted, progress)
        : CompletableFuture.completedFuture(counted);
  }
}
