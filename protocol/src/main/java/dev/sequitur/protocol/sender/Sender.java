package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.machine.Decision;
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
import dev.sequitur.protocol.sender.SenderInput.Resume;
import dev.sequitur.protocol.sender.SenderInput.Started;
import dev.sequitur.protocol.sender.SenderInput.Tick;
import dev.sequitur.protocol.sender.SenderState.Remembered;
import java.time.Instant;
import java.util.Optional;

/**
 * The sender of one contract on one node: responsible for each of its transactions until it is
 * confirmed on the base ledger or ended as reverted.
 */
public final class Sender {
  /**
   * For so many failure thresholds after a restart everybody is believed to hold a transaction: a
   * submitter that is cut off at first has time to be heard.
   */
  private final SenderSetup setup;

  public Sender(SenderSetup setup) {
    this.setup = setup;
  }

  public SenderSetup setup() {
    return setup;
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<SenderState, SenderEvent, SenderEffect> decide(
      SenderState state, SenderInput input, Instant now) {
    var step = new SenderStep(setup, state, now);
    if (input instanceof FromNode fromNode) {
      onMessage(step, fromNode.received());
    } else if (input instanceof IntentsAccepted accepted) {
      Arriving.accepted(step, accepted.transactions());
      Delegating.delegatePending(step);
    } else if (input instanceof AssemblyFinished finished) {
      AssemblyRequests.onFinished(step, finished);
    } else if (input instanceof BlockIndexed block) {
      onBlock(step, block);
    } else if (input instanceof ConfirmationFound found) {
      Ending.confirm(step, found.confirmed(), found.indexed());
      Delegating.delegatePending(step);
    } else if (input instanceof Tick) {
      Delegating.onTick(step);
      Monitoring.onTick(step);
      Submissions.onTick(step);
      LeftToCaller.onTick(step);
      Depending.onTick(step);
      Delegating.delegatePending(step);
    } else if (input instanceof PreparedStored stored) {
      LeftToCaller.onStored(step, stored.received());
    } else if (input instanceof DependencyEnded ended) {
      Depending.onEnded(step, ended.dependency(), ended.success());
      Delegating.delegatePending(step);
    } else if (input instanceof Resume resume) {
      Ending.resume(step, resume.transaction());
      Delegating.delegatePending(step);
    } else if (input instanceof Started started) {
      step.record(new SenderEvent.EpochBegun(state.epoch() + 1));
      step.become(step.state().withHeight(started.height()));
      step.effect(new SenderEffect.LoadPending());
    } else if (input instanceof PendingLoaded loaded) {
      Arriving.loaded(step, loaded);
      Delegating.delegatePending(step);
    } else {
      throw new IllegalStateException("A sender does not answer to " + input.getClass());
    }
    return step.finish();
  }

  /** Repeats a durable change on recovery. */
  public static SenderState evolve(SenderState state, SenderEvent event) {
    if (event instanceof SenderEvent.EpochBegun begun) {
      return state.begun(begun.epoch());
    } else if (event instanceof SenderEvent.AttemptFailed failed) {
      var before = state.remembered().getOrDefault(failed.transaction(), Remembered.NOTHING);
      return state.remember(failed.transaction(), before.failed(failed));
    } else if (event instanceof SenderEvent.Parked parked) {
      var before = state.remembered().getOrDefault(parked.transaction(), Remembered.NOTHING);
      return state.remember(parked.transaction(), before.parked(Optional.of(parked.until())));
    } else if (event instanceof SenderEvent.Resumed resumed) {
      var before = state.remembered().getOrDefault(resumed.transaction(), Remembered.NOTHING);
      return state.remember(resumed.transaction(), before.parked(Optional.empty()));
    } else if (event instanceof SenderEvent.Ended ended) {
      return state.forget(ended.transaction());
    }
    throw new IllegalStateException("Unknown event: " + event);
  }

  @SuppressWarnings("unchecked") // The class of the message is the type argument.
  private static void onMessage(SenderStep step, Received<? extends Message.OfContract> received) {
    var message = received.message();
    if (message instanceof DelegationAccepted) {
      Delegating.onAccepted(step, (Received<DelegationAccepted>) received);
    } else if (message instanceof DelegationRejected) {
      Delegating.onRejected(step, (Received<DelegationRejected>) received);
    } else if (message instanceof AssembleRequest) {
      AssemblyRequests.onRequest(step, (Received<AssembleRequest>) received);
    } else if (message instanceof RequestDispatchConfirmation) {
      Submissions.onRequest(step, (Received<RequestDispatchConfirmation>) received);
    } else if (message instanceof Dispatched) {
      Submissions.onDispatched(step, (Received<Dispatched>) received);
    } else if (message instanceof TransactionReverted) {
      Submissions.onReverted(step, (Received<TransactionReverted>) received);
    } else if (message instanceof CoordinatorHeartbeatNotification) {
      Monitoring.onHeartbeat(step, (Received<CoordinatorHeartbeatNotification>) received);
    } else if (message instanceof SubmitterHeartbeatNotification) {
      Submissions.onHeartbeat(step, (Received<SubmitterHeartbeatNotification>) received);
    } else if (message instanceof StartupNotification) {
      Monitoring.onStartup(step, (Received<StartupNotification>) received);
    } else if (message instanceof PreparedTransactionDistribution) {
      LeftToCaller.onPrepared(step, (Received<PreparedTransactionDistribution>) received);
    } else {
      throw new IllegalStateException("A sender does not answer to " + message.getClass());
    }
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
