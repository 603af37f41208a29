package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.coordinator.CoordinatedState.ASSEMBLING;
import static dev.sequitur.protocol.coordinator.CoordinatedState.ATTESTATION;
import static dev.sequitur.protocol.coordinator.CoordinatedState.CONFIRMATION;
import static dev.sequitur.protocol.coordinator.CoordinatedState.DISPATCHED;
import static dev.sequitur.protocol.coordinator.CoordinatedState.DISTRIBUTED;
import static dev.sequitur.protocol.coordinator.CoordinatedState.GONE;
import static dev.sequitur.protocol.coordinator.CoordinatedState.QUEUED;

import dev.sequitur.protocol.coordinator.CoordinatorStep.Action;
import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The coordinator's state machines as tables. Where an answer comes with a content, its receiver
 * goes on with that after the move; all else that an event leads to is its row's.
 */
public final class CoordinatorTables {
  /** What a node does for one contract, as its coordinator. */
  public enum ContractMode {
    /** Coordinates nothing and sends nothing. */
    INACTIVE,
    /** Has accepted, and asks its own submitter what is dispatched and unconfirmed (RCV-2). */
    LOADING,
    /** Coordinates. */
    ACTIVE,
    /**
     * Its range has ended, or a better one lives: finishes only what the sender was asked about
     * (SWO-1).
     */
    DRAINING
  }

  /** What changes the mode of a contract's coordinator. */
  public enum ContractEvent {
    DELEGATION_ACCEPTED,
    DISPATCHES_LOADED,
    /** The range has ended with another coordinator, or a better one lives. */
    RANGE_LEFT,
    NOTHING_LEFT
  }

  private static final Set<CoordinatedState> LIVE = EnumSet.complementOf(EnumSet.of(GONE));
  private static final Set<CoordinatedState> DISPATCHES = EnumSet.of(DISPATCHED, DISTRIBUTED);
  private static final String KEPT = "the progress made is kept (DLG-9)";

  /** Of one transaction (ASM-8). */
  public static final TransitionTable<CoordinatedState, CoordinatedEvent, Action> TRANSACTION =
      transactionTable();

  /** Of the contract. */
  public static final TransitionTable<ContractMode, ContractEvent, Consumer<CoordinatorStep>>
      CONTRACT = contractTable();

  private CoordinatorTables() {}

  private static TransitionTable<CoordinatedState, CoordinatedEvent, Action> transactionTable() {
    var builder =
        TransitionTable.<CoordinatedState, CoordinatedEvent, Action>of(
            "coordinated transaction",
            CoordinatedState.class,
            CoordinatedEvent.class,
            (step, transaction) -> {});
    builder
        .move(QUEUED, CoordinatedEvent.DELEGATED_AGAIN, QUEUED, KEPT)
        .move(ASSEMBLING, CoordinatedEvent.DELEGATED_AGAIN, ASSEMBLING, Assembling::askAgain, KEPT)
        .move(ATTESTATION, CoordinatedEvent.DELEGATED_AGAIN, ATTESTATION, KEPT)
        .move(
            CONFIRMATION,
            CoordinatedEvent.DELEGATED_AGAIN,
            CONFIRMATION,
            Dispatching::askAgain,
            KEPT)
        .move(
            DISPATCHED,
            CoordinatedEvent.DELEGATED_AGAIN,
            DISPATCHED,
            Delegations::tellIfCommitted,
            KEPT)
        .move(
            DISTRIBUTED,
            CoordinatedEvent.DELEGATED_AGAIN,
            DISTRIBUTED,
            Dispatching::distributeAgain,
            KEPT)
        .move(
            EnumSet.of(QUEUED, ASSEMBLING, ATTESTATION, CONFIRMATION),
            CoordinatedEvent.CONFIRMED,
            GONE,
            Leaving::abandonWithDependants,
            "another dispatch of its intent, whose locks stay for some blocks")
        .move(
            DISPATCHES,
            CoordinatedEvent.CONFIRMED,
            GONE,
            CoordinatorStep::endRequests,
            "its locks stay for some blocks")
        .impossible(
            except(QUEUED), CoordinatedEvent.ASSEMBLE_SLOT, "only what is queued has a turn")
        .move(QUEUED, CoordinatedEvent.ASSEMBLE_SLOT, ASSEMBLING, "AssembleRequest")
        .move(
            ASSEMBLING, CoordinatedEvent.ASSEMBLED, ATTESTATION, "locks taken, EndorsementRequest")
        .ignore(except(ASSEMBLING), CoordinatedEvent.ASSEMBLED, "a repeated or late answer")
        .move(
            ASSEMBLING,
            CoordinatedEvent.ASSEMBLY_CONFLICTS,
            QUEUED,
            Assembling::requeueAfterConflict,
            "assembled anew, at once only the first time")
        .ignore(except(ASSEMBLING), CoordinatedEvent.ASSEMBLY_CONFLICTS, "a late answer")
        .move(ASSEMBLING, CoordinatedEvent.ASSEMBLE_ERROR, GONE, "the sender decides (ASM-4)")
        .ignore(except(ASSEMBLING), CoordinatedEvent.ASSEMBLE_ERROR, "a repeated or late answer")
        .move(
            EnumSet.of(QUEUED, ASSEMBLING),
            CoordinatedEvent.ASSEMBLE_TIMEOUT,
            GONE,
            "its sender does not answer")
        .impossible(
            EnumSet.complementOf(EnumSet.of(QUEUED, ASSEMBLING)),
            CoordinatedEvent.ASSEMBLE_TIMEOUT,
            "it is assembled")
        .move(
            ATTESTATION,
            CoordinatedEvent.READY_TO_DISPATCH,
            CONFIRMATION,
            Dispatching::ask,
            "RequestDispatchConfirmation")
        .impossible(except(ATTESTATION), CoordinatedEvent.READY_TO_DISPATCH, "asked for once")
        .move(
            ATTESTATION,
            CoordinatedEvent.READY_TO_DISTRIBUTE,
            DISTRIBUTED,
            Dispatching::distribute,
            "PreparedTransactionDistribution (EXT-1)")
        .impossible(except(ATTESTATION), CoordinatedEvent.READY_TO_DISTRIBUTE, "distributed once")
        .move(
            ATTESTATION,
            CoordinatedEvent.NOT_ENDORSED,
            QUEUED,
            Leaving::withDependants,
            "after a back-off (EDR-5)")
        .ignore(except(ATTESTATION), CoordinatedEvent.NOT_ENDORSED, "enough others have endorsed")
        .move(
            ATTESTATION,
            CoordinatedEvent.REFUSED_TOO_OFTEN,
            GONE,
            Leaving::abandonWithDependants,
            "TransactionReverted (EDR-5)")
        .ignore(
            except(ATTESTATION), CoordinatedEvent.REFUSED_TOO_OFTEN, "enough others have endorsed")
        .move(
            EnumSet.of(ATTESTATION, CONFIRMATION),
            CoordinatedEvent.DEPENDENCY_LEFT,
            QUEUED,
            Leaving::assembleAnew,
            "assembled anew")
        .move(DISTRIBUTED, CoordinatedEvent.DEPENDENCY_LEFT, GONE, "it can never be fulfilled")
        .move(
            DISPATCHED,
            CoordinatedEvent.DEPENDENCY_LEFT,
            DISPATCHED,
            "the base ledger will refuse it, and the submitter tells")
        .impossible(
            EnumSet.of(QUEUED, ASSEMBLING, GONE),
            CoordinatedEvent.DEPENDENCY_LEFT,
            "it is in no graph")
        .move(CONFIRMATION, CoordinatedEvent.DISPATCH, DISPATCHED, Dispatching::hand, "Dispatch")
        .impossible(except(CONFIRMATION), CoordinatedEvent.DISPATCH, "dispatched once")
        .move(
            CONFIRMATION,
            CoordinatedEvent.DISPATCH_DENIED,
            GONE,
            Leaving::abandonWithDependants,
            "abandoned")
        .ignore(except(CONFIRMATION), CoordinatedEvent.DISPATCH_DENIED, "a late answer")
        .move(
            CONFIRMATION,
            CoordinatedEvent.CONFIRMATION_TIMEOUT,
            GONE,
            Leaving::abandonWithDependants,
            "abandoned")
        .ignore(except(CONFIRMATION), CoordinatedEvent.CONFIRMATION_TIMEOUT, "answered")
        .move(
            EnumSet.of(QUEUED, ATTESTATION),
            CoordinatedEvent.ENDED_AT_SENDER,
            GONE,
            Leaving::abandonWithDependants,
            "let go with its locks (SND-9)")
        .ignore(
            EnumSet.of(ASSEMBLING, CONFIRMATION),
            CoordinatedEvent.ENDED_AT_SENDER,
            "its sender answers what it is asked, or is silent")
        .ignore(
            EnumSet.of(DISPATCHED, DISTRIBUTED, GONE),
            CoordinatedEvent.ENDED_AT_SENDER,
            "the base ledger decides")
        .move(
            DISPATCHED,
            CoordinatedEvent.REVERTED,
            GONE,
            Leaving::withDependants,
            "the sender is told by the submitter")
        .move(
            DISTRIBUTED,
            CoordinatedEvent.REVERTED,
            GONE,
            Leaving::withDependants,
            "the base ledger refused it")
        .ignore(
            EnumSet.of(QUEUED, ASSEMBLING, ATTESTATION, CONFIRMATION, GONE),
            CoordinatedEvent.REVERTED,
            "an earlier dispatch of it")
        .move(
            EnumSet.of(QUEUED, ASSEMBLING, ATTESTATION),
            CoordinatedEvent.RANGE_LEFT,
            GONE,
            Leaving::abandon,
            "abandoned, its sender delegates anew")
        .ignore(
            EnumSet.of(CONFIRMATION, DISPATCHED, DISTRIBUTED, GONE),
            CoordinatedEvent.RANGE_LEFT,
            "what the sender was asked about is finished (SWO-1)")
        .move(
            DISTRIBUTED,
            CoordinatedEvent.EXTERNAL_LOCK_EXPIRED,
            GONE,
            Leaving::withDependants,
            "its locks are given up")
        .impossible(
            except(DISTRIBUTED), CoordinatedEvent.EXTERNAL_LOCK_EXPIRED, "external mode only")
        .move(
            LIVE,
            CoordinatedEvent.ALREADY_DISPATCHED,
            GONE,
            Delegations::tellAlreadyDispatched,
            "Dispatched, its locks stay")
        .ignore(EnumSet.of(GONE), CoordinatedEvent.ALREADY_DISPATCHED, "not coordinated here")
        .ignore(EnumSet.of(GONE), CoordinatedEvent.DELEGATED_AGAIN, "begins anew as queued")
        .ignore(EnumSet.of(GONE), CoordinatedEvent.CONFIRMED, "not coordinated here");
    return builder.build();
  }

  private static Set<CoordinatedState> except(CoordinatedState state) {
    return EnumSet.complementOf(EnumSet.of(state));
  }

  private static TransitionTable<ContractMode, ContractEvent, Consumer<CoordinatorStep>>
      contractTable() {
    return TransitionTable.<ContractMode, ContractEvent, Consumer<CoordinatorStep>>of(
            "contract", ContractMode.class, ContractEvent.class, step -> {})
        .move(
            ContractMode.INACTIVE,
            ContractEvent.DELEGATION_ACCEPTED,
            ContractMode.LOADING,
            CoordinatorStep::loadDispatches,
            "its submitter is asked for unconfirmed dispatches")
        .move(
            EnumSet.of(ContractMode.ACTIVE, ContractMode.DRAINING),
            ContractEvent.DELEGATION_ACCEPTED,
            ContractMode.ACTIVE,
            "coordinates")
        .move(
            ContractMode.LOADING,
            ContractEvent.DELEGATION_ACCEPTED,
            ContractMode.LOADING,
            "queued until the dispatches are known")
        .move(
            ContractMode.LOADING,
            ContractEvent.DISPATCHES_LOADED,
            ContractMode.ACTIVE,
            "assembly begins")
        .ignore(
            EnumSet.complementOf(EnumSet.of(ContractMode.LOADING)),
            ContractEvent.DISPATCHES_LOADED,
            "a repeated answer")
        .move(
            EnumSet.of(ContractMode.ACTIVE, ContractMode.LOADING),
            ContractEvent.RANGE_LEFT,
            ContractMode.DRAINING,
            Ranges::abandon,
            "abandons what no sender was asked about")
        .ignore(
            EnumSet.of(ContractMode.INACTIVE, ContractMode.DRAINING),
            ContractEvent.RANGE_LEFT,
            "coordinates nothing new")
        .move(
            EnumSet.of(ContractMode.ACTIVE, ContractMode.DRAINING),
            ContractEvent.NOTHING_LEFT,
            ContractMode.INACTIVE,
            "may leave memory")
        .impossible(
            EnumSet.of(ContractMode.INACTIVE, ContractMode.LOADING),
            ContractEvent.NOTHING_LEFT,
            "nothing was held, or it is not known yet")
        .build();
  }
}
