package dev.sequitur.protocol.endorser;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Endorses for the parties of one node in one contract. Every request is answered, with an
 * endorsement or an error (EDR-2).
 */
public record Endorser(Setup setup) {
  private static final Domain.Endorsement IS_THERE =
      new Domain.Endorsement.Refused(
          "It makes what stands on the ledger already, and this node holds it: the node that assembled"
              + " it lacks contents, or has not read so far.");

  /** What does not change while an endorser of one contract lives. */
  public record Setup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings,
      Domain domain,
      Keys keys,
      Signatures signatures) {}

  /** What an endorser answers to. */
  public sealed interface Input {
    /** A message of another node, or of this one. */
    record FromNode(Received<? extends Message.ForEndorser> received) implements Input {}

    /**
     * The answer to {@link Effect.LookUp}.
     *
     * @param onLedger which of the states stand on the ledger, as far as this node knows
     */
    record LookedUp(Received<EndorsementRequest> received, Set<StateId> onLedger) implements Input {
      public LookedUp {
        onLedger = Set.copyOf(onLedger);
      }
    }

    /** A final block was indexed. */
    record BlockIndexed(BlockHeight height) implements Input {}

    /**
     * What this node's state store says of itself.
     *
     * @param stopped why nothing may be done upon what it holds (DST-10)
     */
    record StoreTold(Optional<String> stopped) implements Input {}

    /**
     * The answer to {@link Effect.Sign}.
     *
     * @param signature empty if who holds the key has not signed
     */
    record Signed(Effect.Sign asked, Optional<Bytes> signature) implements Input {}

    record Tick() implements Input {}
  }

  /** What an endorser asks its actor to do, besides sending messages. */
  public sealed interface Effect {
    /** Tell this node's coordinator that the contract is in use (HBT-4). */
    record TellActivity() implements Effect {}

    /**
     * Ask this node's state store which of these stand on the ledger (EDR-7). The request is
     * answered then, or after a moment without an answer.
     */
    record LookUp(Received<EndorsementRequest> received, List<StateId> states) implements Effect {
      public LookUp {
        states = List.copyOf(states);
      }
    }

    /**
     * Have the party's key sign, which is not here; the request is answered then. Who gets no
     * answer asks again.
     *
     * @param key of the party, as the group knows it
     * @param message whose Keccak-256 hash is signed
     * @param response complete but for the signature
     */
    record Sign(
        Received<EndorsementRequest> received,
        Verifier key,
        Bytes message,
        EndorsementResponse response)
        implements Effect {}
  }

  /**
   * What an endorser knows, in memory only.
   *
   * @param activityTold in this life
   * @param stopped why it endorses nothing (DST-10)
   */
  public record State(
      BlockHeight height,
      Availability availability,
      boolean activityTold,
      Optional<String> stopped) {
    private State at(BlockHeight newHeight) {
      return newHeight.compareTo(height) < 0
          ? this
          : new State(newHeight, availability, activityTold, stopped);
    }

    private State told(Optional<String> why) {
      return new State(height, availability, activityTold, why);
    }

    private State heard(
        NodeName node, Instant now, Optional<CoordinatorHeartbeatNotification> heartbeat) {
      var sequence = heartbeat.map(CoordinatorHeartbeatNotification::heartbeatId);
      return new State(height, availability.heard(node, now, sequence), activityTold, stopped);
    }
  }

  /**
   * Stores nothing: each life begins anew.
   *
   * @param height how far the node has read the base ledger when this life begins
   */
  public Machine<Input, State, Void, Effect> machine(BlockHeight height) {
    return Machine.storingNothing(
        new State(height, Availability.UNKNOWN, false, Optional.empty()),
        this::decide,
        new Input.Tick());
  }

  private Decision<State, Void, Effect> decide(State state, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(state, now);
    switch (input) {
      case Input.FromNode(var received) -> onMessage(step, received);
      case Input.LookedUp(var received, var onLedger) -> answer(step, received, onLedger);
      case Input.Signed(var asked, var signature) ->
          signature.ifPresent(value -> reply(step, asked.received(), signed(asked, value)));
      case Input.BlockIndexed(var height) -> step.become(state.at(height));
      case Input.StoreTold(var stopped) -> step.become(state.told(stopped));
      // It answers at once and waits for nothing.
      case Input.Tick ignored -> {}
    }
    return step.finish();
  }

  private void onMessage(
      Step<State, Void, Effect> step, Received<? extends Message.ForEndorser> received) {
    var state = step.state();
    switch (received.message()) {
      case EndorsementRequest request -> {
        if (!state.activityTold()) {
          step.become(new State(state.height(), state.availability(), true, state.stopped()));
          step.effect(new Effect.TellActivity());
        }
        var asked = received.with(request);
        var made = madeOfNothing(request);
        if (made.isEmpty() || refusal(state, asked, step.now()).isPresent()) {
          answer(step, asked, Set.of());
        } else {
          step.effect(new Effect.LookUp(asked, made));
        }
      }
      case CoordinatorHeartbeatNotification heartbeat ->
          step.become(state.heard(received.from(), step.now(), Optional.of(heartbeat)));
      case StartupNotification ignored ->
          step.become(state.heard(received.from(), step.now(), Optional.empty()));
    }
  }

  private static void reply(
      Step<State, Void, Effect> step, Received<EndorsementRequest> asked, Message answer) {
    step.reply(asked.from(), asked.id(), answer);
  }

  /**
   * What is made by those that spend nothing: nothing else shows that they assume what is not so. A
   * member that lacks the current version of a record makes a first one.
   */
  private static List<StateId> madeOfNothing(EndorsementRequest request) {
    return request.items().stream()
        .filter(item -> item.inputStates().isEmpty())
        .flatMap(item -> item.outputStates().stream())
        .map(PrivateState::id)
        .toList();
  }

  /**
   * Answers one request, or has the answer signed elsewhere first.
   *
   * @param onLedger of what its items make, as far as it was looked up
   */
  private void answer(
      Step<State, Void, Effect> step,
      Received<EndorsementRequest> received,
      Set<StateId> onLedger) {
    var request = received.message();
    var intents = intents(request);
    var reason = refusal(step.state(), received, step.now());
    if (reason.isPresent()) {
      reply(step, received, error(request, reason.get()));
      return;
    }
    var group = setup.selection().group(step.state().height());
    var senders = new SenderProofs(group, setup.signatures());
    var endorsed = new ArrayList<IntentKey>();
    var transitions = new ArrayList<Hash>();
    var refused = new ArrayList<EndorsementResponse.Refused>();
    for (int i = 0; i < intents.size(); i++) {
      var item = request.items().get(i);
      var intent = intents.get(i);
      var transition = item.transition(intent);
      var checked =
          item.outputStates().stream().map(PrivateState::id).anyMatch(onLedger::contains)
              ? IS_THERE
              : endorse(group, request, item, transition, senders);
      switch (checked) {
        case Domain.Endorsement.Endorsed() -> {
          endorsed.add(intent);
          transitions.add(transition);
        }
        case Domain.Endorsement.Refused(var why) ->
            refused.add(new EndorsementResponse.Refused(intent, why));
      }
    }
    var unsigned =
        new EndorsementResponse(
            request.idempotencyKey(),
            request.contract(),
            request.party(),
            request.attestationRequest().name(),
            endorsed,
            Optional.empty(),
            refused);
    if (endorsed.isEmpty()) {
      reply(step, received, unsigned);
    } else {
      sign(step, group, received, unsigned, MerkleTree.of(transitions));
    }
  }

  /** Of just those that are endorsed (ATT-1). */
  private void sign(
      Step<State, Void, Effect> step,
      PrivacyGroup group,
      Received<EndorsementRequest> received,
      EndorsementResponse response,
      MerkleTree tree) {
    var party = received.message().party();
    var attestation = group.attestation(Purpose.ENDORSEMENT);
    var key = group.committee().member(party).orElseThrow().verifier();
    var sign = new Effect.Sign(received, key, attestation.message(tree), response);
    if (setup.keys().areHere(party.name())) {
      var value = setup.keys().sign(party.name(), key, attestation.digest(tree));
      reply(step, received, signed(sign, value));
    } else {
      step.effect(sign);
    }
  }

  private static EndorsementResponse signed(Effect.Sign asked, Bytes value) {
    var it = asked.response();
    return new EndorsementResponse(
        it.idempotencyKey(),
        it.contract(),
        it.party(),
        it.attestationRequestName(),
        it.endorsed(),
        Optional.of(new Signature(it.party(), asked.key(), value)),
        it.refused());
  }

  /**
   * The content is another node's: what it does to the domain must not reach the other items, nor
   * the other requests.
   */
  private Domain.Endorsement endorse(
      PrivacyGroup group,
      EndorsementRequest request,
      EndorsementRequest.Item item,
      Hash transition,
      SenderProofs senders) {
    try {
      var checked = setup.domain().endorse(group, request, item);
      return checked instanceof Domain.Endorsement.Endorsed
          ? senders
              .refusal(item, transition)
              .<Domain.Endorsement>map(Domain.Endorsement.Refused::new)
              .orElse(checked)
          : checked;
    } catch (RuntimeException e) {
      return new Domain.Endorsement.Refused("The domain cannot check this assembly.");
    }
  }

  private static List<IntentKey> intents(EndorsementRequest request) {
    return request.items().stream().map(item -> item.transaction().key()).toList();
  }

  private Optional<EndorsementError.Reason> refusal(
      State state, Received<EndorsementRequest> received, Instant now) {
    var request = received.message();
    var intents = intents(request);
    var selection = setup.selection();
    var member = selection.group(state.height()).committee().member(request.party());
    if (!request.party().node().equals(setup.self()) || member.isEmpty()) {
      return Optional.of(new EndorsementError.Refused("This node does not sign for that party."));
    }
    switch (setup.keys().standing(request.party().name(), member.get().verifier())) {
      case HELD -> {}
      case REVOKED -> {
        return Optional.of(
            new EndorsementError.Refused("The key of the party is revoked on its node."));
      }
      case UNKNOWN -> {
        return Optional.of(
            new EndorsementError.Refused(
                "The node's key of the party is not the one that the group knows."));
      }
    }
    if (new HashSet<>(intents).size() != intents.size()) {
      return Optional.of(new EndorsementError.Refused("It names a transaction twice."));
    }
    if (state.stopped().isPresent()) {
      return Optional.of(new EndorsementError.CannotEndorseNow());
    }
    if (!request.coordinator().equals(received.from())) {
      return Optional.of(new EndorsementError.Refused("Another node coordinates than asks."));
    }
    if (!selection.range(request.blockHeight()).equals(selection.range(state.height()))) {
      return Optional.of(new EndorsementError.MismatchedBlockHeight(state.height()));
    }
    var ranking = selection.ranking(selection.range(state.height()));
    var threshold = setup.settings().heartbeats().coordinatorFailureThreshold();
    return state
        .availability()
        .betterAlive(ranking, request.coordinator(), request.passedOver(), now, threshold)
        .map(EndorsementError.NotPreferredCoordinator::new);
  }

  private static EndorsementError error(
      EndorsementRequest request, EndorsementError.Reason reason) {
    return new EndorsementError(
        request.idempotencyKey(),
        request.contract(),
        reason,
        request.party(),
        request.attestationRequest().name());
  }
}
