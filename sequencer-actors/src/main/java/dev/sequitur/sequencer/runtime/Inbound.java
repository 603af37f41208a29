package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationError;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where messages enter a node: believes only members of the contract's committee, and only messages
 * of a sensible length, drops and counts the rest (A20, A21), and finds the entities that a message
 * is for. Runs on the transport's threads and only tells.
 */
final class Inbound implements Consumer<List<Envelope>> {
  private final NodeServices services;
  private final VerifierResolution verifiers;
  private final TraceGathering traces;
  private final MessageLimits limits;

  private enum Role {
    SENDER,
    COORDINATOR,
    ENDORSER,
    SUBMITTER,
    STATE_STORE
  }

  private enum Dropped {
    INCOMPATIBLE_VERSION,
    UNKNOWN_CONTRACT,
    NOT_A_MEMBER,
    TOO_LONG;

    String metricName() {
      return "sequitur_messages_dropped_" + name().toLowerCase(Locale.ROOT) + "_total";
    }
  }

  private record Address(Role role, ContractAddress contract) {}

  Inbound(NodeServices services, VerifierResolution verifiers, TraceGathering traces) {
    this.services = services;
    this.verifiers = verifiers;
    this.traces = traces;
    this.limits = new MessageLimits(services.setup().rules().sequencer().limits());
    // A counter that is not there before it counts is one whose first step no alert sees.
    for (var why : Dropped.values()) {
      services.counters().add(why.metricName(), 0);
    }
  }

  @Override
  public void accept(List<Envelope> envelopes) {
    Map<Address, List<Received<? extends Message.OfContract>>> sorted = new LinkedHashMap<>();
    for (var envelope : envelopes) {
      if (!envelope.protocolVersion().isCompatibleWith(ProtocolVersion.CURRENT)) {
        drop(Dropped.INCOMPATIBLE_VERSION);
      } else if (envelope.payload() instanceof Message.OfContract message) {
        sort(envelope, message, sorted);
      } else {
        verifiers.receive(envelope);
      }
    }
    sorted.forEach(this::tell);
  }

  private void sort(
      Envelope envelope,
      Message.OfContract message,
      Map<Address, List<Received<? extends Message.OfContract>>> sorted) {
    var group = services.groups().find(message.contract());
    if (group.isEmpty()) {
      drop(Dropped.UNKNOWN_CONTRACT);
    } else if (!group.get().committee().hasMemberOn(envelope.from())) {
      drop(Dropped.NOT_A_MEMBER);
    } else if (!limits.allow(message)) {
      drop(Dropped.TOO_LONG);
    } else if (message instanceof TraceRequest || message instanceof TraceResponse) {
      traces.receive(envelope);
    } else {
      var received = new Received<>(envelope.from(), envelope.messageId(), message);
      for (var role : roles(message)) {
        sorted
            .computeIfAbsent(new Address(role, message.contract()), a -> new ArrayList<>())
            .add(received);
      }
    }
  }

  private void drop(Dropped why) {
    services.counters().add(why.metricName(), 1);
  }

  private void tell(Address to, List<Received<? extends Message.OfContract>> messages) {
    var entities = services.entities();
    switch (to.role()) {
      case SENDER -> entities.sender(to.contract()).tell(new SenderActor.Deliver(messages));
      case COORDINATOR ->
          entities.coordinator(to.contract()).tell(new CoordinatorActor.Deliver(messages));
      case ENDORSER -> entities.endorser(to.contract()).tell(new EndorserActor.Deliver(messages));
      case SUBMITTER ->
          entities.submitter(to.contract()).tell(new SubmitterActor.Deliver(messages));
      case STATE_STORE ->
          entities.stateStore(to.contract()).tell(new StateStoreActor.Deliver(messages));
    }
  }

  /** Who answers to what; a dispatch is never believed of another node (A27). */
  private static Set<Role> roles(Message.OfContract message) {
    if (message instanceof DelegationAccepted
        || message instanceof DelegationRejected
        || message instanceof AssembleRequest
        || message instanceof RequestDispatchConfirmation
        || message instanceof Dispatched
        || message instanceof TransactionReverted
        || message instanceof SubmitterHeartbeatNotification
        || message instanceof PreparedTransactionDistribution) {
      return EnumSet.of(Role.SENDER);
    } else if (message instanceof DelegationCommand
        || message instanceof AssembleResponse
        || message instanceof AssembleError
        || message instanceof EndorsementResponse
        || message instanceof EndorsementError
        || message instanceof DispatchConfirmationResponse
        || message instanceof DispatchConfirmationError
        || message instanceof StartupNotificationAcknowledgement
        || message instanceof PreparedTransactionAcknowledgement) {
      return EnumSet.of(Role.COORDINATOR);
    } else if (message instanceof EndorsementRequest) {
      return EnumSet.of(Role.ENDORSER);
    } else if (message instanceof CoordinatorHeartbeatNotification
        || message instanceof StartupNotification) {
      return EnumSet.of(Role.SENDER, Role.COORDINATOR, Role.ENDORSER);
    } else if (message instanceof TransactionRevertedAcknowledgement) {
      return EnumSet.of(Role.COORDINATOR, Role.SUBMITTER);
    } else if (message instanceof StateDistribution
        || message instanceof StateDistributionAcknowledgement) {
      return EnumSet.of(Role.STATE_STORE);
    } else if (message instanceof Dispatch) {
      return EnumSet.noneOf(Role.class);
    }
    throw new IllegalStateException("Nobody answers to " + message.getClass());
  }
}
