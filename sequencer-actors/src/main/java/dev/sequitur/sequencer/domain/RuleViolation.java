package dev.sequitur.sequencer.domain;

import java.util.function.Supplier;

/**
 * What a domain is given breaks one of its rules. The message is for people, says what to do, and
 * holds no private data. Without a stack trace: it is thrown at whatever a stranger may send.
 */
final class RuleViolation extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final boolean mayPass;

  private RuleViolation(String message, boolean mayPass) {
    super(message, null, false, false);
    this.mayPass = mayPass;
  }

  /** It will never be right. */
  RuleViolation(String message) {
    this(message, false);
  }

  /** It is right, but not upon these states: upon later ones it may be. */
  static RuleViolation now(String message) {
    return new RuleViolation(message, true);
  }

  boolean mayPass() {
    return mayPass;
  }

  static void unless(boolean rule, String message) {
    if (!rule) {
      throw new RuleViolation(message);
    }
  }

  /** For a sentence that takes time to make: nearly every check passes. */
  static void unless(boolean rule, Supplier<String> message) {
    if (!rule) {
      throw new RuleViolation(message.get());
    }
  }
}
