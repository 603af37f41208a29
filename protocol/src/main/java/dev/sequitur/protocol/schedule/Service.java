package dev.sequitur.protocol.schedule;

import java.util.Locale;

/** Whether a queue serves a family. */
public enum Service {
  /** Takes schedules and runs them. */
  ACTIVE,
  /** Takes none and runs none; what waits stays, and can be cancelled. */
  PAUSED,
  /** Ends what waits, so many in each block, with its money back. */
  SHUTTING_DOWN,
  /** Nothing is left; it may be started again. */
  SHUT_DOWN;

  /** Why it cannot become {@code to} from here: a sentence for who asked. */
  public String cannotBecome(Service to) {
    return switch (this) {
      case ACTIVE, PAUSED -> "It is " + words() + " already.";
      case SHUTTING_DOWN -> "It is shutting down: wait until it has, then resume it.";
      case SHUT_DOWN ->
          to == SHUTTING_DOWN ? "It is shut down already." : "It is shut down: resume it first.";
    };
  }

  /** As a sentence has it. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
