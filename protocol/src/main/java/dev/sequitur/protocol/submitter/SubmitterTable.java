package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.submitter.SubmitterTable.CarrierState.FILLING;
import static dev.sequitur.protocol.submitter.SubmitterTable.CarrierState.POOLED;
import static dev.sequitur.protocol.submitter.SubmitterTable.CarrierState.READY;
import static dev.sequitur.protocol.submitter.SubmitterTable.CarrierState.UNFUNDED;
import static dev.sequitur.protocol.submitter.SubmitterTable.CarrierState.USED;
import static dev.sequitur.protocol.submitter.SubmitterTable.PublicState.CARRIED;
import static dev.sequitur.protocol.submitter.SubmitterTable.PublicState.WAITING;
import static dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState.ACCEPTED;
import static dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState.FULFILLED;
import static dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState.REFUSED;
import static dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState.REVERTED;
import static dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState.STORED;

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
  /** Where a dispatch stands, from the perspective of its submitter. */
  public enum SubmissionState {
    /**
     * Committed. What it makes is not known to be stored yet, and is on its way to the state store:
     * a state that stands on the ledger and that nobody has would be lost for good.
     */
    ACCEPTED,
    /** What it makes is stored: a base-ledger transaction may carry it. */
    STORED,
    /**
     * The pool will never take it, alone in a base-ledger transaction. Its nonce is being used,
     * unless a block has it after all, at a price that it was offered at before.
     */
    REFUSED,
    /** Its intent is on the base ledger. Final. */
    FULFILLED,
    /** The base ledger refused it, or its nonce went to something else. Final. */
    REVERTED;

    boolean isFinal() {
      return this == FULFILLED || this == REVERTED;
    }
  }

  /** What happens to a dispatch at its submitter. */
  public enum SubmissionEvent {
    /** The state store has what it makes. */
    OUTPUTS_STORED,
    /** A block fulfils its intent, by this dispatch or by another. */
    FULFILLED,
    /** A block holds it, reverted. */
    REVERTED,
    /** A block holds it, reverted since another dispatch of the same intent came first. */
    OVERTAKEN,
    /** The pool will never take it, alone in a base-ledger transaction. */
    INVALID,
    /** The nonce of what carries it is used by something else. */
    NONCE_TAKEN
  }

  /** Where a public transaction stands, from the perspective of its submitter. */
  public enum PublicState {
    /** Taken from the node store; nothing carries it. */
    WAITING,
    /** A base-ledger transaction is it, and may be in a block at any time. */
    CARRIED,
    /**
     * The pool will never take it. Its nonce is being used, unless it comes into a block after all.
     */
    REFUSED,
    /** Its end is known, and its receipt on its way to the node store. */
    ENDED,
    /** The node store has its receipt. Final. */
    TOLD
  }

  /** What happens to a public transaction at its submitter. */
  public enum PublicEvent {
    /** It has a nonce. */
    PACKED,
    /** The pool will never take it. */
    INVALID,
    /** A block holds it. */
    EXECUTED,
    /** A block holds something else of its nonce. */
    NONCE_TAKEN,
    /** It ends before it has a nonce. */
    DROPPED,
    /** The node store has its receipt. */
    RECEIPT_STORED
  }

  /** Where a base-ledger transaction stands, from the perspective of its submitter. */
  public enum CarrierState {
    /** Committed with its nonce; not in the ledger's pool, as far as is known. */
    READY,
    /** Its key has not the money for the gas that it may use. It is tried again. */
    UNFUNDED,
    /** In the ledger's pool. */
    POOLED,
    /**
     * The pool will never take what it carried, or its key has not what that sends along. Its nonce
     * is being used by a transaction that does nothing, since all later ones of the key wait behind
     * it.
     */
    FILLING,
    /** A block holds its nonce. Final. */
    USED
  }

  /** What happens to a base-ledger transaction at its submitter. */
  public enum CarrierEvent {
    /** The pool has it. */
    POOLED,
    /** The pool had no room, could not be reached, or wants a higher price: it is tried again. */
    NOT_POOLED,
    /** Its key has not the money for its gas: it is tried again. */
    UNFUNDED,
    /** The pool has it no more, and no block has it: it is submitted again. */
    LOST,
    /** It was pooled long ago and is in no block: it is submitted again. */
    OVERDUE,
    /** It can never be taken. */
    INVALID,
    /** Its key has not what it is to send along: it gives up its nonce. */
    UNPAID,
    /** A block holds its nonce, or the ledger has long said so. */
    USED
  }

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
          .move(
              WAITING,
              PublicEvent.EXECUTED,
              PublicState.ENDED,
              PublicSubmitting::execute,
              "a life with newer records has sent it (PUB-9)")
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
          .move(
              WAITING,
              PublicEvent.DROPPED,
              PublicState.ENDED,
              PublicSubmitting::drop,
              "its receipt is stored")
          .impossible(EnumSet.of(CARRIED, PublicState.REFUSED), PublicEvent.DROPPED, "has a nonce")
          .ignore(OVER, PublicEvent.DROPPED, "seen before")
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
                  UNFUNDED,
                  CarrierEvent.UNPAID,
                  FILLING,
                  PublicSubmitting::giveNonceUp,
                  "what it carried waits for what it sends along, and holds nobody")
              .ignore(
                  EnumSet.complementOf(EnumSet.of(UNFUNDED)), CarrierEvent.UNPAID, "not unfunded")
              .move(
                  EnumSet.complementOf(EnumSet.of(USED)),
                  CarrierEvent.USED,
                  USED,
                  "each dispatch has its own end")
              .ignore(GONE, CarrierEvent.USED, "seen before")
              .build();

  private SubmitterTable() {}
}
