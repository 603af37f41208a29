package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.submitter.CarrierState.FILLING;
import static dev.sequitur.protocol.submitter.CarrierState.POOLED;
import static dev.sequitur.protocol.submitter.CarrierState.READY;
import static dev.sequitur.protocol.submitter.CarrierState.UNFUNDED;
import static dev.sequitur.protocol.submitter.CarrierState.USED;
import static dev.sequitur.protocol.submitter.PublicState.CARRIED;
import static dev.sequitur.protocol.submitter.PublicState.WAITING;
import static dev.sequitur.protocol.submitter.SubmissionState.ACCEPTED;
import static dev.sequitur.protocol.submitter.SubmissionState.FULFILLED;
import static dev.sequitur.protocol.submitter.SubmissionState.REFUSED;
import static dev.sequitur.protocol.submitter.SubmissionState.REVERTED;
import static dev.sequitur.protocol.submitter.SubmissionState.STORED;

import dev.sequitur.protocol.submitter.SubmitterStep.Action;
import dev.sequitur.protocol.submitter.SubmitterStep.CarrierAction;
import dev.sequitur.protocol.submitter.SubmitterStep.PublicAction;
import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/**
 * The submitter's state machines as tables: of one dispatch, and of one base-ledger transaction,
 * which carries some of them. What their rows do is in Submitting.
 */
public final class SubmitterTable {
  private static final Set<SubmissionState> LIVE = EnumSet.of(ACCEPTED, STORED, REFUSED);
  private static final Set<SubmissionState> FINAL = EnumSet.of(FULFILLED, REVERTED);
  private static final Set<PublicState> OVER = EnumSet.of(PublicState.ENDED, PublicState.TOLD);
  private static final Set<PublicState> ENDING =
      EnumSet.of(PublicState.REFUSED, PublicState.ENDED, PublicState.TOLD);
  private static final Set<CarrierState> GONE = EnumSet.of(USED);
  private static final Set<CarrierState> CARRYING = EnumSet.of(READY, UNFUNDED, POOLED);

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
          .move(LIVE, SubmissionEvent.FULFILLED, FULFILLED, "dropped")
          .ignore(FINAL, SubmissionEvent.FULFILLED, "seen before")
          .move(
              LIVE,
              SubmissionEvent.REVERTED,
              REVERTED,
              Submitting::onReverted,
              "TransactionReverted")
          .ignore(FINAL, SubmissionEvent.REVERTED, "seen before")
          .move(
              LIVE,
              SubmissionEvent.OVERTAKEN,
              REVERTED,
              Submitting::onOvertaken,
              "its sender sees the confirmation (SUB-4)")
          .ignore(FINAL, SubmissionEvent.OVERTAKEN, "seen before")
          .move(
              STORED,
              SubmissionEvent.INVALID,
              REFUSED,
              Submitting::refuse,
              "its nonce is used by nothing")
          .impossible(EnumSet.of(ACCEPTED), SubmissionEvent.INVALID, "not submitted yet")
          .ignore(
              EnumSet.of(REFUSED, FULFILLED, REVERTED), SubmissionEvent.INVALID, "a late answer")
          .move(
              EnumSet.of(ACCEPTED, STORED),
              SubmissionEvent.NONCE_TAKEN,
              REVERTED,
              Submitting::tellReverted,
              "TransactionReverted")
          .move(
              REFUSED,
              SubmissionEvent.NONCE_TAKEN,
              REVERTED,
              Submitting::tellRefused,
              "TransactionReverted")
          .ignore(FINAL, SubmissionEvent.NONCE_TAKEN, "a late answer")
          .build();

  public static final TransitionTable<PublicState, PublicEvent, PublicAction> PUBLIC =
      TransitionTable.<PublicState, PublicEvent, PublicAction>of(
              "public transaction",
              PublicState.class,
              PublicEvent.class,
              (step, before, outcome) -> {})
          .move(WAITING, PublicEvent.PACKED, CARRIED, "has a nonce")
          .impossible(
              EnumSet.complementOf(EnumSet.of(WAITING)), PublicEvent.PACKED, "has one already")
          .impossible(EnumSet.of(WAITING), PublicEvent.INVALID, "not submitted yet")
          .move(
              CARRIED,
              PublicEvent.INVALID,
              PublicState.REFUSED,
              PublicSubmitting::refuse,
              "its nonce is used by nothing")
          .ignore(ENDING, PublicEvent.INVALID, "a late answer")
          .impossible(EnumSet.of(WAITING), PublicEvent.EXECUTED, "not submitted yet")
          .move(
              EnumSet.of(CARRIED, PublicState.REFUSED),
              PublicEvent.EXECUTED,
              PublicState.ENDED,
              PublicSubmitting::execute,
              "its receipt is stored")
          .ignore(OVER, PublicEvent.EXECUTED, "seen before")
          .impossible(EnumSet.of(WAITING), PublicEvent.NONCE_TAKEN, "has none")
          .move(
              CARRIED,
              PublicEvent.NONCE_TAKEN,
              WAITING,
              PublicSubmitting::carryAnew,
              "was never carried out: gets another nonce")
          .move(
              PublicState.REFUSED,
              PublicEvent.NONCE_TAKEN,
              PublicState.ENDED,
              PublicSubmitting::endRefused,
              "its receipt is stored")
          .ignore(OVER, PublicEvent.NONCE_TAKEN, "seen before")
          .impossible(
              EnumSet.of(WAITING, CARRIED, PublicState.REFUSED),
              PublicEvent.RECEIPT_STORED,
              "has none")
          .move(PublicState.ENDED, PublicEvent.RECEIPT_STORED, PublicState.TOLD, "forgotten")
          .ignore(EnumSet.of(PublicState.TOLD), PublicEvent.RECEIPT_STORED, "a repeated answer")
          .build();

  public static final TransitionTable<CarrierState, CarrierEvent, CarrierAction>
      LEDGER_TRANSACTION =
          TransitionTable.<CarrierState, CarrierEvent, CarrierAction>of(
                  "base-ledger transaction",
                  CarrierState.class,
                  CarrierEvent.class,
                  (step, carrier, answer) -> {})
              .move(
                  EnumSet.of(READY, UNFUNDED),
                  CarrierEvent.POOLED,
                  POOLED,
                  Submitting::onCarryingPooled,
                  "named in heartbeats")
              .move(
                  POOLED, CarrierEvent.POOLED, POOLED, Submitting::onPooled, "named in heartbeats")
              .move(
                  FILLING,
                  CarrierEvent.POOLED,
                  FILLING,
                  Submitting::onPooled,
                  "waits for its block")
              .ignore(GONE, CarrierEvent.POOLED, "a late answer")
              .move(
                  CARRYING,
                  CarrierEvent.NOT_POOLED,
                  READY,
                  Submitting::tryLater,
                  "after a back-off")
              .move(
                  FILLING,
                  CarrierEvent.NOT_POOLED,
                  FILLING,
                  Submitting::tryLater,
                  "after a back-off")
              .ignore(GONE, CarrierEvent.NOT_POOLED, "a late answer")
              .move(
                  CARRYING,
                  CarrierEvent.UNFUNDED,
                  UNFUNDED,
                  Submitting::waitForMoney,
                  "waits for gas money, after a back-off")
              .move(
                  FILLING,
                  CarrierEvent.UNFUNDED,
                  FILLING,
                  Submitting::waitForMoney,
                  "waits for gas money, after a back-off")
              .ignore(GONE, CarrierEvent.UNFUNDED, "a late answer")
              .move(POOLED, CarrierEvent.OVERDUE, READY, Submitting::raise, "at a higher price")
              .move(
                  FILLING,
                  CarrierEvent.OVERDUE,
                  FILLING,
                  Submitting::raiseFiller,
                  "at a higher price")
              .ignore(EnumSet.of(READY, UNFUNDED, USED), CarrierEvent.OVERDUE, "not pooled")
              .move(POOLED, CarrierEvent.LOST, READY, Submitting::submitAgain, "at the same price")
              .move(FILLING, CarrierEvent.LOST, FILLING, Submitting::fillAgain, "at the same price")
              .ignore(EnumSet.of(READY, UNFUNDED, USED), CarrierEvent.LOST, "not pooled")
              .move(
                  CARRYING,
                  CarrierEvent.INVALID,
                  FILLING,
                  Submitting::abandon,
                  "what it carried goes on one by one; alone, it ends with its nonce")
              .move(
                  FILLING, CarrierEvent.INVALID, FILLING, Submitting::tryLater, "after a back-off")
              .ignore(GONE, CarrierEvent.INVALID, "a late answer")
              .move(
                  EnumSet.complementOf(EnumSet.of(USED)),
                  CarrierEvent.USED,
                  USED,
                  "each dispatch has its own end")
              .ignore(GONE, CarrierEvent.USED, "seen before")
              .build();

  private SubmitterTable() {}
}
