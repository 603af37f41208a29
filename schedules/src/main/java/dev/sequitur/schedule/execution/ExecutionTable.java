package dev.sequitur.schedule.execution;

import static dev.sequitur.schedule.execution.ExecutionState.DUE;
import static dev.sequitur.schedule.execution.ExecutionState.FAILED;
import static dev.sequitur.schedule.execution.ExecutionState.SETTLED;
import static dev.sequitur.schedule.execution.ExecutionState.STARTED;
import static dev.sequitur.schedule.execution.ExecutionState.SUBMITTED;
import static dev.sequitur.schedule.execution.ExecutionState.SUCCEEDED;

import dev.sequitur.protocol.table.TransitionTable;
import dev.sequitur.schedule.Conclusion;
import java.util.EnumSet;
import java.util.Set;

/** Due, Started, Submitted, Succeeded or Failed, Settled: as a table. */
public final class ExecutionTable {
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

  private static final Set<ExecutionState> OUT = EnumSet.of(STARTED, SUBMITTED);
  private static final Set<ExecutionState> CONCLUDED = EnumSet.of(SUCCEEDED, FAILED, SETTLED);
  private static final Set<ExecutionState> OPEN = EnumSet.of(DUE, STARTED, SUBMITTED);

  public static final TransitionTable<ExecutionState, ExecutionEvent, Void> EXECUTION =
      TransitionTable.of("execution", ExecutionState.class, ExecutionEvent.class)
          .move(DUE, ExecutionEvent.START, STARTED, "stored before it is handed over")
          .impossible(EnumSet.complementOf(EnumSet.of(DUE)), ExecutionEvent.START, "started before")
          .move(STARTED, ExecutionEvent.SUBMIT, SUBMITTED, "taken over")
          .ignore(EnumSet.of(SUBMITTED), ExecutionEvent.SUBMIT, "a repeated answer")
          .ignore(CONCLUDED, ExecutionEvent.SUBMIT, "a late answer")
          .ignore(EnumSet.of(DUE), ExecutionEvent.SUBMIT, "of an earlier attempt")
          .move(OUT, ExecutionEvent.SUCCEED, SUCCEEDED, "the outcome is known")
          .ignore(CONCLUDED, ExecutionEvent.SUCCEED, "a repeated answer")
          .ignore(EnumSet.of(DUE), ExecutionEvent.SUCCEED, "of an earlier attempt")
          .move(OUT, ExecutionEvent.FAIL, FAILED, "the outcome is known")
          .ignore(CONCLUDED, ExecutionEvent.FAIL, "a repeated answer")
          .ignore(EnumSet.of(DUE), ExecutionEvent.FAIL, "of an earlier attempt")
          .move(FAILED, ExecutionEvent.RETRY, DUE, "after a back-off, under another key")
          .impossible(
              EnumSet.complementOf(EnumSet.of(FAILED)), ExecutionEvent.RETRY, "nothing failed")
          .move(EnumSet.of(SUCCEEDED, FAILED), ExecutionEvent.SETTLE, SETTLED, "once")
          .impossible(OPEN, ExecutionEvent.SETTLE, "the outcome is not known")
          .impossible(EnumSet.of(SETTLED), ExecutionEvent.SETTLE, "settled before")
          .build();

  private ExecutionTable() {}
}
