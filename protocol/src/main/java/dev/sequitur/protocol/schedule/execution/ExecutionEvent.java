package dev.sequitur.protocol.schedule.execution;

import dev.sequitur.protocol.schedule.Conclusion;

/** What happens to an occurrence that runs. */
public enum ExecutionEvent {
  /** It is stored that this attempt runs, before anything is handed over. */
  START,
  /** Whoever runs it has it. */
  SUBMIT,
  /** The attempt succeeded. */
  SUCCEED,
  /** The attempt failed for good. */
  FAIL,
  /** Another attempt is to follow. */
  RETRY,
  /** The outcome is recorded. */
  SETTLE;

  /** What an attempt's end is to its occurrence. */
  public static ExecutionEvent of(Conclusion conclusion) {
    return switch (conclusion) {
      case Conclusion.Succeeded ignored -> SUCCEED;
      case Conclusion.Failed ignored -> FAIL;
    };
  }
}
