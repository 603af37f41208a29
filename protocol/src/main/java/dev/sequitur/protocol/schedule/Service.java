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

  /** As a sentence has it. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
