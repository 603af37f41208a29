package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.util.Optional;

/** Gathers the endorsements of the attestation plan (EDR-1). */
final class Endorsing {
  private Endorsing() {}

  /**
   * Asks all parties at once. If one of them has refused the transaction before, and its
   * endorsement is needed, it is asked alone first: one that refuses for good costs two messages a
   * try and not two for each member.
   */
  static void begin(CoordinatorStep step, IntentKey id) {
    var refused = step.get(id).setbacks().refuser();
    for (var request : assembly(step, id).attestationPlan()) {
      if (refused.isPresent() && needs(request, refused.get())) {
        ask(step, id, request, refused.get());
        return;
      }
    }
    askTheRest(step, id);
    settleIfEnough(step, id);
  }

  private static boolean needs(AttestationRequest request, Identity party) {
    return request.threshold() == request.parties().size() && request.parties().contains(party);
  }

  private static void askTheRest(CoordinatorStep step, IntentKey id) {
    for (var request : assembly(step, id).attestationPlan()) {
      for (var party : request.parties()) {
        var transaction = step.get(id);
        if (!transaction.endorsements().containsKey(party)
            && !transaction.requests().containsKey(party)) {
          ask(step, id, request, party);
        }
      }
    }
  }

  private static PostAssembly assembly(CoordinatorStep step, IntentKey id) {
    return step.state().graph().node(id).orElseThrow().assembly();
  }

  private static void ask(
      CoordinatorStep step, IntentKey id, AttestationRequest attestation, Identity party) {
    var key = step.newRequestId();
    var exchange = exchange(step, id, attestation, new Asked(party, key));
    step.put(step.get(id).asking(party, key));
    step.begin(key, exchange, Subject.ENDORSEMENT, Optional.of(id));
  }

  /** The same request under a new key, after a back-off that grows with each error (EDR-4). */
  private static void askLater(CoordinatorStep step, IntentKey id, EndorsementError error) {
    int sends = step.state().exchanges().get(error.idempotencyKey()).map(Exchange::sends).orElse(0);
    step.end(error.idempotencyKey());
    for (var attestation : assembly(step, id).attestationPlan()) {
      if (attestation.name().equals(error.attestationRequestName())) {
        var key = step.newRequestId();
        var exchange = exchange(step, id, attestation, new Asked(error.party(), key));
        step.put(step.get(id).asking(error.party(), key));
        step.beginLater(
            key, exchange.after(sends, step.now()), Subject.ENDORSEMENT, Optional.of(id));
      }
    }
  }

  private record Asked(Identity party, RequestId key) {}

  private static Exchange exchange(
      CoordinatorStep step, IntentKey id, AttestationRequest attestation, Asked asked) {
    var transaction = step.get(id);
    var assembly = assembly(step, id);
    var group = step.setup.group();
    var request =
        new EndorsementRequest(
            attestation,
            asked.key(),
            id.transaction(),
            group.contract(),
            asked.party(),
            transaction.transaction(),
            assembly.specification(),
            group.committee().member(transaction.transaction().from()).stream().toList(),
            assembly.signatures(),
            assembly.inputs(),
            assembly.reads(),
            assembly.outputs(),
            assembly.info(),
            step.setup.self(),
            step.state().height(),
            transaction.delegation());
    var delivery = step.setup.settings().delivery();
    return Exchange.request(
        asked.party().node(),
        request,
        delivery.resend(),
        delivery.endorsementTimeout(),
        step.now());
  }

  static void onResponse(CoordinatorStep step, Received<EndorsementResponse> received) {
    var response = received.message();
    var transaction = step.asked(response.idempotencyKey(), response.transactionId());
    if (transaction == null
        || !response.party().node().equals(received.from())
        || !response.idempotencyKey().equals(transaction.requests().get(response.party()))) {
      return;
    }
    if (!isValid(step, transaction.key(), response)) {
      step.count(Counted.INVALID_ENDORSEMENT);
      return;
    }
    step.end(response.idempotencyKey());
    step.put(transaction.endorsedBy(response.endorsement()));
    if (transaction.setbacks().refuser().equals(Optional.of(response.party()))) {
      askTheRest(step, transaction.key());
    }
    settleIfEnough(step, transaction.key());
  }

  /** A wrong signature would cost a whole trip to the base ledger. */
  private static boolean isValid(CoordinatorStep step, IntentKey id, EndorsementResponse response) {
    var member = step.setup.group().committee().member(response.party());
    var endorsement = response.endorsement();
    if (member.isEmpty()
        || !endorsement.party().equals(response.party())
        || !endorsement.verifier().equals(member.get().verifier())) {
      return false;
    }
    var digest =
        step.setup
            .group()
            .attestation(Purpose.ENDORSEMENT)
            .digest(assembly(step, id).transition(id), MerklePath.ALONE);
    return step.setup.signatures().verify(member.get().verifier(), digest, endorsement.value());
  }

  private static void settleIfEnough(CoordinatorStep step, IntentKey id) {
    var transaction = step.get(id);
    for (var request : assembly(step, id).attestationPlan()) {
      long given =
          request.parties().stream().filter(transaction.endorsements()::containsKey).count();
      if (given < request.threshold()) {
        return;
      }
    }
    transaction.requests().values().forEach(step::end);
    step.put(transaction.fullyEndorsed());
    Dispatching.onEndorsed(step, id);
  }

  static void onError(CoordinatorStep step, Received<EndorsementError> received) {
    var error = received.message();
    var transaction = step.asked(error.idempotencyKey(), error.transactionId());
    if (transaction == null
        || !error.party().node().equals(received.from())
        || !error.idempotencyKey().equals(transaction.requests().get(error.party()))) {
      return;
    }
    switch (error.reason()) {
      case EndorsementError.Refused(var reason) -> {
        step.count(Counted.REFUSAL);
        notEndorsed(step, transaction.key(), error.party(), reason);
      }
      case EndorsementError.NotPreferredCoordinator(var preferred) -> {
        if (step.setup.group().committee().hasMemberOn(preferred)) {
          // The endorser may have evidence that this node lacks, or none at all.
          Liveness.askWhetherAlive(step, preferred);
        }
        askLaterIfStillHere(step, transaction.key(), error);
      }
      // Whoever is behind catches up: the endorser, or this node, whose index then ends the range.
      case EndorsementError.MismatchedBlockHeight ignored ->
          askLaterIfStillHere(step, transaction.key(), error);
    }
  }

  private static void askLaterIfStillHere(
      CoordinatorStep step, IntentKey id, EndorsementError error) {
    var transaction = step.get(id);
    if (transaction != null && transaction.state() == CoordinatedState.ATTESTATION) {
      askLater(step, id, error);
    }
  }

  /** Silence for too long counts as a refusal. */
  static void onTimeout(CoordinatorStep step, IntentKey id, RequestId request) {
    var transaction = step.get(id);
    if (transaction == null) {
      return;
    }
    for (var asked : transaction.requests().entrySet()) {
      if (asked.getValue().equals(request)) {
        notEndorsed(step, id, asked.getKey(), "an endorser did not answer in time");
        return;
      }
    }
  }

  /** The transaction and what depends on it leave the graph and are assembled anew (EDR-5). */
  private static void notEndorsed(CoordinatorStep step, IntentKey id, Identity by, String reason) {
    var transaction = step.get(id);
    if (transaction == null) {
      return;
    }
    var setbacks = transaction.setbacks().refusedBy(by);
    boolean tooOften = setbacks.refusals() >= step.setup.settings().retries().maxRefusals();
    var event = tooOften ? CoordinatedEvent.REFUSED_TOO_OFTEN : CoordinatedEvent.NOT_ENDORSED;
    if (!step.move(id, event)) {
      return;
    }
    if (tooOften) {
      tellSender(step, transaction, "Endorsement refused: " + reason);
    } else {
      Assembling.requeueAfterRefusal(step, id, setbacks);
    }
    Assembling.next(step);
  }

  /** The coordinator gives up on it; the sender decides (SUB-5). */
  static void tellSender(CoordinatorStep step, CoordinatedTransaction transaction, String reason) {
    var notification = step.newRequestId();
    var message =
        new TransactionReverted(
            notification,
            transaction.id(),
            step.setup.group().contract(),
            Optional.empty(),
            reason,
            true);
    var delivery = step.setup.settings().delivery();
    step.begin(
        notification,
        Exchange.reliableNotification(
            transaction.sender(), message, delivery.resendNotification(), step.now()),
        Subject.NOTIFICATION,
        Optional.empty());
  }
}
