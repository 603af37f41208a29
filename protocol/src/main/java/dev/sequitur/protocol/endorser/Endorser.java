package dev.sequitur.protocol.endorser;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Instant;
import java.util.Optional;

/**
 * Endorses for the parties of one node in one contract. Every request is answered, with an
 * endorsement or an error (EDR-2).
 */
public final class Endorser {
  private final Setup setup;

  /** What does not change while an endorser of one contract lives. */
  public record Setup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings,
      Domain domain,
      Keys keys) {}

  /** What an endorser knows, in memory only. */
  public record State(BlockHeight height, Availability availability) {
    public static State initial(BlockHeight height) {
      return new State(height, Availability.UNKNOWN);
    }

    public State at(BlockHeight newHeight) {
      return newHeight.compareTo(height) < 0 ? this : new State(newHeight, availability);
    }

    private State heard(NodeName node, Instant now, CoordinatorHeartbeatNotification heartbeat) {
      return new State(height, availability.heard(node, now, Optional.of(heartbeat.heartbeatId())));
    }

    private State alive(NodeName node, Instant now) {
      return new State(height, availability.heard(node, now, Optional.empty()));
    }
  }

  public Endorser(Setup setup) {
    this.setup = setup;
  }

  public Setup setup() {
    return setup;
  }

  /** Evidence of which coordinators live. */
  public State onHeartbeat(
      State state, Received<CoordinatorHeartbeatNotification> received, Instant now) {
    return state.heard(received.from(), now, received.message());
  }

  public State onStartup(State state, NodeName from, Instant now) {
    return state.alive(from, now);
  }

  /** The answer to one request. */
  public Outgoing onRequest(State state, Received<EndorsementRequest> received, Instant now) {
    var request = received.message();
    var reason = refusal(state, received, now);
    if (reason.isPresent()) {
      return error(received, reason.get());
    }
    var member = setup.group().committee().member(request.party()).orElseThrow();
    return switch (endorse(request)) {
      case Domain.Endorsement.Endorsed(var signature) ->
          new Outgoing(
              received.from(),
              new EndorsementResponse(
                  request.transactionId(),
                  request.idempotencyKey(),
                  request.contract(),
                  new Signature(request.party(), member.verifier(), signature),
                  request.party(),
                  request.attestationRequest().name()),
              Optional.of(received.id()));
      case Domain.Endorsement.Refused(var why) ->
          error(received, new EndorsementError.Refused(why));
    };
  }

  /**
   * The content is another node's: what it does to the domain must not reach the other requests.
   */
  private Domain.Endorsement endorse(EndorsementRequest request) {
    try {
      return setup.domain().endorse(setup.group(), request, setup.keys());
    } catch (RuntimeException e) {
      return new Domain.Endorsement.Refused("The domain cannot check this assembly.");
    }
  }

  private Optional<EndorsementError.Reason> refusal(
      State state, Received<EndorsementRequest> received, Instant now) {
    var request = received.message();
    var selection = setup.selection();
    if (!request.party().node().equals(setup.self())
        || setup.group().committee().member(request.party()).isEmpty()) {
      return Optional.of(new EndorsementError.Refused("This node does not sign for that party."));
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
        .betterAlive(ranking, request.coordinator(), now, threshold)
        .map(EndorsementError.NotPreferredCoordinator::new);
  }

  private static Outgoing error(
      Received<EndorsementRequest> received, EndorsementError.Reason reason) {
    var request = received.message();
    return new Outgoing(
        received.from(),
        new EndorsementError(
            request.transactionId(),
            request.idempotencyKey(),
            request.contract(),
            reason,
            request.party(),
            request.attestationRequest().name()),
        Optional.of(received.id()));
  }
}
