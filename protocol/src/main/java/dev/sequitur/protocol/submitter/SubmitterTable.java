package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.submitter.SubmissionState.ACCEPTED;
import static dev.sequitur.protocol.submitter.SubmissionState.FILLING;
import static dev.sequitur.protocol.submitter.SubmissionState.FULFILLED;
import static dev.sequitur.protocol.submitter.SubmissionState.REVERTED;
import static dev.sequitur.protocol.submitter.SubmissionState.STORED;
import static dev.sequitur.protocol.submitter.SubmissionState.SUBMITTED;

import dev.sequitur.protocol.submitter.SubmitterStep.Action;
import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** The submitter's state machine of one dispatch as a table. What its rows do is in Submitting. */
public final class SubmitterTable {
  private static final Set<SubmissionState> LIVE = EnumSet.of(ACCEPTED, STORED, SUBMITTED);
  private static final Set<SubmissionState> UNTRIED = EnumSet.of(ACCEPTED);
  private static final Set<SubmissionState> HANDED_IN = EnumSet.of(STORED, SUBMITTED);
  private static final Set<SubmissionState> FINAL = EnumSet.of(FULFILLED, REVERTED);

  public static final TransitionTable<SubmissionState, SubmissionEvent, Action> DISPATCH =
      TransitionTable.<SubmissionState, SubmissionEvent, Action>of(
              "dispatch", SubmissionState.class, SubmissionEvent.class, (step, live, answer) -> {})
          .move(
              ACCEPTED,
              SubmissionEvent.OUTPUTS_STORED,
              STORED,
              Submitting::resetTries,
              "may be submitted")
          .ignore(
              EnumSet.complementOf(EnumSet.of(ACCEPTED)),
              SubmissionEvent.OUTPUTS_STORED,
              "a repeated answer")
          .move(
              STORED,
              SubmissionEvent.POOLED,
              SUBMITTED,
              Submitting::onFirstPooled,
              "named in heartbeats")
          .move(
              SUBMITTED,
              SubmissionEvent.POOLED,
              SUBMITTED,
              Submitting::onPooled,
              "named in heartbeats")
          .move(
              FILLING, SubmissionEvent.POOLED, FILLING, Submitting::onPooled, "waits for its block")
          .impossible(UNTRIED, SubmissionEvent.POOLED, "not submitted yet")
          .ignore(FINAL, SubmissionEvent.POOLED, "a late answer")
          .move(
              HANDED_IN,
              SubmissionEvent.NOT_POOLED,
              STORED,
              Submitting::tryLater,
              "after a back-off")
          .move(
              FILLING,
              SubmissionEvent.NOT_POOLED,
              FILLING,
              Submitting::tryLater,
              "after a back-off")
          .impossible(UNTRIED, SubmissionEvent.NOT_POOLED, "not submitted yet")
          .ignore(FINAL, SubmissionEvent.NOT_POOLED, "a late answer")
          .move(SUBMITTED, SubmissionEvent.OVERDUE, STORED, Submitting::raise, "at a higher price")
          .move(
              FILLING,
              SubmissionEvent.OVERDUE,
              FILLING,
              Submitting::raiseFiller,
              "at a higher price")
          .ignore(
              EnumSet.of(ACCEPTED, STORED, FULFILLED, REVERTED),
              SubmissionEvent.OVERDUE,
              "not pooled")
          .move(LIVE, SubmissionEvent.FULFILLED, FULFILLED, "dropped")
          .move(FILLING, SubmissionEvent.FULFILLED, FULFILLED, "taken after all")
          .ignore(FINAL, SubmissionEvent.FULFILLED, "seen before")
          .move(
              LIVE,
              SubmissionEvent.REVERTED,
              REVERTED,
              Submitting::onReverted,
              "TransactionReverted")
          .move(FILLING, SubmissionEvent.REVERTED, REVERTED, "told before")
          .ignore(FINAL, SubmissionEvent.REVERTED, "seen before")
          .move(
              LIVE,
              SubmissionEvent.OVERTAKEN,
              REVERTED,
              Submitting::onOvertaken,
              "its sender sees the confirmation (SUB-4)")
          .move(FILLING, SubmissionEvent.OVERTAKEN, REVERTED, "told before")
          .ignore(FINAL, SubmissionEvent.OVERTAKEN, "seen before")
          .move(
              HANDED_IN,
              SubmissionEvent.INVALID,
              FILLING,
              Submitting::abandon,
              "TransactionReverted")
          .move(FILLING, SubmissionEvent.INVALID, FILLING, Submitting::tryLater, "after a back-off")
          .impossible(UNTRIED, SubmissionEvent.INVALID, "not submitted yet")
          .ignore(FINAL, SubmissionEvent.INVALID, "a late answer")
          .move(
              LIVE,
              SubmissionEvent.NONCE_TAKEN,
              REVERTED,
              Submitting::tellReverted,
              "TransactionReverted")
          .move(FILLING, SubmissionEvent.NONCE_TAKEN, REVERTED, "nothing is left to fill")
          .ignore(FINAL, SubmissionEvent.NONCE_TAKEN, "a late answer")
          .build();

  private SubmitterTable() {}
}
