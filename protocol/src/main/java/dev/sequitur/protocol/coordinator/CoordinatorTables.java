package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.coordinator.CoordinatedState.ASSEMBLING;
import static dev.sequitur.protocol.coordinator.CoordinatedState.ATTESTATION;
import static dev.sequitur.protocol.coordinator.CoordinatedState.CONFIRMATION;
import static dev.sequitur.protocol.coordinator.CoordinatedState.DISPATCHED;
import static dev.sequitur.protocol.coordinator.CoordinatedState.DISTRIBUTED;
import static dev.sequitur.protocol.coordinator.CoordinatedState.GONE;
import static dev.sequitur.protocol.coordinator.CoordinatedState.QUEUED;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** The coordinator's state machines as tables. */
public final class CoordinatorTables {
  private static final Set<CoordinatedState> LIVE = EnumSet.complementOf(EnumSet.of(GONE));
  private static final Set<CoordinatedState> ASSEMBLED =
      EnumSet.of(ATTESTATION, CONFIRMATION, DISPATCHED, DISTRIBUTED);

  /** Of one transaction (ASM-8). */
  public static final TransitionTable<CoordinatedState, CoordinatedEvent> TRANSACTION =
      transactionTable();

  /** Of the contract. */
  public static final TransitionTable<ContractMode, ContractEvent> CONTRACT = contractTable();

  private CoordinatorTables() {}

  private static TransitionTable<CoordinatedState, CoordinatedEvent> transactionTable() {
    var builder =
        TransitionTable.of(
            "coordinated transaction", CoordinatedState.class, CoordinatedEvent.class);
    for (var state : LIVE) {
      builder.move(
          state, CoordinatedEvent.DELEGATED_AGAIN, state, "the progress made is kept (DLG-9)");
      builder.move(state, CoordinatedEvent.CONFIRMED, GONE, "its locks stay for some blocks");
    }
    builder
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
            "RequestDispatchConfirmation")
        .impossible(except(ATTESTATION), CoordinatedEvent.READY_TO_DISPATCH, "asked for once")
        .move(
            ATTESTATION,
            CoordinatedEvent.READY_TO_DISTRIBUTE,
            DISTRIBUTED,
            "PreparedTransactionDistribution (EXT-1)")
        .impossible(except(ATTESTATION), CoordinatedEvent.READY_TO_DISTRIBUTE, "distributed once")
        .move(ATTESTATION, CoordinatedEvent.NOT_ENDORSED, QUEUED, "after a back-off (EDR-5)")
        .ignore(except(ATTESTATION), CoordinatedEvent.NOT_ENDORSED, "enough others have endorsed")
        .move(
            EnumSet.of(ATTESTATION, CONFIRMATION),
            CoordinatedEvent.DEPENDENCY_LEFT,
            QUEUED,
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
        .move(CONFIRMATION, CoordinatedEvent.DISPATCH, DISPATCHED, "Dispatch")
        .impossible(except(CONFIRMATION), CoordinatedEvent.DISPATCH, "dispatched once")
        .move(CONFIRMATION, CoordinatedEvent.DISPATCH_DENIED, GONE, "abandoned")
        .ignore(except(CONFIRMATION), CoordinatedEvent.DISPATCH_DENIED, "a late answer")
        .move(CONFIRMATION, CoordinatedEvent.CONFIRMATION_TIMEOUT, GONE, "abandoned")
        .ignore(except(CONFIRMATION), CoordinatedEvent.CONFIRMATION_TIMEOUT, "answered")
        .move(DISPATCHED, CoordinatedEvent.REVERTED, GONE, "the sender is told by the submitter")
        .move(DISTRIBUTED, CoordinatedEvent.REVERTED, GONE, "the base ledger refused it")
        .ignore(
            EnumSet.of(QUEUED, ASSEMBLING, ATTESTATION, CONFIRMATION, GONE),
            CoordinatedEvent.REVERTED,
            "an earlier dispatch of it")
        .move(
            EnumSet.of(QUEUED, ASSEMBLING, ATTESTATION),
            CoordinatedEvent.RANGE_LEFT,
            GONE,
            "abandoned, its sender delegates anew")
        .ignore(
            EnumSet.of(CONFIRMATION, DISPATCHED, DISTRIBUTED, GONE),
            CoordinatedEvent.RANGE_LEFT,
            "what the sender was asked about is finished (SWO-1)")
        .move(DISTRIBUTED, CoordinatedEvent.EXTERNAL_LOCK_EXPIRED, GONE, "its locks are given up")
        .impossible(
            except(DISTRIBUTED), CoordinatedEvent.EXTERNAL_LOCK_EXPIRED, "external mode only")
        .ignore(EnumSet.of(GONE), CoordinatedEvent.DELEGATED_AGAIN, "begins anew as queued")
        .ignore(EnumSet.of(GONE), CoordinatedEvent.CONFIRMED, "not coordinated here");
    return builder.build();
  }

  private static Set<CoordinatedState> except(CoordinatedState state) {
    return EnumSet.complementOf(EnumSet.of(state));
  }

  private static TransitionTable<ContractMode, ContractEvent> contractTable() {
    return TransitionTable.of("contract", ContractMode.class, ContractEvent.class)
        .move(
            ContractMode.INACTIVE,
            ContractEvent.DELEGATION_ACCEPTED,
            ContractMode.LOADING,
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
