package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.RoomExport;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.port.RoomStore.Ended;
import dev.sequitur.protocol.port.RoomStore.Freed;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Cut;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Stop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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

  /** Those that are in memory with all that is of them, before they are written down. */
  private static final int WRITTEN_AT_ONCE = 32;

  private final Room room;
  private final NodeStore store;
  private final InstantSource clock;
  private final Optional<RoomExport> export;
  private final int batch;

  /** Of a node that writes nothing down before it forgets it. */
  public RoomErrands(Room room, NodeStore store, InstantSource clock) {
    this(room, store, clock, Optional.empty());
  }

  /**
   * @param export where contents are written before they are forgotten
   */
  public RoomErrands(Room room, NodeStore store, InstantSource clock, Optional<RoomExport> export) {
    this.room = room;
    this.store = store;
    this.clock = clock;
    this.export = export;
    this.batch = export.isPresent() ? WRITTEN_AT_ONCE : BATCH;
  }

  /**
   * What a step came to.
   *
   * @param contents freed by forgetting contents
   * @param ids freed by forgetting ids
   * @param goesOn whether more may go at once
   * @param stop why no more contents go; of use if it does not go on
   * @param overdue for how long the first contents that stay, or the last that have gone if more
   *     may go at once, have been old enough to go; zero if they are not
   */
  public record Step(Freed contents, Freed ids, boolean goesOn, Stop stop, Duration overdue) {
    /** By all of it. */
    public Freed freed() {
      return contents.and(ids);
    }
  }

  /**
   * Some of what would be forgotten next.
   *
   * @param ended in their order
   * @param next the number from which on there may be more
   * @param stop why there is no more, if there is not
   */
  public record Leaf(List<Ended> ended, Optional<Long> next, Stop stop) {
    public Leaf {
      ended = List.copyOf(ended);
    }
  }

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

  /** Of one kind. */
  private record Gone(Freed freed, boolean goesOn, Stop stop, Duration overdue) {}

  private static Step both(Gone contents, Gone ids) {
    return new Step(
        contents.freed(),
        ids.freed(),
        contents.goesOn() || ids.goesOn(),
        contents.stop(),
        contents.overdue());
  }

  private CompletionStage<Gone> forget(Kept kept, Room.Situation now) {
    return store
        .ended(kept, Optional.empty(), batch)
        .thenCompose(
            page -> {
              var cut = room.cut(kept, page.rows(), now);
              return written(kept, page, cut.rows())
                  .thenCompose(done -> store.forget(kept, page, cut.rows()))
                  .thenApply(
                      freed ->
                          new Gone(
                              freed,
                              cut.rows() == batch,
                              cut.stop(),
                              overdue(kept, page, cut, now)));
            });
  }

  /** Of the first that stays; of the last that goes, if what comes next is not known. */
  private Duration overdue(Kept kept, RoomStore.Page page, Cut cut, Room.Situation now) {
    int at = cut.rows() == batch ? cut.rows() - 1 : cut.rows();
    return at < page.rows().size() ? room.overdue(kept, page.rows().get(at), now) : Duration.ZERO;
  }

  /** For how long the first contents that are kept have been old enough to go; zero if not. */
  public CompletionStage<Duration> overdue() {
    return situation()
        .thenCombine(
            store.ended(Kept.CONTENTS, Optional.empty(), 1),
            (now, page) ->
                page.rows().stream()
                    .findFirst()
                    .map(row -> room.overdue(Kept.CONTENTS, row, now))
                    .orElse(Duration.ZERO));
  }

  /** ROM-6: nothing goes that is not written. */
  private CompletionStage<Void> written(Kept kept, RoomStore.Page page, int rows) {
    return export.isEmpty() || kept != Kept.CONTENTS || rows == 0
        ? CompletableFuture.completedFuture(null)
        : store.whole(page, rows).thenCompose(export.get()::write);
  }

  /**
   * What would be forgotten next, a few receipts of it, with nothing forgotten.
   *
   * @param from a receipt's number; empty: where it was forgotten up to
   * @param most so many at the most, from 1
   */
  public CompletionStage<Leaf> next(Optional<Long> from, int most) {
    return situation()
        .thenCompose(
            now ->
                store
                    .ended(Kept.CONTENTS, from, most)
                    .thenCompose(
                        page -> {
                          var cut = room.cut(Kept.CONTENTS, page.rows(), now);
                          return store
                              .whole(page, cut.rows())
                              .thenApply(ended -> leaf(ended, page, cut, most));
                        }));
  }

  private static Leaf leaf(List<Ended> ended, RoomStore.Page page, Cut cut, int most) {
    return new Leaf(
        ended,
        cut.rows() == most ? Optional.of(page.rows().getLast().number() + 1) : Optional.empty(),
        cut.stop());
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
