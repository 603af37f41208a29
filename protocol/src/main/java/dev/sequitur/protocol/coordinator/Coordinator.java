package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorInput.ActivitySeen;
import dev.sequitur.protocol.coordinator.CoordinatorInput.BlockIndexed;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchReverted;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchesCommitted;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchesSettled;
import dev.sequitur.protocol.coordinator.CoordinatorInput.FromNode;
import dev.sequitur.protocol.coordinator.CoordinatorInput.Tick;
import dev.sequitur.protocol.coordinator.CoordinatorInput.UnconfirmedDispatches;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractEvent;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.List;

/**
 * The coordinator of one contract on one node. Stores nothing: after a restart it knows what its
 * senders delegate to it again, and its own submitter's unconfirmed dispatches (RCV-2).
 */
public record Coordinator(CoordinatorSetup setup) {
  /**
   * Stores nothing: each life begins anew.
   *
   * @param now when this life begins
   * @param height how far the node has read the base ledger then
   */
  public Machine<CoordinatorInput, CoordinatorState, Void, CoordinatorEffect> machine(
      Instant now, BlockHeight height) {
    return Machine.storingNothing(
        CoordinatorState.initial(now.toEpochMilli(), height),
        this::decide,
        new CoordinatorInput.Tick());
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<CoordinatorState, Void, CoordinatorEffect> decide(
      CoordinatorState state, CoordinatorInput input, Instant now) {
    var step = new CoordinatorStep(setup, state, now);
    switch (input) {
      case FromNode(var received) ->
          received.forEach(
              each -> {
                onMessage(step, each);
                follow(step);
              });
      case BlockIndexed block -> onBlock(step, block);
      case UnconfirmedDispatches(var dispatches) -> onLoaded(step, dispatches);
      case DispatchesCommitted(var transactions) -> Dispatching.onCommitted(step, transactions);
      case DispatchesSettled(var transactions, var height) ->
          Leaving.onSettled(step, transactions, height);
      case DispatchReverted(var transaction) -> Leaving.onReverted(step, transaction);
      case ActivitySeen ignored -> Liveness.announce(step);
      case CoordinatorInput.Submitting(var why) -> Delegations.onSubmitting(step, why);
      case Tick ignored -> onTick(step);
    }
    follow(step);
    Endorsing.next(step);
    Dispatching.askForLeave(step);
    return step.finish();
  }

  /** What comes of those that have left, before the next message is looked at. */
  private static void follow(CoordinatorStep step) {
    Endorsing.closeLeft(step);
    Dispatching.onReleased(step, step.takeReleased());
  }

  private static void onMessage(
      CoordinatorStep step, Received<? extends Message.ForCoordinator> received) {
    switch (received.message()) {
      case DelegationCommand message -> {
        Liveness.announce(step);
        Delegations.onCommand(step, received.with(message));
      }
      case AssembleResponse message -> Assembling.onResponse(step, received.with(message));
      case AssembleError message -> Assembling.onError(step, received.with(message));
      case EndorsementResponse message -> Endorsing.onResponse(step, received.with(message));
      case EndorsementError message -> Endorsing.onError(step, received.with(message));
      case DispatchConfirmationResponse message ->
          Dispatching.onResponse(step, received.with(message));
      case CoordinatorHeartbeatNotification message ->
          Liveness.onHeartbeat(step, received.with(message));
      case StartupNotification message -> Liveness.onStartup(step, received.with(message));
      case StartupNotificationAcknowledgement message ->
          Liveness.onAcknowledged(step, received.from(), message.startupId());
      case TransactionRevertedAcknowledgement message ->
          step.endNotification(received.from(), message.notificationId());
      case PreparedTransactionAcknowledgement message ->
          Dispatching.onDistributed(step, received.with(message));
    }
  }

  private static void onBlock(CoordinatorStep step, BlockIndexed block) {
    if (block.concernsContract()) {
      Liveness.announce(step);
    }
    Leaving.onConfirmed(step, block.confirmed(), block.height());
    LeftToCallers.onTaken(step, block.spent(), block.created());
    if (block.height().compareTo(step.state().height()) > 0) {
      Ranges.onHeight(step, block.height());
    }
    Leaving.doubtLoaded(step);
    Assembling.next(step);
  }

  /** What this node has dispatched and not seen confirmed stays locked (RCV-2). */
  private static void onLoaded(CoordinatorStep step, List<Dispatch> dispatches) {
    var mode = step.state().mode();
    boolean locksAreKnown =
        mode == ContractMode.ACTIVE
            || (mode == ContractMode.DRAINING && !step.state().doubted().isEmpty());
    // Some of what is answered may be confirmed meanwhile. Whoever has ceased to coordinate needs
    // no locks, and asks again before it coordinates.
    if (locksAreKnown || mode == ContractMode.INACTIVE) {
      Leaving.judgeDoubted(step, dispatches);
      return;
    }
    for (var dispatch : dispatches) {
      var id = dispatch.prepared().intent();
      step.move(id, CoordinatedEvent.ALREADY_DISPATCHED);
      var assembly = ofDispatch(dispatch);
      if (step.state().graph().node(id).isEmpty()
          && step.state().graph().conflict(assembly).isEmpty()) {
        step.become(step.state().withGraph(step.state().graph().add(id, assembly, true)));
      }
    }
    step.move(ContractEvent.DISPATCHES_LOADED);
    Assembling.next(step);
    Ranges.endIfNothingLeft(step);
  }

  /** Of the inputs only the ids are known, which is all that a lock needs. */
  private static PostAssembly ofDispatch(Dispatch dispatch) {
    return idsOnly(dispatch.prepared(), dispatch.outputs());
  }

  /** The same of what a caller is to submit, of whose outputs no more is known. */
  static PostAssembly ofLeft(PreparedTransaction prepared, List<Identity> holders) {
    return idsOnly(prepared, idsOnly(prepared, prepared.outputs(), holders));
  }

  private static PostAssembly idsOnly(PreparedTransaction prepared, List<PrivateState> outputs) {
    return new PostAssembly(
        idsOnly(prepared, prepared.inputs(), List.of()),
        idsOnly(prepared, prepared.reads(), List.of()),
        outputs,
        List.of(),
        Bytes.EMPTY,
        List.<AttestationRequest>of(),
        Proof.NONE);
  }

  private static List<PrivateState> idsOnly(
      PreparedTransaction prepared, List<StateId> ids, List<Identity> holders) {
    return ids.stream()
        .map(id -> new PrivateState(id, prepared.contract(), "", "", Bytes.EMPTY, holders))
        .toList();
  }

  private static void onTick(CoordinatorStep step) {
    var awake = step.state().awake().told(step.now(), Assembling.late(step));
    step.become(step.state().withAwake(awake));
    var before = step.state().exchanges();
    var ticked = before.tick(step.now());
    step.become(step.state().withExchanges(ticked.rest(), step.state().purposes()));
    ticked.resend().forEach(step::send);
    for (var request : ticked.timedOut()) {
      onTimeout(step, request, before.get(request).orElseThrow());
    }
    Liveness.giveUpNotifications(step);
    Dispatching.handAgain(step);
    giveUpExternalLocks(step);
    Leaving.doubtOld(step);
    Assembling.next(step);
    Liveness.beat(step);
  }

  private static void onTimeout(CoordinatorStep step, RequestId request, Exchange unanswered) {
    var purpose = step.state().purposes().get(request);
    step.become(
        step.state()
            .withExchanges(step.state().exchanges(), step.state().purposes().minus(request)));
    switch (purpose.subject()) {
      case ASSEMBLY -> Assembling.onTimeout(step, unanswered);
      case ENDORSEMENT -> Endorsing.onTimeout(step, request, unanswered);
      case CONFIRMATION -> Dispatching.onTimeout(step, unanswered, purpose.transactions());
      case NOTIFICATION, LIVENESS -> {}
    }
  }

  private static void giveUpExternalLocks(CoordinatorStep step) {
    var lockedAfter = step.now().minus(step.setup.settings().limits().externalLock());
    for (var transaction : step.state().transactions().values()) {
      if (transaction.state() == CoordinatedState.DISTRIBUTED
          && !transaction.since().isAfter(lockedAfter)) {
        step.move(transaction.key(), CoordinatedEvent.EXTERNAL_LOCK_EXPIRED);
      }
    }
  }
}
