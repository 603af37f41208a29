package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatedState;
import dev.sequitur.protocol.coordinator.CoordinatedTransaction;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Who is told of a contract; who coordinates it, for which blocks, and under which ids. Watched as
 * coordinators and endorsers decide: of what they know it takes their height and whom they have
 * heard, and works out the rest itself.
 */
final class Coordinating {
  private static final Set<CoordinatedState> BEGUN =
      EnumSet.of(CoordinatedState.QUEUED, CoordinatedState.ASSEMBLING);

  private final Simulation simulation;
  private final Map<Numbered, Message> requests = new HashMap<>();
  private final Map<Commanded, BlockHeight> commanded = new HashMap<>();

  /** What each sender has assembled last, in this life of its node. */
  private final Map<Assembled, Answered> assemblies = new HashMap<>();

  /** The transitions that senders have assembled and so signed, in any life (ATT-7). */
  private final Set<Hash> signed = new HashSet<>();

  // What is answered, lies among it, by the message that it came with.
  private final Map<MessageId, DelegationCommand> commands = new HashMap<>();
  private final Map<MessageId, EndorsementRequest> endorsements = new HashMap<>();
  private final Map<MessageId, RequestDispatchConfirmation> confirmations = new HashMap<>();

  /** Whom senders have told a coordinator that they pass over, in a range (AVL-7). */
  private final Map<Turn, Set<NodeName>> passedOver = new HashMap<>();

  private final Set<NodeName> liars = new HashSet<>();

  Coordinating(Simulation simulation) {
    this.simulation = simulation;
  }

  private record Numbered(NodeName coordinator, ContractAddress contract, RequestId request) {}

  private record Turn(ContractAddress contract, NodeName coordinator, BlockRange range) {}

  private record Commanded(ContractAddress contract, DelegationId delegation) {}

  private record Assembled(Speaker sender, TransactionId transaction) {}

  private record Answered(NodeName coordinator, PostAssembly assembly) {}

  /** What honest machines send. */
  void onSent(Envelope envelope, NodeLife jvm) {
    var from = jvm.speaker();
    remember(envelope);
    if (envelope.payload() instanceof Message.OfContract message) {
      require(
          mayBeTold(jvm, message.contract(), envelope.to()),
          () ->
              "%s tells or answers %s, which is no member: %s"
                  .formatted(envelope.from(), envelope.to(), message.getClass().getSimpleName()));
    }
    switch (envelope.payload()) {
      case DelegationCommand it -> {
        commanded.put(new Commanded(it.contract(), it.delegationId()), it.blockHeight());
        forget(envelope, from);
      }
      case AssembleRequest it -> once(envelope, it, it.assembleRequestId());
      case EndorsementRequest it -> once(envelope, it, it.idempotencyKey());
      case RequestDispatchConfirmation it -> once(envelope, it);
      case StartupNotification it -> once(envelope, it, it.startupId());
      case PreparedTransactionDistribution it -> once(envelope, it, it.distributionId());
      // Of a coordinator or of its submitter, which counts by itself.
      case TransactionReverted ignored -> {}
      case AssembleResponse it -> {
        assemblies.put(
            new Assembled(from, it.transaction()), new Answered(envelope.to(), it.postAssembly()));
        signed.add(it.postAssembly().transition(keyOf(it.transaction())));
      }
      case AssembleError ignored -> {}
      case DelegationAccepted ignored -> {}
      case DelegationRejected ignored -> {}
      case EndorsementResponse ignored -> {}
      case EndorsementError ignored -> {}
      case StartupNotificationAcknowledgement ignored -> {}
      case DispatchConfirmationResponse it -> requireNewestAssembly(envelope, it, from);
      case Dispatched ignored -> {}
      case TransactionRevertedAcknowledgement ignored -> {}
      case PreparedTransactionAcknowledgement ignored -> {}
      case Dispatch ignored -> {}
      case Message.Heartbeat ignored -> {}
      case Message.ForStateStore ignored -> {}
      case Message.ForMessageBook ignored -> {}
      case Message.OfTrace ignored -> {}
      case Message.OfVerifier ignored -> {}
      case Message.OfGroup ignored -> {}
      case Message.OfChange ignored -> {}
    }
  }

  private IntentKey keyOf(TransactionId transaction) {
    return simulation.invariants().accepted().get(transaction).transaction().key();
  }

  /**
   * A member of now, or of the committee before (CMT-5); or of the range, if that has seen two
   * changes, or of the one before it, of which something may be in flight (SWO-1). As the node
   * knows it that tells or answers.
   */
  private static boolean mayBeTold(NodeLife jvm, ContractAddress contract, NodeName to) {
    var selection = jvm.selection(contract);
    long height = jvm.height().value();
    long before = Math.max(0, height - selection.policy().rangeSize());
    return to.equals(jvm.name())
        || selection.group().nodes().contains(to)
        || LongStream.of(height, before)
            .mapToObj(block -> selection.group(new BlockHeight(block)))
            .anyMatch(group -> group.committee().hasMemberOn(to));
  }

  void onForged(Envelope envelope) {
    remember(envelope);
    liars.add(envelope.from());
  }

  private void remember(Envelope envelope) {
    switch (envelope.payload()) {
      case DelegationCommand it -> {
        commands.put(envelope.messageId(), it);
        var range = simulation.selection(it.contract()).range(it.blockHeight());
        passedOver
            .computeIfAbsent(new Turn(it.contract(), envelope.to(), range), turn -> new HashSet<>())
            .addAll(it.passedOver());
      }
      case EndorsementRequest it -> endorsements.put(envelope.messageId(), it);
      case RequestDispatchConfirmation it -> confirmations.put(envelope.messageId(), it);
      case Message ignored -> {}
    }
  }

  /** A request id stands for one request, also after a restart; that one may be sent again. */
  private void once(Envelope envelope, Message.OfContract message, RequestId id) {
    var numbered = new Numbered(envelope.from(), message.contract(), id);
    var before = requests.putIfAbsent(numbered, message);
    require(before == null || before.equals(message), () -> numbered + " is used twice");
  }

  /** Sent again, it is no longer about what was answered or has left meanwhile. */
  private void once(Envelope envelope, RequestDispatchConfirmation message) {
    var numbered = new Numbered(envelope.from(), message.contract(), message.requestId());
    var before = requests.putIfAbsent(numbered, message);
    require(
        before == null
            || (before instanceof RequestDispatchConfirmation asked
                && asked.items().containsAll(message.items())),
        () -> numbered + " is used twice");
  }

  /** A sender that delegates to another forgets what it has given to the one before (DSP-4). */
  private void forget(Envelope delegation, Speaker from) {
    for (var transaction : delegation.payload().transactions()) {
      assemblies.computeIfPresent(
          new Assembled(from, transaction),
          (assembled, given) -> given.coordinator().equals(delegation.to()) ? given : null);
    }
  }

  /** A node that has restarted has no assembly in memory to compare with (DSP-4). */
  void onStarted(NodeName node) {
    assemblies.keySet().removeIf(assembled -> assembled.sender().node().equals(node));
  }

  /** A JVM that is left out goes on with what it knows. */
  void onParted(Speaker all, Speaker parted) {
    Map.copyOf(assemblies)
        .forEach(
            (assembled, answered) -> {
              if (assembled.sender().equals(all)) {
                assemblies.put(new Assembled(parted, assembled.transaction()), answered);
              }
            });
  }

  /** Nor has a sender that begins anew in another JVM of its node. */
  void onCommitted(Speaker speaker, List<?> events) {
    if (events.stream().anyMatch(SenderEvent.EpochBegun.class::isInstance)) {
      assemblies.keySet().removeIf(assembled -> assembled.sender().equals(speaker));
    }
  }

  /** Leave is for the hash of what this coordinator was given last, if that is the newest. */
  private void requireNewestAssembly(
      Envelope envelope, DispatchConfirmationResponse answer, Speaker from) {
    for (var granted : answer.granted()) {
      var request = confirmations.get(envelope.correlationId().orElseThrow());
      var id = granted.transaction();
      var newest = assemblies.get(new Assembled(from, id));
      if (newest != null && newest.coordinator().equals(envelope.to())) {
        var hash = newest.assembly().confirmationHash(id, granted.delegationId());
        require(
            request.items().stream()
                .anyMatch(
                    item -> item.transaction().equals(id) && item.assemblyHash().equals(hash)),
            () -> envelope.from() + " gives leave for another assembly than the newest of " + id);
      }
    }
  }

  void onDecided(
      NodeLife node,
      ContractAddress contract,
      CoordinatorState before,
      Decision<CoordinatorState, ?, ?> decision) {
    var after = decision.state();
    if (before.transactions() != after.transactions()) {
      before.transactions().forEach((intent, known) -> requireNoWayBack(node, known, after));
    }
    var known = new Known(node.name(), node.now(), after.height(), before.availability());
    for (var each : decision.messages()) {
      switch (each.message()) {
        case AssembleRequest it -> requireTurn(known, Asks.by(it));
        case EndorsementRequest it -> requireTurn(known, Asks.by(it));
        case DelegationAccepted it -> requireAccepted(known, contract, each);
        case Message ignored -> {}
      }
    }
  }

  private static void requireNoWayBack(
      NodeLife node, CoordinatedTransaction known, CoordinatorState after) {
    var next = after.transactions().get(known.key());
    // What has left and come again has begun anew, and may be at its first request already.
    boolean same =
        next != null && (!BEGUN.contains(next.state()) || next.since().equals(known.since()));
    require(
        !same || !known.delegation().isLaterThan(next.delegation()),
        () -> node.name() + " goes back to an earlier delegation of " + known.key());
  }

  /** What a coordinator or an endorser goes by. */
  private record Known(NodeName node, Instant now, BlockHeight height, Availability availability) {}

  /**
   * A request of a coordinator.
   *
   * @param height that it names, which may be an earlier one if it is sent again
   */
  private record Asks(
      ContractAddress contract,
      RequestId id,
      BlockHeight height,
      Stream<DelegationId> delegations) {
    static Asks by(AssembleRequest request) {
      var delegations = request.items().stream().map(AssembleRequest.Item::delegationId);
      return new Asks(
          request.contract(), request.assembleRequestId(), request.blockHeight(), delegations);
    }

    static Asks by(EndorsementRequest request) {
      var delegations = request.items().stream().map(EndorsementRequest.Item::delegationId);
      return new Asks(
          request.contract(), request.idempotencyKey(), request.blockHeight(), delegations);
    }
  }

  /**
   * With what was delegated in another range it goes on only where it is the preferred one. What
   * senders were asked about before a range ended is finished after it (SWO-1): it was that one's
   * turn as it first asked.
   */
  private void requireTurn(Known known, Asks asks) {
    var selection = simulation.selection(asks.contract());
    var range = selection.range(asks.height());
    boolean isOwn = selection.ranking(range).preferred().equals(known.node());
    asks.delegations()
        .filter(id -> !liars.contains(id.sender()))
        .map(id -> commanded.get(new Commanded(asks.contract(), id)))
        .forEach(
            delegatedAt ->
                require(
                    isOwn || selection.range(delegatedAt).equals(range),
                    () -> known.node() + " asks in " + range + " for what is of another"));
    boolean isOver = !range.equals(selection.range(known.height()));
    if (isOver && requests.containsKey(new Numbered(known.node(), asks.contract(), asks.id()))) {
      return;
    }
    var current = new Turn(asks.contract(), known.node(), selection.range(known.height()));
    var passed = passedOver.getOrDefault(current, Set.of());
    requireNobodyBetter(known, asks.contract(), known.node(), passed, "asks");
  }

  private void requireAccepted(Known known, ContractAddress contract, Outgoing answer) {
    var command = commands.get(answer.inReplyTo().orElseThrow());
    requireSameRange(known, contract, command.blockHeight(), "accepts a delegation");
    requireNobodyBetter(known, contract, known.node(), command.passedOver(), "accepts");
  }

  void onDecided(
      NodeLife node, ContractAddress contract, Endorser.State before, List<Outgoing> answers) {
    var known = new Known(node.name(), node.now(), before.height(), before.availability());
    for (var each : answers) {
      if (each.message() instanceof EndorsementResponse answer) {
        var request = endorsements.get(each.inReplyTo().orElseThrow());
        requireSameRange(known, contract, request.blockHeight(), "endorses");
        require(
            request.coordinator().equals(each.to()),
            () -> node.name() + " endorses for " + each.to() + ", which does not coordinate");
        requireNobodyBetter(known, contract, each.to(), request.passedOver(), "endorses");
        requireSigned(node.name(), request, answer);
        requireKeyOfRange(request, answer);
      }
    }
  }

  /** SEL-10: whatever committee comes after. */
  private void requireKeyOfRange(EndorsementRequest request, EndorsementResponse answer) {
    var group = simulation.selection(request.contract()).group(request.blockHeight());
    require(
        answer
            .endorsement()
            .map(it -> new Member(it.party(), it.verifier()))
            .filter(it -> !group.committee().members().contains(it))
            .isEmpty(),
        () -> answer.party() + " endorses with a key of another range");
  }

  private void requireSigned(
      NodeName endorser, EndorsementRequest request, EndorsementResponse answer) {
    for (var item : request.items()) {
      require(
          !answer.endorsed().contains(item.transaction().key())
              || signed.contains(item.transition()),
          () -> endorser + " endorses what its sender has not signed: " + item.transaction().id());
    }
  }

  private void requireSameRange(
      Known known, ContractAddress contract, BlockHeight height, String does) {
    var selection = simulation.selection(contract);
    require(
        selection.range(height).equals(selection.range(known.height())),
        () -> known.node() + " " + does + " in another range than its own");
  }

  private void requireNobodyBetter(
      Known known,
      ContractAddress contract,
      NodeName coordinator,
      Collection<NodeName> passed,
      String does) {
    var selection = simulation.selection(contract);
    var ranking = selection.ranking(selection.range(known.height()));
    var heartbeats = simulation.setup().settings().heartbeats();
    var heardAfter = known.now().minus(heartbeats.coordinatorFailureThreshold());
    boolean better =
        selection.group(known.height()).committee().nodes().stream()
            .filter(other -> ranking.prefers(other, coordinator) && !passed.contains(other))
            .anyMatch(other -> isHeard(known.availability(), other, heardAfter));
    require(
        !better,
        () -> known.node() + " " + does + " for " + coordinator + " while a better one lives");
  }

  private static boolean isHeard(Availability known, NodeName node, Instant after) {
    var sign = known.heard().get(node);
    return sign != null && !sign.at().isBefore(after);
  }

  private static void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise.get());
    }
  }
}
