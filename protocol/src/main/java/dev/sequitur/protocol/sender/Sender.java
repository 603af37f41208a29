package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.sender.SenderInput.AssemblyFinished;
import dev.sequitur.protocol.sender.SenderInput.BlockIndexed;
import dev.sequitur.protocol.sender.SenderInput.ConfirmationFound;
import dev.sequitur.protocol.sender.SenderInput.DependencyEnded;
import dev.sequitur.protocol.sender.SenderInput.FromNode;
import dev.sequitur.protocol.sender.SenderInput.IntentsAccepted;
import dev.sequitur.protocol.sender.SenderInput.PendingLoaded;
import dev.sequitur.protocol.sender.SenderInput.PreparedStored;
import dev.sequitur.protocol.sender.SenderInput.Reload;
import dev.sequitur.protocol.sender.SenderInput.Resume;
import dev.sequitur.protocol.sender.SenderInput.Started;
import dev.sequitur.protocol.sender.SenderInput.Tick;
import dev.sequitur.protocol.sender.SenderState.Remembered;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sender of one contract on one node: responsible for each of its transactions until it is
 * confirmed on the base ledger or ended as reverted.
 */
public record Sender(SenderSetup setup) {
  /**
   * @param height how far the node has read the base ledger when a life begins
   */
  public Machine<SenderInput, SenderState, SenderEvent, SenderEffect> machine(
      Supplier<BlockHeight> height) {
    return new Machine<>(
        SenderState.initial(),
        this::decide,
        Sender::evolve,
        now -> Optional.of(new Started(height.get(), now.toEpochMilli())),
        new Tick());
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<SenderState, SenderEvent, SenderEffect> decide(
      SenderState state, SenderInput input, Instant now) {
    var step = new SenderStep(setup, state, now);
    switch (input) {
      case FromNode(var received) -> onMessage(step, received);
      case IntentsAccepted(var transactions, var again) -> {
        if (again) {
          Arriving.handedAgain(step, transactions);
        } else {
          Arriving.handed(step, transactions);
        }
        Delegating.delegatePending(step);
      }
      case AssemblyFinished finished -> AssemblyRequests.onFinished(step, finished);
      case BlockIndexed block -> onBlock(step, block);
      case ConfirmationFound found -> {
        Ending.confirm(step, found.confirmed(), found.indexed());
        Delegating.delegatePending(step);
      }
      case Tick ignored -> onTick(step);
      case PreparedStored(var received) -> LeftToCaller.onStored(step, received);
      case DependencyEnded ended -> {
        Depending.onEnded(step, ended.dependency(), ended.success());
        Delegating.delegatePending(step);
      }
      case Resume(var transaction) -> {
        step.move(transaction, TransactionEvent.RESUME, "resumed");
        Delegating.delegatePending(step);
      }
      case Started(var height, var incarnation) -> {
        step.record(new SenderEvent.EpochBegun(Math.max(state.epoch() + 1, incarnation)));
        step.become(step.state().withHeight(height));
        Arriving.load(step, Loading.BEGUN);
      }
      case Reload() -> Arriving.reload(step);
      case PendingLoaded loaded -> {
        Arriving.loaded(step, loaded);
        Delegating.delegatePending(step);
      }
    }
    return step.finish();
  }

  /** Repeats a durable change on recovery. */
  public static SenderState evolve(SenderState state, SenderEvent event) {
    return switch (event) {
      case SenderEvent.EpochBegun(var epoch) -> state.begun(epoch);
      case SenderEvent.AttemptFailed failed ->
          state.remember(
              failed.transaction(), remembered(state, failed.transaction()).failed(failed));
      case SenderEvent.Parked parked ->
          parked(state, parked.transaction(), Optional.of(parked.until()));
      case SenderEvent.Resumed(var transaction) -> parked(state, transaction, Optional.empty());
      case SenderEvent.Ended(var transaction) -> state.forget(transaction);
    };
  }

  private static SenderState parked(SenderState state, TransactionId id, Optional<Instant> until) {
    return state.remember(id, remembered(state, id).parked(until));
  }

  private static Remembered remembered(SenderState state, TransactionId id) {
    return state.remembered().getOrDefault(id, Remembered.NOTHING);
  }

  private static void onMessage(SenderStep step, Received<? extends Message.ForSender> received) {
    switch (received.message()) {
      case DelegationAccepted message -> Delegating.onAccepted(step, received.with(message));
      case DelegationRejected message -> Delegating.onRejected(step, received.with(message));
      case AssembleRequest message -> AssemblyRequests.onRequest(step, received.with(message));
      case RequestDispatchConfirmation message ->
          Submissions.onRequest(step, received.with(message));
      case Dispatched message -> Submissions.onDispatched(step, received.with(message));
      case TransactionReverted message -> Submissions.onReverted(step, received.with(message));
      case CoordinatorHeartbeatNotification message ->
          Monitoring.onHeartbeat(step, received.with(message));
      case SubmitterHeartbeatNotification message ->
          Submissions.onHeartbeat(step, received.with(message));
      case StartupNotification message -> Monitoring.onStartup(step, received.with(message));
      case PreparedTransactionDistribution message ->
          LeftToCaller.onPrepared(step, received.with(message));
    }
  }

  private static void onTick(SenderStep step) {
    Delegating.onTick(step);
    Monitoring.onTick(step);
    Submissions.onTick(step);
    LeftToCaller.onTick(step);
    Depending.onTick(step);
    Relinquishing.onTick(step);
    Deadlines.onTick(step);
    Ending.onTick(step);
    Delegating.delegatePending(step);
  }

  private static void onBlock(SenderStep step, BlockIndexed block) {
    // A block may come again after a restart: what it confirms counts, its height is known.
    Ending.confirm(step, block.confirmed(), block.indexed());
    if (block.height().compareTo(step.state().height()) > 0) {
      Monitoring.onHeight(step, block.height());
    }
    Delegating.delegatePending(step);
  }
}
