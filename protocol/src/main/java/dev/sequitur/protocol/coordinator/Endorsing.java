package dev.sequitur.protocol.coordinator;

import static java.util.stream.Collectors.toMap;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.coordinator.AttestationBatch.Signed;
import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gathers the endorsements of the attestation plans, of as many transactions at once as are ready
 * (EDR-1). One request to a party is about a whole batch, and so is its answer.
 */
final class Endorsing {
  /** About what an item of a request takes besides its contents, and so does each of its states. */
  private static final int BYTES_AROUND = 512;

  private static final String INVALID = "its answer was not valid";
  private static final String CANNOT_NOW =
      "what its node holds differs from the ledger, and until its operator has mended that it"
          + " endorses nothing";

  private Endorsing() {}

  /**
   * The transaction is asked about with others that wait, at the end of this step or as soon as one
   * of the batches that are out is done. What was refused before goes alone, so that it holds up
   * nobody.
   */
  static void begin(CoordinatorStep step, IntentKey id) {
    if (step.get(id).setbacks().refuser().isPresent()) {
      open(step, List.of(id), true, false);
      return;
    }
    var attestations = step.state().attestations();
    step.put(step.get(id).waitsAt(attestations.next()));
    step.become(step.state().withAttestations(attestations.waitsToo(id)));
  }

  /** Closes the batches that all have left. */
  static void closeLeft(CoordinatorStep step) {
    step.takeLeft().forEach(number -> settle(step, number));
  }

  /** Opens batches while not too many are out. */
  static void next(CoordinatorStep step) {
    while (!step.state().attestations().waiting().isEmpty()
        && step.state().attestations().together()
            < step.setup.settings().limits().attestationBatches()) {
      open(step, nextBatch(step), false, false);
    }
  }

  /** Those that have waited longest and are of one plan, as many as fit into one message. */
  private static List<IntentKey> nextBatch(CoordinatorStep step) {
    var limits = step.setup.settings().limits();
    var batch = new ArrayList<IntentKey>();
    long bytes = 0;
    for (var id : step.state().attestations().waiting().values()) {
      bytes += bytes(step, id);
      if (!batch.isEmpty()
          && (batch.size() == limits.attestationBatch()
              || bytes > limits.attestationBatchBytes()
              || !plan(step, id).equals(plan(step, batch.get(0))))) {
        break;
      }
      batch.add(id);
    }
    return batch;
  }

  /** About what it adds to a message. */
  private static long bytes(CoordinatorStep step, IntentKey id) {
    var assembly = assembly(step, id);
    long bytes =
        (long) BYTES_AROUND
            + assembly.specification().size()
            + step.get(id).transaction().inputs().size();
    for (var states :
        List.of(assembly.inputs(), assembly.reads(), assembly.outputs(), assembly.info())) {
      for (var state : states) {
        bytes += BYTES_AROUND + state.data().size();
      }
    }
    return bytes;
  }

  /**
   * Asks all parties at once. If one of them has refused the transaction before, and its
   * endorsement is needed, it is asked alone first: one that refuses for good costs two messages a
   * try and not two for each member.
   *
   * @param again whether they were asked about before, and parties differed
   */
  private static void open(
      CoordinatorStep step, List<IntentKey> members, boolean alone, boolean again) {
    var attestations = step.state().attestations();
    long number = attestations.next();
    var plan = plan(step, members.get(0));
    var transitions = members.stream().collect(toMap(id -> id, id -> transition(step, id)));
    var batch = AttestationBatch.of(number, alone, plan, members, transitions).withAgain(again);
    for (var member : members) {
      var place = step.get(member).progress().place();
      if (place.isPresent()) {
        attestations = attestations.waitsNoMore(place.get());
      }
      step.put(step.get(member).in(batch));
    }
    step.become(step.state().withAttestations(attestations.opened(batch)));
    var refused = step.get(members.get(0)).setbacks().refuser();
    for (var line : plan) {
      if (refused.isPresent() && needs(line, refused.get())) {
        ask(step, number, line, List.of(refused.get()));
        return;
      }
    }
    askTheRest(step, number);
    settle(step, number);
  }

  private static boolean needs(AttestationRequest request, Identity party) {
    return request.threshold() == request.parties().size() && request.parties().contains(party);
  }

  private static void askTheRest(CoordinatorStep step, long number) {
    for (var line : batch(step, number).plan()) {
      var open = batch(step, number);
      var rest = line.parties().stream().filter(party -> !open.knows(party)).toList();
      if (!rest.isEmpty()) {
        ask(step, number, line, rest);
      }
    }
  }

  private static AttestationBatch batch(CoordinatorStep step, long number) {
    return step.state().attestations().open().get(number);
  }

  private static PostAssembly assembly(CoordinatorStep step, IntentKey id) {
    return step.state().graph().node(id).orElseThrow().assembly();
  }

  private static List<AttestationRequest> plan(CoordinatorStep step, IntentKey id) {
    return assembly(step, id).attestationPlan();
  }

  /** Hashed once for all parties and their answers. */
  private static Hash transition(CoordinatorStep step, IntentKey id) {
    var assembly = assembly(step, id);
    return Attestation.transition(
        id, assembly.inputIds(), assembly.readIds(), assembly.outputIds());
  }

  private static void ask(
      CoordinatorStep step, long number, AttestationRequest line, List<Identity> parties) {
    var intents = members(step, batch(step, number)).toList();
    var items = intents.stream().map(id -> item(step, id)).toList();
    for (var party : parties) {
      var key = step.newRequestId();
      var request =
          new EndorsementRequest(
              line,
              key,
              step.setup.group().contract(),
              party,
              items,
              step.setup.self(),
              step.state().height(),
              List.copyOf(step.state().passedOver()));
      asking(step, number, party, AttestationBatch.Request.first(key, intents, step.now()));
      step.begin(key, exchange(step, request), Subject.ENDORSEMENT, List.of());
    }
  }

  /** Those that are of it still, in order. */
  static Stream<IntentKey> members(CoordinatorStep step, AttestationBatch batch) {
    return batch.members().stream().filter(id -> isOf(step, id, batch));
  }

  private static boolean isOf(CoordinatorStep step, IntentKey id, AttestationBatch batch) {
    var transaction = step.get(id);
    return transaction != null && transaction.isOf(batch);
  }

  private static EndorsementRequest.Item item(CoordinatorStep step, IntentKey id) {
    var transaction = step.get(id);
    var assembly = assembly(step, id);
    var sender = step.group().committee().member(transaction.transaction().from());
    return new EndorsementRequest.Item(
        transaction.transaction(),
        assembly.specification(),
        sender.stream().toList(),
        assembly.proof(),
        assembly.inputs(),
        assembly.reads(),
        assembly.outputs(),
        assembly.info(),
        transaction.delegation());
  }

  private static void asking(
      CoordinatorStep step, long number, Identity party, AttestationBatch.Request request) {
    var attestations = step.state().attestations();
    step.become(
        step.state().withAttestations(attestations.asking(batch(step, number), party, request)));
  }

  private static Exchange exchange(CoordinatorStep step, EndorsementRequest request) {
    var delivery = step.setup.settings().delivery();
    return Exchange.request(
        request.party().node(),
        request,
        delivery.resend(),
        delivery.endorsementTimeout(),
        step.now());
  }

  /** The same request under a new key, after a back-off that grows with each error (EDR-4). */
  private static RequestId askLater(CoordinatorStep step, long number, Asked asked, String said) {
    end(step, asked.request().idempotencyKey());
    var key = step.newRequestId();
    var request =
        asked.request().again(key, step.state().height(), List.copyOf(step.state().passedOver()));
    asking(step, number, request.party(), asked.about().again(key, said));
    step.beginLater(
        key,
        exchange(step, request).after(asked.sends(), step.now()),
        Subject.ENDORSEMENT,
        List.of());
    return key;
  }

  private static void end(CoordinatorStep step, RequestId key) {
    step.end(key);
    step.become(step.state().withAttestations(step.state().attestations().notAsking(key)));
  }

  /**
   * A request that is out.
   *
   * @param sends how often it has been sent
   */
  private record Asked(
      AttestationBatch batch,
      AttestationBatch.Request about,
      EndorsementRequest request,
      int sends) {}

  /** What {@code party} was asked by that key, if it is on the node that answers; or null. */
  private static Asked asked(CoordinatorStep step, NodeName from, RequestId key, Identity party) {
    var number = step.state().attestations().asked().get(key);
    var exchange = step.state().exchanges().get(key);
    if (number == null || exchange.isEmpty() || !party.node().equals(from)) {
      return null;
    }
    var request = (EndorsementRequest) exchange.get().message();
    var batch = batch(step, number);
    return request.party().equals(party)
        ? new Asked(batch, batch.requests().get(party), request, exchange.get().sends())
        : null;
  }

  static void onResponse(CoordinatorStep step, Received<EndorsementResponse> received) {
    var response = received.message();
    var asked = asked(step, received.from(), response.idempotencyKey(), response.party());
    if (asked == null) {
      return;
    }
    if (!isValid(step, asked, response)) {
      step.count(Counted.INVALID_ENDORSEMENT);
      var request = asked.about().again(asked.about().key(), INVALID);
      if (!asked.about().said().equals(request.said())) {
        step.effect(new CoordinatorEffect.TellInvalid(response.party()));
      }
      asking(step, asked.batch().number(), response.party(), request);
      return;
    }
    var root = response.endorsement().map(signature -> new Signed(response.endorsed(), signature));
    var batch = asked.batch().answeredBy(response.party(), root);
    end(step, response.idempotencyKey());
    step.become(step.state().withAttestations(step.state().attestations().changed(batch)));
    for (var refused : response.refused()) {
      if (isOf(step, refused.intent(), batch)) {
        step.count(Counted.REFUSAL);
        notEndorsed(step, refused.intent(), response.party(), refused.reason());
      }
    }
    if (members(step, batch).findAny().isPresent()) {
      askTheRest(step, batch.number());
    }
    settle(step, batch.number());
  }

  /**
   * Whether the answer has each item once, in order, and a signature over just what it endorses. A
   * wrong signature would cost a whole trip to the base ledger.
   */
  private static boolean isValid(CoordinatorStep step, Asked asked, EndorsementResponse response) {
    var endorsed = new ArrayDeque<>(response.endorsed());
    var refused = new ArrayDeque<>(response.refused());
    for (var intent : asked.about().intents()) {
      if (!refused.isEmpty() && refused.peek().intent().equals(intent)) {
        refused.poll();
      } else if (!intent.equals(endorsed.poll())) {
        return false;
      }
    }
    return endorsed.isEmpty() && refused.isEmpty() && isSigned(step, asked, response);
  }

  private static boolean isSigned(CoordinatorStep step, Asked asked, EndorsementResponse response) {
    if (response.endorsement().isEmpty()) {
      return response.endorsed().isEmpty();
    }
    var endorsement = response.endorsement().get();
    var group = step.group();
    return !response.endorsed().isEmpty()
        && group
            .committee()
            .members()
            .contains(new Member(response.party(), endorsement.verifier()))
        && endorsement.party().equals(response.party())
        && step.setup
            .signatures()
            .verify(
                endorsement.verifier(),
                group
                    .attestation(Purpose.ENDORSEMENT)
                    .digest(asked.batch().tree(response.endorsed())),
                endorsement.value());
  }

  /**
   * Those of its transactions go on that are in a root which enough parties have signed; who has
   * not answered is not waited for once that are all. If all have answered, and parties differ in
   * what they endorse, the rest is asked for again.
   */
  private static void settle(CoordinatorStep step, long number) {
    var batch = batch(step, number);
    if (batch == null) {
      return;
    }
    var proofs = batch.proofs();
    var endorsed = members(step, batch).filter(proofs::containsKey).toList();
    endorsed.forEach(id -> step.put(step.get(id).fullyEndorsed(proofs.get(id))));
    var rest = members(step, batch).toList();
    if (rest.isEmpty() || waitsForNobody(step, batch)) {
      batch.keys().forEach(step::end);
      step.become(step.state().withAttestations(step.state().attestations().closed(batch)));
      askAgain(step, batch, rest);
    }
    endorsed.forEach(id -> Dispatching.onEndorsed(step, id));
  }

  /**
   * All have answered; or as many as are needed have, and the others have been silent for longer
   * than an answer takes. Else one that differs, and one that is silent, would keep from the base
   * ledger what enough endorse (EDR-8).
   */
  private static boolean waitsForNobody(CoordinatorStep step, AttestationBatch batch) {
    var exchanges = step.state().exchanges();
    return batch.requests().isEmpty()
        || (batch.hasEnoughAnswers()
            && batch.keys().stream()
                .allMatch(
                    key ->
                        exchanges.get(key).filter(each -> each.deadline().isEmpty()).isPresent()));
  }

  /**
   * Asks again about all together, and the next time about each alone, so that one that parties
   * always differ on costs the others one round.
   */
  private static void askAgain(
      CoordinatorStep step, AttestationBatch before, List<IntentKey> rest) {
    if (before.again()) {
      rest.forEach(id -> open(step, List.of(id), true, true));
    } else if (!rest.isEmpty()) {
      open(step, rest, before.alone(), true);
    }
  }

  static void onError(CoordinatorStep step, Received<EndorsementError> received) {
    var error = received.message();
    var asked = asked(step, received.from(), error.idempotencyKey(), error.party());
    if (asked == null) {
      return;
    }
    switch (error.reason()) {
      case EndorsementError.Refused(var reason) -> {
        step.count(Counted.REFUSAL);
        noneEndorsed(step, asked.batch(), error.party(), reason);
      }
      case EndorsementError.NotPreferredCoordinator(var preferred) -> {
        if (step.group().committee().hasMemberOn(preferred)) {
          // The endorser may have evidence that this node lacks, or none at all.
          Liveness.askWhetherAlive(step, preferred);
        }
        askLater(step, asked.batch().number(), asked, "it prefers " + preferred + " to coordinate");
      }
      // Whoever is behind catches up: the endorser, or this node, whose index then ends the range.
      case EndorsementError.MismatchedBlockHeight(var observed) ->
          askLater(
              step,
              asked.batch().number(),
              asked,
              "it is at block %s, in another range than block %s here"
                  .formatted(observed, step.state().height()));
      // As if it were silent: it may be for long, and is nothing against the transactions.
      case EndorsementError.CannotEndorseNow() -> {
        var later = askLater(step, asked.batch().number(), asked, CANNOT_NOW);
        step.state().exchanges().get(later).ifPresent(again -> waitOn(step, later, again));
      }
    }
  }

  /**
   * Who is silent has refused nothing: it is asked on, for as long as its endorsement is needed
   * (EDR-8).
   */
  static void onTimeout(CoordinatorStep step, RequestId request, Exchange unanswered) {
    waitOn(step, request, unanswered);
  }

  /**
   * Goes on asking a party for as long as it takes. The batch of the request holds up no other any
   * more.
   */
  private static void waitOn(CoordinatorStep step, RequestId request, Exchange unanswered) {
    var number = step.state().attestations().asked().get(request);
    if (number == null) {
      return;
    }
    var attestations = step.state().attestations().holdsUpNobody(batch(step, number));
    step.become(step.state().withAttestations(attestations));
    step.beginLater(request, unanswered.patient(), Subject.ENDORSEMENT, List.of());
    settle(step, number);
  }

  /** Who has not answered, of those who were asked about it for longer than an answer takes. */
  static List<CoordinatorHeartbeatNotification.Asked> unanswered(
      CoordinatorStep step, AttestationBatch batch) {
    var asked = new ArrayList<CoordinatorHeartbeatNotification.Asked>();
    batch
        .requests()
        .forEach(
            (party, request) -> {
              if (WaitedFor.isLong(step, request.since())) {
                int times =
                    step.state().exchanges().get(request.key()).map(Exchange::sends).orElse(0);
                asked.add(
                    new CoordinatorHeartbeatNotification.Asked(
                        party, request.since(), times, trouble(step, party, request)));
              }
            });
    return asked;
  }

  /** Why there is no answer: that there is no connection, or else what the party said last. */
  private static Optional<String> trouble(
      CoordinatorStep step, Identity party, AttestationBatch.Request request) {
    return step.setup
        .links()
        .trouble(party.node())
        .map(why -> "no connection to %s (%s)".formatted(party.node(), why))
        .or(request::said);
  }

  private static void noneEndorsed(
      CoordinatorStep step, AttestationBatch batch, Identity by, String reason) {
    for (var id : batch.members()) {
      if (isOf(step, id, batch)) {
        notEndorsed(step, id, by, reason);
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
      tellSender(step, transaction, "Endorsement refused by %s: %s".formatted(by, reason));
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
        List.of());
  }
}
