package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The part of the {@link NodeStore} that makes room: what has ended is forgotten from the oldest
 * receipt on, in two steps. What {@link Kept} has first loses its contents, then its id.
 * Thread-safe.
 */
public interface RoomStore {
  /**
   * What has ended, from the oldest on that is kept in this way.
   *
   * @param from where to begin; empty: where it was forgotten up to
   */
  default CompletionStage<Page> ended(Kept kept, Optional<Long> from, int limit) {
    return CompletableFuture.completedFuture(new Page(from.orElse(1L), List.of()));
  }

  /**
   * Forgets the first of a page, all or nothing. Another JVM that has done so meanwhile leaves
   * nothing to be done.
   *
   * @param rows how many
   */
  default CompletionStage<Freed> forget(Kept kept, Page page, int rows) {
    return CompletableFuture.completedFuture(Freed.NOTHING);
  }

  /**
   * All that would go with the contents of the first of a page, as it is now.
   *
   * @param rows how many
   */
  default CompletionStage<List<Ended>> whole(Page page, int rows) {
    return CompletableFuture.completedFuture(List.of());
  }

  /** What {@link #forget} would do, with nothing done. */
  default CompletionStage<Freed> wouldForget(Kept kept, Page page, int rows) {
    return CompletableFuture.completedFuture(Freed.NOTHING);
  }

  /** The highest number up to which all receipt listeners have taken everything. */
  default CompletionStage<Long> takenByListeners() {
    return CompletableFuture.completedFuture(Long.MAX_VALUE);
  }

  /**
   * Gives back the room of what is forgotten, where nothing else does. May take long, and holds up
   * no write.
   */
  default CompletionStage<Void> tidy() {
    return CompletableFuture.completedFuture(null);
  }

  /** Up to where and when it was forgotten; empty if nothing ever was. */
  default CompletionStage<Optional<Bound>> forgottenUpTo(Kept kept) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * @param from the number from which on it was read
   */
  record Page(long from, List<Room.Row> rows) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /**
   * A receipt with all that goes with it.
   *
   * @param sender of another's transaction
   * @param intent of an own one, under the receipt that holds
   * @param prepared for its caller, if it was
   * @param spent contents of the states that it has spent, those that are there
   */
  record Ended(
      NodeStore.NumberedReceipt receipt,
      Optional<SenderCommitment> sender,
      Optional<NodeStore.Intent> intent,
      Optional<NodeStore.Prepared> prepared,
      List<PrivateState> spent) {
    public Ended {
      spent = List.copyOf(spent);
    }
  }

  /**
   * @param before all below this number is forgotten
   * @param ended when the last of that had ended
   */
  record Bound(long before, Instant ended) {}

  /**
   * What forgetting has deleted, less what it wrote.
   *
   * @param receipts of own transactions and of others', replaced ones too
   * @param entries of the store
   * @param bytes of their keys and values
   */
  record Freed(long receipts, long entries, long bytes) {
    public static final Freed NOTHING = new Freed(0, 0, 0);

    public Freed and(Freed other) {
      return new Freed(receipts + other.receipts, entries + other.entries, bytes + other.bytes);
    }
  }
}
