package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;

/**
 * What somebody did to one schedule beside what it does by itself (SCH-26).
 *
 * @param occurrence the present one when it was done
 * @param note why, as who did it has written; empty if it was not said
 */
public record Intervention(
    Kind kind, AccountId by, ConsensusTime at, long occurrence, String note) {
  /** Of a note: as many characters. */
  public static final int LONGEST_NOTE = 200;

  /** What can be done. */
  public enum Kind {
    /** It does not run until it is resumed. What has begun goes on to its outcome. */
    PAUSE("paused", "Paused"),
    /** It goes on after a pause, or after it was parked. */
    RESUME("resumed", "Resumed"),
    /** Its present occurrence runs at once. */
    RUN_NOW("run now", "Run now"),
    /** Its present occurrence does not run, and the one after it is next. */
    SKIP_NEXT("made to skip its next time", "Skipped"),
    /** What it runs, when, or how, is other than it was. */
    CHANGE("changed", "Changed"),
    /** It runs again for past times. */
    BACK_FILL("back-filled", "Back-filled");

    private final String passive;
    private final String done;

    Kind(String passive, String done) {
      this.passive = passive;
      this.done = done;
    }

    /** What a schedule cannot be, when it is refused. */
    public String passive() {
      return passive;
    }
  }

  /**
   * @throws IllegalArgumentException if a note is too long
   */
  public static void check(String note) {
    if (note.length() > LONGEST_NOTE) {
      throw new IllegalArgumentException("A note has at most " + LONGEST_NOTE + " characters.");
    }
  }

  /** Who did it, and why: a sentence. */
  public String sentence() {
    return kind.done + " by " + by + (note.isEmpty() ? "." : ": " + ended(note));
  }

  private static String ended(String text) {
    return text.endsWith(".") || text.endsWith("!") || text.endsWith("?") ? text : text + ".";
  }
}
