package dev.sequitur.domain;

import java.util.function.Supplier;

/**
 * What a domain is given breaks one of its rules. The message is for people, says what to do, and
 * holds no private data. Without a stack trace: it is thrown at whatever a stranger may send.
 */
public final class RuleViolation extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final Lasts lasts;

  /** How long it stays wrong. */
  public enum Lasts {
    ALWAYS,
    /** It may be right upon later states. */
    NOW,
    /** It may be right if what else of its sender is under way changes what that has. */
    WHILE_SENDER_LACKS,
    /** It may be right once a transaction that is in flight has ended. */
    WHILE_TAKEN
  }

  private RuleViolation(String message, Lasts lasts) {
    super(message, null, false, false);
    this.lasts = lasts;
  }

  /** It will never be right. */
  public RuleViolation(String message) {
    this(message, Lasts.ALWAYS);
  }

  /** It is right, but not upon these states: upon later ones it may be. */
  public static RuleViolation now(String message) {
    return new RuleViolation(message, Lasts.NOW);
  }

  /** What its sender has does not suffice. */
  public static RuleViolation lacking(String message) {
    return new RuleViolation(message, Lasts.WHILE_SENDER_LACKS);
  }

  /** Another transaction in flight has what is needed. */
  public static RuleViolation taken(String message) {
    return new RuleViolation(message, Lasts.WHILE_TAKEN);
  }

  public Lasts lasts() {
    return lasts;
  }

  public static void unless(boolean rule, String message) {
    if (!rule) {
      throw new RuleViolation(message);
    }
  }

  /** For a sentence that takes time to make: nearly every check passes. */
  public static void unless(boolean rule, Supplier<String> message) {
    if (!rule) {
      throw new RuleViolation(message.get());
    }
  }
}
