package dev.sequitur.schedule;

import java.time.Duration;

/** What becomes of an occurrence whose time has passed (SCH-18). */
public sealed interface LatePolicy {
  /** As the family's text has it. */
  LatePolicy AS_SPECIFIED = new AsSpecified();

  record AsSpecified() implements LatePolicy {}

  /** It is missed. */
  record Skip() implements LatePolicy {}

  /** Of those that are late, only the newest is run. */
  record RunOnce() implements LatePolicy {}

  /** Each is run, oldest first. */
  record RunAll() implements LatePolicy {}

  /** It is run if it is no later than this; else it is missed. */
  record RunWithin(Duration window) implements LatePolicy {
    public RunWithin {
      checkWindow(window);
    }
  }

  /** Of those that are late only the newest is run, if it is no later than this. */
  record RunOnceWithin(Duration window) implements LatePolicy {
    public RunOnceWithin {
      checkWindow(window);
    }
  }

  /** It expires, and what was paid for it goes back. */
  record ExpireAndRefund() implements LatePolicy {}

  private static void checkWindow(Duration window) {
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("A window is longer than nothing: " + window);
    }
  }

  /** Whether it says how late an occurrence may still run: that holds within a slot, too. */
  default boolean hasWindow() {
    return switch (this) {
      case RunWithin ignored -> true;
      case RunOnceWithin ignored -> true;
      case RunAll() -> false;
      case RunOnce() -> false;
      case Skip() -> false;
      case ExpireAndRefund() -> false;
      case AsSpecified() -> false;
    };
  }

  /**
   * @param specified what the family's text has, never {@link AsSpecified}
   */
  default LatePolicy or(LatePolicy specified) {
    return this instanceof AsSpecified ? specified : this;
  }

  /**
   * What becomes of one late occurrence.
   *
   * @param lateBy how long after its time
   * @param newest whether no later occurrence of its schedule is due too
   */
  default Verdict judge(Duration lateBy, boolean newest) {
    return switch (this) {
      case RunAll() -> Verdict.FIRE;
      case RunOnce() -> newest ? Verdict.FIRE : Verdict.MISS;
      case RunWithin(var window) -> lateBy.compareTo(window) <= 0 ? Verdict.FIRE : Verdict.MISS;
      case RunOnceWithin(var window) ->
          newest && lateBy.compareTo(window) <= 0 ? Verdict.FIRE : Verdict.MISS;
      case ExpireAndRefund() -> Verdict.EXPIRE;
      case Skip() -> Verdict.MISS;
      case AsSpecified() ->
          throw new IllegalStateException("Its family has not said what its text specifies.");
    };
  }
}
