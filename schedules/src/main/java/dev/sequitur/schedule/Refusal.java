package dev.sequitur.schedule;

import java.util.Optional;

/**
 * Why a command changed nothing.
 *
 * @param status what the family's own specification calls it, where it has a name for it
 * @param sentence says what to do, without private data
 */
public record Refusal(Code code, Optional<String> status, String sentence) {
  public Refusal(Code code, String sentence) {
    this(code, Optional.empty(), sentence);
  }

  /** The same, telling more. */
  public Refusal and(String more) {
    return new Refusal(code, status, sentence + " " + more);
  }

  /** By which a caller can tell them apart. */
  public enum Code {
    /** The family is paused, shutting down or shut down. */
    SERVICE_NOT_ACTIVE,
    /** Whoever signed may not do this. */
    NOT_ALLOWED,
    /** Its time is not after the current tick or slot. */
    TIME_NOT_IN_FUTURE,
    /** A time is not on a slot's boundary, too far away, or there are too few or too many. */
    BAD_TIME,
    /** The price is below the least. */
    PRICE_TOO_LOW,
    /** It carries too much. */
    TOO_LARGE,
    /** The same is scheduled already. */
    DUPLICATE,
    /** A slot has no room. */
    SLOT_FULL,
    /** An amount is more than 2^63 - 1. */
    OVERFLOW,
    /** The account has too little. */
    INSUFFICIENT_BALANCE,
    /** There is no such schedule, or not any more. */
    UNKNOWN_SCHEDULE,
    /** There is no such account here. */
    UNKNOWN_ACCOUNT,
    /** It has been started, so it will have its outcome. */
    ALREADY_STARTED,
    /** Too many of these at once. */
    BUSY,
    /** What is sent is not just what is to be paid. */
    WRONG_PAYMENT,
    /** The token account has not approved so much. */
    NOT_APPROVED,
    /** No execution of the plan is left that could be scheduled. */
    NO_EXECUTION_LEFT,
    /** Its window has not begun, or has passed. */
    OUTSIDE_WINDOW,
    /** Less gas than a run needs, or than the plan promises. */
    TOO_LITTLE_GAS,
    /** It makes no sense in the present state. */
    BAD_STATE,
    /** Another command was taken under the same id. */
    COMMAND_REUSED
  }
}
