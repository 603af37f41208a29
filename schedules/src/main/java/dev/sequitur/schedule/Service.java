package dev.sequitur.schedule;

import java.util.Locale;
import java.util.Optional;

/** Whether a queue serves a family. */
public enum Service {
  /** Takes schedules and runs them. */
  ACTIVE,
  /** Runs none, and takes none but recurring ones (REC-10); what waits can be cancelled. */
  PAUSED,
  /** Ends what waits, so many in each block, with its money back; then awaits what is out. */
  SHUTTING_DOWN,
  /** Nothing is left; it may be started again. */
  SHUT_DOWN;

  /**
   * Why it cannot become {@code to} from here: a sentence for who asked.
   *
   * @param nothingWaits whether nothing of the family waits, so that it awaits what is out at most
   */
  public Optional<String> cannotBecome(Service to, boolean nothingWaits) {
    if (this == to || (this == SHUT_DOWN && to == SHUTTING_DOWN)) {
      return Optional.of("It is " + words() + " already.");
    }
    return switch (this) {
      case ACTIVE, PAUSED -> Optional.empty();
      case SHUTTING_DOWN ->
          to == ACTIVE && nothingWaits
              ? Optional.empty()
              : Optional.of(
                  to == ACTIVE
                      ? "It is shutting down, and some of it still waits for its end: resume it in"
                          + " a moment."
                      : "It is shutting down: resume it first, once nothing of it waits.");
      case SHUT_DOWN ->
          to == ACTIVE ? Optional.empty() : Optional.of("It is shut down: resume it first.");
    };
  }

  /** As a sentence has it. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
