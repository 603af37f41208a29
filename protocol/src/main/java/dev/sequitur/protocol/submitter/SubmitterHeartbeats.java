package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Activity;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.DispatchedTransaction;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Submission;
import dev.sequitur.protocol.submitter.SubmitterState.Carrier;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells each committee what the submitter still holds (HBT-3). When nothing of a contract is left,
 * one last heartbeat says so.
 */
final class SubmitterHeartbeats {
  private SubmitterHeartbeats() {}

  static void beat(SubmitterStep step) {
    var interval = step.setup.settings().heartbeats().submitterInterval();
    boolean due =
        step.state()
            .lastHeartbeat()
            .map(last -> !last.plus(interval).isAfter(step.now()))
            .orElse(true);
    if (due) {
      beatNow(step);
    }
  }

  /** The first dispatch of a contract is told at once: a switchover may be near. */
  static void beatForNew(SubmitterStep step, Set<ContractAddress> contracts) {
    if (!step.state().beatenFor().containsAll(contracts)) {
      beatNow(step);
    }
  }

  /** Senders that hold off learn at once that they need not any longer. */
  static void beatIfDone(SubmitterStep step) {
    boolean done =
        step.state().beatenFor().stream()
            .anyMatch(
                contract ->
                    step.state().live().values().stream()
                        .noneMatch(live -> live.dispatch().contract().equals(contract)));
    if (done) {
      beatNow(step);
    }
  }

  private static void beatNow(SubmitterStep step) {
    Map<ContractAddress, List<Live>> byContract = new HashMap<>();
    step.state().beatenFor().forEach(contract -> byContract.put(contract, new ArrayList<>()));
    for (var live : step.state().live().values()) {
      byContract
          .computeIfAbsent(live.dispatch().contract(), contract -> new ArrayList<>())
          .add(live);
    }
    if (byContract.isEmpty()) {
      return;
    }
    var sequence = step.state().sequence().next();
    var stillBeaten = HashTrie.<ContractAddress>emptySet();
    for (var entry : byContract.entrySet()) {
      if (!entry.getValue().isEmpty()) {
        stillBeaten = stillBeaten.plus(entry.getKey());
      }
    }
    step.become(step.state().beaten(sequence, step.now(), stillBeaten));
    byContract.forEach((contract, held) -> tell(step, contract, held));
  }

  /** Trouble is told of once it has lasted: one call that is lost is none. */
  private static Optional<CannotSubmit> cannotSubmit(SubmitterStep step) {
    var lasting = step.setup.settings().heartbeats().coordinatorFailureThreshold();
    return step.state()
        .trouble()
        .filter(trouble -> !trouble.since().plus(lasting).isAfter(step.now()))
        .map(trouble -> new CannotSubmit(trouble.since(), trouble.why()));
  }

  /** The pool takes something: who was told that it does not is told so. */
  static void endTrouble(SubmitterStep step) {
    if (cannotSubmit(step).isPresent()) {
      step.state()
          .beatenFor()
          .forEach(
              contract ->
                  step.effect(new SubmitterEffect.TellSubmitting(contract, Optional.empty())));
    }
    if (step.state().trouble().isPresent()) {
      step.become(step.state().withTrouble(Optional.empty()));
    }
  }

  private static void tell(SubmitterStep step, ContractAddress contract, List<Live> held) {
    var group = step.setup.groups().apply(contract);
    if (group.isEmpty()) {
      return;
    }
    var pending =
        held.stream()
            .map(
                live ->
                    new Pending(live.dispatch().prepared().transaction(), live.dispatch().range()))
            .toList();
    var trouble = held.isEmpty() ? Optional.<CannotSubmit>empty() : cannotSubmit(step);
    trouble
        .map(it -> new SubmitterEffect.TellSubmitting(contract, Optional.of(it.why())))
        .ifPresent(step::effect);
    for (var node : group.get().nodes()) {
      step.send(
          node,
          new SubmitterHeartbeatNotification(
              step.state().sequence(),
              step.now(),
              contract,
              pending,
              detailsFor(step, node, held),
              trouble,
              step.state().settledIn()));
    }
  }

  private static List<DispatchedTransaction> detailsFor(
      SubmitterStep step, NodeName node, List<Live> held) {
    return held.stream()
        .filter(live -> live.dispatch().sender().equals(node))
        .map(live -> details(live, live.nonce().map(step::carrier)))
        .toList();
  }

  /** Submissions are those of the base-ledger transaction that carries it. */
  private static DispatchedTransaction details(Live live, Optional<Carrier> carrier) {
    var submissions =
        carrier.stream()
            .flatMap(each -> each.submissions().stream())
            .map(done -> new Submission(done.at(), done.hash(), done.fees()))
            .toList();
    int tries = carrier.map(Carrier::tries).orElse(live.tries());
    Instant at = carrier.map(Carrier::triedAt).orElse(live.triedAt());
    var activity =
        tries == 0 ? List.<Activity>of() : List.of(new Activity(at, activity(carrier, tries)));
    return new DispatchedTransaction(
        live.dispatch().prepared().transaction(), submissions, activity);
  }

  private static String activity(Optional<Carrier> carrier, int tries) {
    boolean unfunded = carrier.filter(it -> it.state() == CarrierState.UNFUNDED).isPresent();
    return unfunded
        ? "waits for gas money, tried " + tries + " times"
        : "tried " + tries + " times, trying again";
  }
}
