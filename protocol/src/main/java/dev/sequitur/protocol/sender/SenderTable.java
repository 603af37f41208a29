package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.sender.TransactionState.ASSEMBLING;
import static dev.sequitur.protocol.sender.TransactionState.CONFIRMED;
import static dev.sequitur.protocol.sender.TransactionState.DELEGATED;
import static dev.sequitur.protocol.sender.TransactionState.DELEGATING;
import static dev.sequitur.protocol.sender.TransactionState.DISPATCHED;
import static dev.sequitur.protocol.sender.TransactionState.PARKED;
import static dev.sequitur.protocol.sender.TransactionState.PENDING;
import static dev.sequitur.protocol.sender.TransactionState.PREPARED;
import static dev.sequitur.protocol.sender.TransactionState.REVERTED;

import dev.sequitur.protocol.sender.SenderStep.Action;
import dev.sequitur.protocol.table.TransitionTable;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SND-1 as a table. Where a message comes with a content, its receiver goes on with that after the
 * move; all else that an event leads to is its row's.
 */
public final class SenderTable {
  private static final Set<TransactionState> FINAL = EnumSet.of(CONFIRMED, REVERTED);
  private static final Set<TransactionState> LIVE = EnumSet.complementOf(EnumSet.copyOf(FINAL));
  private static final Set<TransactionState> AT_COORDINATOR =
      EnumSet.of(DELEGATING, DELEGATED, ASSEMBLING);
  private static final Set<TransactionState> GRANTED = EnumSet.of(PREPARED, DISPATCHED);

  public static final TransitionTable<TransactionState, TransactionEvent, Action> TRANSACTION =
      table();

  private SenderTable() {}

  /** A row that moves, without what it does. */
  public record Move(
      TransactionState from, TransactionEvent event, TransactionState to, String note) {}

  /** Every way from a state to another, in the order of the states. */
  public static List<Move> moves() {
    return TRANSACTION.rows().stream()
        .filter(row -> row.kind() == TransitionTable.Kind.MOVE)
        .map(row -> new Move(row.state(), row.event(), row.next(), row.note()))
        .toList();
  }

  private static TransitionTable<TransactionState, TransactionEvent, Action> table() {
    return TransitionTable.<TransactionState, TransactionEvent, Action>of(
            "sender's transaction",
            TransactionState.class,
            TransactionEvent.class,
            (step, transaction, what) -> {})
        .move(PENDING, TransactionEvent.DELEGATE, DELEGATING, "DelegationCommand")
        .impossible(except(PENDING), TransactionEvent.DELEGATE, "only what is pending is delegated")
        .move(DELEGATING, TransactionEvent.DELEGATION_ACCEPTED, DELEGATED, "heartbeats expected")
        .ignore(except(DELEGATING), TransactionEvent.DELEGATION_ACCEPTED, "a repeated answer")
        .move(DELEGATING, TransactionEvent.DELEGATION_REJECTED, PENDING, "as the reason says")
        .ignore(except(DELEGATING), TransactionEvent.DELEGATION_REJECTED, "a late answer")
        .move(DELEGATING, TransactionEvent.DELEGATION_TIMEOUT, PENDING, "the next of the ranking")
        .ignore(except(DELEGATING), TransactionEvent.DELEGATION_TIMEOUT, "it went on")
        .move(
            EnumSet.of(DELEGATING, DELEGATED, ASSEMBLING, PREPARED),
            TransactionEvent.ASSEMBLE_REQUESTED,
            ASSEMBLING,
            "by the active delegate")
        .ignore(
            EnumSet.of(PENDING, PARKED, DISPATCHED, CONFIRMED, REVERTED),
            TransactionEvent.ASSEMBLE_REQUESTED,
            "AssembleError")
        .move(ASSEMBLING, TransactionEvent.ASSEMBLED, DELEGATED, "AssembleResponse")
        .ignore(except(ASSEMBLING), TransactionEvent.ASSEMBLED, "it went on")
        .move(
            ASSEMBLING,
            TransactionEvent.ASSEMBLE_FAILED,
            PENDING,
            Ending::failAttempt,
            "after a back-off (SND-4)")
        .ignore(except(ASSEMBLING), TransactionEvent.ASSEMBLE_FAILED, "it went on")
        .move(
            ASSEMBLING,
            TransactionEvent.PARK,
            PARKED,
            Ending::park,
            "until a call or a timer (SND-5)")
        .ignore(except(ASSEMBLING), TransactionEvent.PARK, "it went on")
        .move(PARKED, TransactionEvent.RESUME, PENDING, Ending::resume, "delegated again")
        .ignore(except(PARKED), TransactionEvent.RESUME, "it is not parked")
        .move(LIVE, TransactionEvent.REVERT, REVERTED, Ending::tellReverted, "the caller is told")
        .ignore(FINAL, TransactionEvent.REVERT, "it has ended")
        .move(AT_COORDINATOR, TransactionEvent.COORDINATOR_LOST, PENDING, "delegated anew")
        .ignore(
            EnumSet.complementOf(EnumSet.copyOf(AT_COORDINATOR)),
            TransactionEvent.COORDINATOR_LOST,
            "no coordinator has it")
        .move(
            EnumSet.of(DELEGATING, DELEGATED, PREPARED),
            TransactionEvent.DISPATCH_GRANTED,
            PREPARED,
            "DispatchConfirmationResponse")
        .ignore(
            EnumSet.of(PENDING, PARKED, ASSEMBLING, DISPATCHED, CONFIRMED, REVERTED),
            TransactionEvent.DISPATCH_GRANTED,
            "granted before, or not at all")
        .move(
            EnumSet.of(PENDING, PARKED, DELEGATING, DELEGATED, ASSEMBLING),
            TransactionEvent.PREPARED_RECEIVED,
            PREPARED,
            "the caller submits it (EXT-1)")
        .ignore(
            EnumSet.of(PREPARED, DISPATCHED, CONFIRMED, REVERTED),
            TransactionEvent.PREPARED_RECEIVED,
            "stored before, or it has ended")
        .move(
            EnumSet.of(PENDING, PARKED, DELEGATING, DELEGATED, ASSEMBLING, PREPARED),
            TransactionEvent.DISPATCHED,
            DISPATCHED,
            "submitter heartbeats expected")
        .ignore(EnumSet.of(DISPATCHED), TransactionEvent.DISPATCHED, "a heartbeat as expected")
        .ignore(FINAL, TransactionEvent.DISPATCHED, "it has ended")
        .move(GRANTED, TransactionEvent.SUBMITTER_LOST, PENDING, "delegated anew (SUB-6)")
        .ignore(
            EnumSet.complementOf(EnumSet.copyOf(GRANTED)),
            TransactionEvent.SUBMITTER_LOST,
            "no submitter is expected")
        .move(
            AT_COORDINATOR,
            TransactionEvent.SUBMISSION_REVERTED,
            PENDING,
            Ending::refused,
            "after a longer back-off: a coordinator gives up only because endorsers refuse (EDR-5)")
        .move(
            GRANTED,
            TransactionEvent.SUBMISSION_REVERTED,
            PENDING,
            Ending::failAttempt,
            "after a back-off (SUB-4)")
        .ignore(
            EnumSet.of(PENDING, PARKED, CONFIRMED, REVERTED),
            TransactionEvent.SUBMISSION_REVERTED,
            "of an earlier dispatch")
        .move(LIVE, TransactionEvent.CONFIRMED, CONFIRMED, "by the base ledger")
        .move(REVERTED, TransactionEvent.CONFIRMED, CONFIRMED, "a late confirmation wins (CNF-2)")
        .ignore(EnumSet.of(CONFIRMED), TransactionEvent.CONFIRMED, "seen before")
        .build();
  }

  /** The step that is done when a transaction is moved out of this state by this event. */
  static Optional<TransactionStep> ends(TransactionState from, TransactionEvent event) {
    return Optional.ofNullable(
        switch (event) {
          case DELEGATION_ACCEPTED -> TransactionStep.DELEGATED;
          // The request may come before the answer to the delegation.
          case ASSEMBLE_REQUESTED -> from == DELEGATING ? TransactionStep.DELEGATED : null;
          case ASSEMBLED -> TransactionStep.ASSEMBLED;
          case DISPATCH_GRANTED -> from == PREPARED ? null : TransactionStep.ENDORSED;
          case PREPARED_RECEIVED -> TransactionStep.ENDORSED;
          case DISPATCHED -> TransactionStep.DISPATCHED;
          case CONFIRMED -> TransactionStep.CONFIRMED;
          case DELEGATE,
              DELEGATION_REJECTED,
              DELEGATION_TIMEOUT,
              ASSEMBLE_FAILED,
              PARK,
              RESUME,
              REVERT,
              COORDINATOR_LOST,
              SUBMITTER_LOST,
              SUBMISSION_REVERTED ->
              null;
        });
  }

  private static Set<TransactionState> except(TransactionState state) {
    return EnumSet.complementOf(EnumSet.of(state));
  }
}
