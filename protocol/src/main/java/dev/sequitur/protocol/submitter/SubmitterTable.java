package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.submitter.SubmissionState.ACCEPTED;
import static dev.sequitur.protocol.submitter.SubmissionState.FULFILLED;
import static dev.sequitur.protocol.submitter.SubmissionState.REVERTED;
import static dev.sequitur.protocol.submitter.SubmissionState.SUBMITTED;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** The submitter's state machine of one dispatch as a table. */
public final class SubmitterTable {
  private static final Set<SubmissionState> LIVE = EnumSet.of(ACCEPTED, SUBMITTED);
  private static final Set<SubmissionState> FINAL = EnumSet.of(FULFILLED, REVERTED);

  public static final TransitionTable<SubmissionState, SubmissionEvent> DISPATCH =
      TransitionTable.of("dispatch", SubmissionState.class, SubmissionEvent.class)
          .move(LIVE, SubmissionEvent.POOLED, SUBMITTED, "named in heartbeats")
          .ignore(FINAL, SubmissionEvent.POOLED, "a late answer")
          .move(LIVE, SubmissionEvent.NOT_POOLED, ACCEPTED, "after a back-off")
          .ignore(FINAL, SubmissionEvent.NOT_POOLED, "a late answer")
          .move(SUBMITTED, SubmissionEvent.OVERDUE, ACCEPTED, "at a higher price")
          .ignore(EnumSet.of(ACCEPTED, FULFILLED, REVERTED), SubmissionEvent.OVERDUE, "not pooled")
          .move(LIVE, SubmissionEvent.FULFILLED, FULFILLED, "dropped")
          .ignore(FINAL, SubmissionEvent.FULFILLED, "seen before")
          .move(LIVE, SubmissionEvent.REVERTED, REVERTED, "TransactionReverted")
          .ignore(FINAL, SubmissionEvent.REVERTED, "seen before")
          .move(LIVE, SubmissionEvent.UNUSABLE, REVERTED, "TransactionReverted")
          .ignore(FINAL, SubmissionEvent.UNUSABLE, "a late answer")
          .build();

  private SubmitterTable() {}
}
