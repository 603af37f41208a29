package dev.sequitur.protocol.room;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Which of what has ended goes now, and what holds the rest (ROM-1 to ROM-6). */
public final class Room {
  private final RoomPolicy policy;

  public Room(RoomPolicy policy) {
    this.policy = policy;
  }

  /** What is kept of a transaction that has ended, each for a time of its own. */
  public enum Kept {
    /** All of it: what was sent, what came of it, and the contents of the states that it spent. */
    CONTENTS,
    /** That it was: its id, its idempotency key, and whether it succeeded. */
    IDS
  }

  /**
   * What is left of a transaction once its contents are forgotten.
   *
   * @param contract as its receipt named it
   * @param own whether this node had accepted it
   * @param success as the receipt that held said
   * @param ended when that was
   */
  public record Forgotten(
      TransactionId transaction,
      ContractAddress contract,
      boolean own,
      boolean success,
      Instant ended) {}

  /**
   * One of what is kept, in the order in which it ended.
   *
   * @param number of its receipt
   * @param ended when
   * @param awaited whether a transaction without a receipt names it in `dependsOn`
   */
  public record Row(long number, Instant ended, boolean awaited) {}

  /**
   * What else counts.
   *
   * @param taken the highest number up to which all receipt listeners have taken everything
   * @param readAgain whether the ledger is being read again, since blocks were replaced
   */
  public record Situation(Instant now, long taken, boolean readAgain) {}

  /** What the first row that stays is kept by. */
  public enum Stop {
    /** Nothing: there is no more. */
    NONE("nothing more has ended"),
    /** It has not been there for long enough, or nothing is ever forgotten. */
    YOUNG("what comes next is not old enough"),
    /** A listener has not taken it. */
    UNREAD("a receipt listener has not taken what comes next"),
    /** Its receipt may have to be corrected. */
    READ_AGAIN("the ledger is being read again"),
    /** A transaction that is open has to learn how it ended. */
    AWAITED("a transaction that is open waits for what comes next");

    private final String sentence;

    Stop(String sentence) {
      this.sentence = sentence;
    }

    /** As a part of a sentence. */
    public String sentence() {
      return sentence;
    }
  }

  /**
   * Where to cut.
   *
   * @param rows how many go, from the first on
   * @param stop why no more do
   */
  public record Cut(int rows, Stop stop) {}

  /**
   * Rows go in their order, so that nobody ever looks for what was left between: the first that
   * stays holds all that come after it.
   *
   * @param rows the oldest that are kept in this way, by their numbers
   */
  public Cut cut(Kept kept, List<Row> rows, Situation now) {
    var time = policy.of(kept);
    if (time.isEmpty()) {
      return new Cut(0, Stop.YOUNG);
    }
    for (int i = 0; i < rows.size(); i++) {
      var stop = stop(kept, rows.get(i), time.get(), now);
      if (stop != Stop.NONE) {
        return new Cut(i, stop);
      }
    }
    return new Cut(rows.size(), Stop.NONE);
  }

  private Stop stop(Kept kept, Row row, Duration time, Situation now) {
    if (now.readAgain()) {
      return Stop.READ_AGAIN;
    }
    if (isYounger(row, time, now)) {
      return Stop.YOUNG;
    }
    return switch (kept) {
      case CONTENTS -> isHeldForListeners(row, now) ? Stop.UNREAD : Stop.NONE;
      case IDS -> row.awaited() ? Stop.AWAITED : Stop.NONE;
    };
  }

  /** For how long a row has been old enough to go; zero if it is not. */
  public Duration overdue(Kept kept, Row row, Situation now) {
    var since =
        policy
            .of(kept)
            .map(time -> Duration.between(row.ended().plus(time), now.now()))
            .orElse(Duration.ZERO);
    return since.isNegative() ? Duration.ZERO : since;
  }

  private boolean isHeldForListeners(Row row, Situation now) {
    return row.number() > now.taken()
        && policy.unread().map(longest -> isYounger(row, longest, now)).orElse(true);
  }

  private static boolean isYounger(Row row, Duration time, Situation now) {
    return row.ended().plus(time).isAfter(now.now());
  }
}
