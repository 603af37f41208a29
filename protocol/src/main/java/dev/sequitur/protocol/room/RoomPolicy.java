package dev.sequitur.protocol.room;

import dev.sequitur.protocol.room.Room.Kept;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a node keeps what has ended (ROM-1 to ROM-3), by the time of its receipt.
 *
 * @param keep what a transaction was and came to; empty: for ever, and nothing below matters
 * @param ids that it was: its id and its idempotency key; not shorter than {@code keep}
 * @param unread what a receipt listener has not taken; empty: as long as there is the listener;
 *     else not shorter than {@code keep}
 */
public record RoomPolicy(Optional<Duration> keep, Duration ids, Optional<Duration> unread) {
  /** Nothing is ever forgotten. */
  public static final RoomPolicy FOREVER =
      new RoomPolicy(Optional.empty(), Duration.ofDays(365), Optional.empty());

  public RoomPolicy {
    if (keep.isPresent()) {
      check(keep.get(), "what has ended", Duration.ofNanos(1));
      check(ids, "ids", keep.get());
      var least = keep.get();
      unread.ifPresent(it -> check(it, "what listeners have not taken", least));
    }
  }

  /** Whatever listeners have taken or not. */
  public static RoomPolicy of(Duration keep, Duration ids) {
    return new RoomPolicy(Optional.of(keep), ids, Optional.empty());
  }

  private static void check(Duration kept, String what, Duration least) {
    if (kept.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "For %s %s is too short: it is to be kept for %s at least.".formatted(what, kept, least));
    }
  }

  /** How long what is kept in this way is. */
  public Optional<Duration> of(Kept kept) {
    return switch (kept) {
      case CONTENTS -> keep;
      case IDS -> keep.map(any -> ids);
    };
  }
}
