package dev.sequitur.protocol.coordinator;

import static java.util.stream.Collectors.toMap;

import dev.sequitur.protocol.coordinator.CoordinatorState.Handed;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * From endorsed to dispatched. Leave is asked for once all that a transaction depends on is ready,
 * and it is dispatched after all that must reach the ledger before it (DSP-1, DSP-6).
 */
final class Dispatching {
  private Dispatching() {}

  /** Endorsements are complete: this, and what waited for it, may be ready. */
  static void onEndorsed(CoordinatorStep step, IntentKey id) {
    var open = new ArrayDeque<IntentKey>(List.of(id));
    while (!open.isEmpty()) {
      var next = open.poll();
      var transaction = step.get(next);
      if (transaction != null
          && transaction.state() == CoordinatedState.ATTESTATION
          && transaction.endorsed()
          && mayGoOn(step, transaction)) {
        becomeReady(step, transaction);
        open.addAll(step.state().graph().node(next).orElseThrow().dependants());
      }
    }
  }

  /**
   * What a caller submits goes by no nonce sequence of this node's, so it is not given away before
   * all that it comes after is confirmed (EXT-4).
   */
  private static boolean mayGoOn(CoordinatorStep step, CoordinatedTransaction transaction) {
    return transaction.isExternal()
        ? step.state().graph().node(transaction.key()).orElseThrow().predecessors().isEmpty()
        : predecessorsAre(step, transaction.key(), CoordinatedTransaction::isReady);
  }

  /** Called when what these came after has left the graph or is confirmed: they may go on. */
  static void onReleased(CoordinatorStep step, Set<IntentKey> released) {
    for (var id : released) {
      if (step.get(id) != null && step.state().graph().node(id).isPresent()) {
        onEndorsed(step, id);
      }
    }
    dispatchFrom(
        step, released.stream().filter(id -> step.state().graph().node(id).isPresent()).toList());
  }

  /** A predecessor that is not coordinated here any longer was dispatched by this node before. */
  private static boolean predecessorsAre(
      CoordinatorStep step, IntentKey id, Predicate<CoordinatedTransaction> property) {
    for (var predecessor : step.state().graph().node(id).orElseThrow().predecessors()) {
      var transaction = step.get(predecessor);
      if (transaction != null && !property.test(transaction)) {
        return false;
      }
    }
    return true;
  }

  private static void becomeReady(CoordinatorStep step, CoordinatedTransaction transaction) {
    if (transaction.isExternal()) {
      step.move(transaction.key(), CoordinatedEvent.READY_TO_DISTRIBUTE);
    } else {
      step.move(transaction.key(), CoordinatedEvent.READY_TO_DISPATCH);
    }
  }

  /** With all that becomes ready in this step. */
  static void ask(CoordinatorStep step, CoordinatedTransaction transaction) {
    step.wantLeave(transaction.key());
  }

  /** The delegation id has changed while the sender was being asked. */
  static void askAgain(CoordinatorStep step, CoordinatedTransaction transaction) {
    if (!transaction.granted()) {
      var before = transaction.confirmation().flatMap(step.state().exchanges()::get);
      transaction.confirmation().ifPresent(request -> step.notAbout(request, transaction.key()));
      step.put(transaction.confirmationAsked(Optional.empty()));
      before.ifPresentOrElse(
          asked -> step.wantLeaveInPlaceOf(asked, transaction.key()), () -> ask(step, transaction));
    }
  }

  /**
   * What a sender is asked about at once.
   *
   * @param deadline of what this takes the place of
   */
  private record Asked(NodeName sender, Optional<Instant> deadline) {}

  /** Each sender is asked about all of its own at once, as many as fit into a request. */
  static void askForLeave(CoordinatorStep step) {
    var together = new LinkedHashMap<Asked, List<IntentKey>>();
    var wanted = step.takeLeaveWanted();
    wanted.forEach(
        (id, before) -> {
          var transaction = step.get(id);
          if (transaction != null
              && transaction.state() == CoordinatedState.CONFIRMATION
              && transaction.confirmation().isEmpty()) {
            var asked = new Asked(transaction.sender(), before.flatMap(Exchange::deadline));
            together.computeIfAbsent(asked, one -> new ArrayList<>()).add(id);
          }
        });
    int most = step.setup.settings().limits().attestationBatch();
    together.forEach(
        (asked, all) -> {
          for (int from = 0; from < all.size(); from += most) {
            var part = all.subList(from, Math.min(from + most, all.size()));
            ask(step, asked.sender(), part, wanted.get(part.get(0)));
          }
        });
  }

  private static void ask(
      CoordinatorStep step,
      NodeName sender,
      List<IntentKey> together,
      Optional<Exchange> inPlaceOf) {
    var requestId = step.newRequestId();
    var items = new ArrayList<RequestDispatchConfirmation.Item>();
    for (var id : together) {
      var transaction = step.get(id);
      var assembly = step.state().graph().node(id).orElseThrow().assembly();
      items.add(
          new RequestDispatchConfirmation.Item(
              id.transaction(),
              transaction.delegation(),
              assembly.confirmationHash(id.transaction(), transaction.delegation())));
      step.put(transaction.confirmationAsked(Optional.of(requestId)));
    }
    var request =
        new RequestDispatchConfirmation(
            requestId, step.setup.group().contract(), step.setup.self(), items);
    var delivery = step.setup.settings().delivery();
    var requests = step.state().requests();
    var patience = requests.leaves().patience(sender, delivery.confirmationTimeout());
    var asked = Exchange.request(sender, request, delivery.resend(), patience, step.now());
    var goesOut = inPlaceOf.map(asked::inPlaceOf).orElse(asked);
    step.become(
        step.state()
            .withRequests(
                requests.withLeaves(
                    requests.leaves().asked(requestId, goesOut, delivery.confirmationTimeout()))));
    step.begin(requestId, goesOut, Subject.CONFIRMATION, List.copyOf(together));
  }

  /**
   * What is granted is dispatched together; what is denied is assembled anew, with what depends on
   * it. What the sender cannot tell yet is asked for again.
   */
  static void onResponse(CoordinatorStep step, Received<DispatchConfirmationResponse> received) {
    var response = received.message();
    var request = response.requestId();
    if (request.equals(DispatchConfirmationResponse.UNASKED)) {
      letGo(step, received.from(), response.denied());
      return;
    }
    var requests = step.state().requests();
    var measured = requests.leaves().answered(request, received.from(), step.now());
    step.become(step.state().withRequests(requests.withLeaves(measured)));
    var purpose = step.state().purposes().get(request);
    if (purpose == null
        || purpose.subject() != Subject.CONFIRMATION
        || !step.isSentTo(received.from(), request)) {
      return;
    }
    var asked =
        purpose.transactions().stream()
            .collect(toMap(IntentKey::transaction, id -> id, (id, same) -> id));
    if (response.denied().stream()
        .map(denied -> asked.get(denied.transaction()))
        .anyMatch(id -> id != null && step.isAbout(request, id))) {
      var exchange = step.state().exchanges().get(request);
      exchange.ifPresent(
          it ->
              Assembling.inVain(step, it, step.setup.settings().delivery().confirmationTimeout()));
    }
    for (var denied : response.denied()) {
      var id = asked.get(denied.transaction());
      if (id != null && step.isAbout(request, id)) {
        abandon(step, id, CoordinatedEvent.DISPATCH_DENIED);
      }
    }
    var granted = new ArrayList<IntentKey>();
    for (var each : response.granted()) {
      var id = asked.get(each.transaction());
      if (id != null && step.isAbout(request, id)) {
        step.notAbout(request, id);
        step.put(step.get(id).dispatchGranted());
        granted.add(id);
      }
    }
    dispatchFrom(step, granted);
  }

  /** What has ended at its sender is no longer worth a lock (SND-9). */
  private static void letGo(
      CoordinatorStep step, NodeName sender, List<DispatchConfirmationResponse.Denied> denied) {
    var newest = new HashMap<TransactionId, DelegationId>();
    denied.forEach(each -> newest.put(each.transaction(), each.delegationId()));
    for (var transaction : step.state().transactions().values()) {
      var told = newest.get(transaction.id());
      // One that was delegated after that is not meant.
      if (told != null
          && transaction.sender().equals(sender)
          && !transaction.delegation().isLaterThan(told)) {
        abandon(step, transaction.key(), CoordinatedEvent.ENDED_AT_SENDER);
      }
    }
  }

  /** The sender has not answered in time. */
  static void onTimeout(CoordinatorStep step, Exchange unanswered, List<IntentKey> asked) {
    Assembling.silent(step, unanswered);
    asked.forEach(id -> abandon(step, id, CoordinatedEvent.CONFIRMATION_TIMEOUT));
  }

  private static void dispatchFrom(CoordinatorStep step, Collection<IntentKey> first) {
    var batch = new HashSet<IntentKey>();
    var open = new ArrayDeque<IntentKey>(first);
    while (!open.isEmpty()) {
      var id = open.poll();
      var transaction = step.get(id);
      if (transaction != null
          && transaction.state() == CoordinatedState.CONFIRMATION
          && transaction.granted()
          && predecessorsAre(step, id, Dispatching::isHanded)) {
        step.move(id, CoordinatedEvent.DISPATCH);
        batch.add(id);
        open.addAll(step.state().graph().node(id).orElseThrow().dependants());
      }
    }
    handOver(step, batch);
  }

  /**
   * In the order of their dispatch, and before them what they come after as far as the submitter is
   * not known to have it: what is handed over may be lost on its way, and nothing may overtake what
   * it comes after (DSP-6).
   */
  private static void handOver(CoordinatorStep step, Set<IntentKey> dispatched) {
    if (dispatched.isEmpty()) {
      return;
    }
    var wanted = new HashSet<IntentKey>();
    var open = new ArrayDeque<IntentKey>(dispatched);
    while (!open.isEmpty()) {
      var id = open.poll();
      var transaction = step.get(id);
      boolean taken = transaction != null && transaction.committed();
      if (!taken && wanted.add(id)) {
        step.state().graph().node(id).ifPresent(node -> open.addAll(node.predecessors()));
      }
    }
    step.effect(
        new CoordinatorEffect.HandToSubmitter(
            step.state().handed().values().stream()
                .map(Handed::dispatch)
                .filter(dispatch -> wanted.contains(dispatch.prepared().intent()))
                .toList()));
  }

  private static boolean isHanded(CoordinatedTransaction transaction) {
    return transaction.state() == CoordinatedState.DISPATCHED;
  }

  static void hand(CoordinatorStep step, CoordinatedTransaction transaction) {
    var id = transaction.key();
    var assembly = step.state().graph().node(id).orElseThrow().assembly();
    long order = step.state().requests().next();
    var dispatch =
        new Dispatch(
            step.newRequestId(),
            step.setup.group().contract(),
            transaction.sender(),
            transaction.delegation(),
            step.setup.selection().range(transaction.delegatedAt()),
            prepared(step, id),
            assembly.outputs());
    step.become(
        step.state()
            .withHanded(
                step.state()
                    .handed()
                    .plus(order, new Handed(dispatch, step.now().plus(handAgainAfter(step))))));
  }

  private static Duration handAgainAfter(CoordinatorStep step) {
    return step.setup.settings().delivery().resend().cap();
  }

  private static PreparedTransaction prepared(CoordinatorStep step, IntentKey id) {
    var assembly = step.state().graph().node(id).orElseThrow().assembly();
    var proof = step.get(id).progress().proof().orElseThrow();
    return new PreparedTransaction(
        id,
        step.setup.group().contract(),
        assembly.inputIds(),
        assembly.readIds(),
        assembly.outputIds(),
        proof);
  }

  /** What the submitter has not committed in time is handed over again, in order. */
  static void handAgain(CoordinatorStep step) {
    var again = new HashSet<IntentKey>();
    var handed = step.state().handed();
    for (var entry : step.state().handed().entrySet()) {
      if (!entry.getValue().resendAt().isAfter(step.now())) {
        var dispatch = entry.getValue().dispatch();
        again.add(dispatch.prepared().intent());
        handed =
            handed.plus(
                entry.getKey(), new Handed(dispatch, step.now().plus(handAgainAfter(step))));
      }
    }
    step.become(step.state().withHanded(handed));
    handOver(step, again);
  }

  /** The sender denies, or is silent (DSP-5): what depends on it is assembled anew. */
  static void abandon(CoordinatorStep step, IntentKey id, CoordinatedEvent why) {
    if (step.move(id, why)) {
      Assembling.next(step);
      Ranges.endIfNothingLeft(step);
    }
  }

  /** The submitter has committed: each sender is told of all of its own at once (DSP-7). */
  static void onCommitted(CoordinatorStep step, List<IntentKey> transactions) {
    var bySender = new LinkedHashMap<NodeName, List<Dispatched.Item>>();
    for (var dispatch : taken(step, Set.copyOf(transactions))) {
      bySender
          .computeIfAbsent(dispatch.sender(), sender -> new ArrayList<>())
          .add(new Dispatched.Item(dispatch.prepared().transaction(), dispatch.delegationId()));
    }
    bySender.forEach((sender, items) -> tellDispatched(step, sender, items));
    for (var id : transactions) {
      var transaction = step.get(id);
      if (transaction != null && transaction.state() == CoordinatedState.DISPATCHED) {
        step.put(transaction.dispatchCommitted());
      }
    }
  }

  static void tellDispatched(CoordinatorStep step, NodeName sender, List<Dispatched.Item> items) {
    step.send(sender, new Dispatched(step.setup.group().contract(), items, step.setup.self()));
  }

  /**
   * Hands these over no more: the submitter has them, or has had them. It has taken also those
   * whose end it tells, though this coordinator may not have heard of that.
   *
   * @return those that were still handed over, in order
   */
  static List<Dispatch> taken(CoordinatorStep step, Set<IntentKey> transactions) {
    var taken = new ArrayList<Dispatch>();
    var handed = step.state().handed();
    for (var entry : step.state().handed().entrySet()) {
      var dispatch = entry.getValue().dispatch();
      if (transactions.contains(dispatch.prepared().intent())) {
        handed = handed.minus(entry.getKey());
        taken.add(dispatch);
      }
    }
    step.become(step.state().withHanded(handed));
    return taken;
  }

  static void distribute(CoordinatorStep step, CoordinatedTransaction transaction) {
    var id = transaction.key();
    var requestId = step.newRequestId();
    var message =
        new PreparedTransactionDistribution(
            requestId,
            step.setup.group().contract(),
            transaction.delegation(),
            prepared(step, id),
            step.state().graph().node(id).orElseThrow().assembly().outputs());
    var delivery = step.setup.settings().delivery();
    step.put(transaction.confirmationAsked(Optional.of(requestId)));
    step.begin(
        requestId,
        Exchange.reliableNotification(
            transaction.sender(), message, delivery.resendNotification(), step.now()),
        Subject.NOTIFICATION,
        List.of(id));
  }

  /**
   * Its sender has delegated it again: it may have restarted before it had stored what was
   * prepared, and believes only the active delegation.
   */
  static void distributeAgain(CoordinatorStep step, CoordinatedTransaction transaction) {
    transaction.confirmation().ifPresent(step::end);
    distribute(step, transaction);
  }

  static void onDistributed(
      CoordinatorStep step, Received<PreparedTransactionAcknowledgement> received) {
    step.endNotification(received.from(), received.message().distributionId());
  }
}
