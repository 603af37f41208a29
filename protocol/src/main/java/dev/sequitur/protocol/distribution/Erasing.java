package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.Erased.Demand;
import dev.sequitur.protocol.distribution.StateStore.Effect;
import dev.sequitur.protocol.distribution.StateStore.LookUp;
import dev.sequitur.protocol.distribution.StateStore.Wipe;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsErased;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsWiped;
import dev.sequitur.protocol.distribution.StateStoreEvent.ErasureAnswered;
import dev.sequitur.protocol.distribution.StateStoreEvent.ErasureDemanded;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Erases contents on demand: here at once, and at the other members that do so at this node's
 * request (ROM-7). That contents were erased is stored before they are deleted where they are kept,
 * so that a process which ends between the two does the rest in its next life.
 */
record Erasing(StateStore rules) {

  /** Why a caller's demand is refused; a sentence. Empty if it is not. */
  Optional<String> refusal(StateStoreState state, Collection<StateId> states) {
    for (var id : states) {
      if (state.isUnspent(id)) {
        return Optional.of(
            "State %s is unspent: whoever needs its contents could not spend it any more. Spend it first."
                .formatted(id.value()));
      }
      if (state.unconfirmed().containsKey(id)) {
        return Optional.of(
            "State %s is of a transaction that no block has: wait until one has, or until it is forgotten."
                .formatted(id.value()));
      }
    }
    if (!state.erased().hasRoomFor(states)) {
      return Optional.of(
          "The contents of %d states of a group are erased at most, and those of %d are."
              .formatted(Erased.MOST, state.erased().size()));
    }
    return state.erased().takesDemands()
        ? Optional.empty()
        : Optional.of(
            "%d demands wait for members that have not answered: no more are remembered."
                .formatted(Erased.MOST_DEMANDS));
  }

  /**
   * Of what this node has nothing nobody here can tell whether it is spent, or still to come; a
   * sentence.
   *
   * @param kept of the states those whose contents this node has kept
   */
  Optional<String> unknown(StateStoreState state, Collection<StateId> states, Set<StateId> kept) {
    return states.stream()
        .filter(id -> !kept.contains(id) && !state.erased().has(id))
        .findFirst()
        .map(
            id ->
                "This node has no contents of state %s and cannot tell whether it is spent: call a node that has them."
                    .formatted(id.value()));
  }

  /** The same states again are the same demand: it goes to all that have not erased them. */
  void onDemand(Step<StateStoreState, StateStoreEvent, Effect> step, List<StateId> states) {
    if (states.isEmpty()
        || states.size() > StateErasure.MOST
        || refusal(step.state(), states).isPresent()) {
      return;
    }
    var id = id(states);
    var before = Optional.ofNullable(step.state().erased().demands().get(id));
    var have = before.map(Demand::erased).orElse(List.of());
    var open = new ArrayList<>(rules.members().others());
    open.removeAll(have);
    var demand =
        new Demand(id, before.map(Demand::at).orElse(step.now()), states, open, have, List.of());
    forget(step, states);
    step.record(new ErasureDemanded(demand));
    wipe(step);
    open.forEach(to -> ask(step, demand, to));
  }

  /** The same for the same states. */
  static RequestId id(Collection<StateId> states) {
    var digest = new CanonicalDigest().add("erasure");
    states.stream().sorted().forEach(state -> digest.add(state.value()));
    return new RequestId(digest.finish().toString());
  }

  /** What was begun in a life before, and what could not be deleted. */
  void goOn(Step<StateStoreState, StateStoreEvent, Effect> step) {
    wipe(step);
    var demands = step.state().erased().toAsk();
    for (var demand : demands) {
      for (var to : demand.open()) {
        if (step.state().exchanges().get(exchange(demand.id(), to)).isEmpty()) {
          ask(step, demand, to);
        }
      }
    }
    step.become(step.state().withErased(step.state().erased().asking(demands)));
  }

  private void ask(
      Step<StateStoreState, StateStoreEvent, Effect> step, Demand demand, NodeName to) {
    var message = new StateErasure(demand.id(), rules.contract(), demand.states());
    var backoff = rules.settings().delivery().resendNotification();
    var exchange = Exchange.reliableNotification(to, message, backoff, step.now());
    var id = exchange(demand.id(), to);
    step.become(step.state().withExchanges(step.state().exchanges().begin(id, exchange)));
    step.send(exchange);
  }

  private static RequestId exchange(RequestId demand, NodeName to) {
    return new RequestId(demand.value() + "-to-" + to);
  }

  /**
   * Of a member that this node listens to, once it has seen itself that the states are spent: it
   * has kept their contents, and they are neither unspent nor on their way. It is answered when
   * they are gone: until then it asks again.
   */
  void onAsked(
      Step<StateStoreState, StateStoreEvent, Effect> step, Received<StateErasure> received) {
    var states = received.message().states();
    boolean mayNot =
        !rules.members().others().contains(received.from())
            || !rules.settings().erasures().honours(received.from())
            || !step.state().erased().hasRoomFor(states);
    if (mayNot) {
      answer(step, received, false);
    } else if (step.state().erased().areGone(states)) {
      answer(step, received, true);
    } else if (states.stream().noneMatch(id -> isNeeded(step.state(), id))) {
      step.effect(new LookUp(received));
    }
  }

  /**
   * A state of which nothing was kept may be one that is still to come: to erase that would be to
   * lack it for good. Where not every state is for every member it may also be another's, of which
   * this node has nothing to erase.
   */
  void onLookedUp(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Received<StateErasure> received,
      Set<StateId> kept) {
    var asked = received.message().states();
    var before = step.state().erased();
    var found = asked.stream().filter(id -> kept.contains(id) && !before.has(id)).toList();
    if (asked.stream().anyMatch(id -> isNeeded(step.state(), id)) || !before.hasRoomFor(found)) {
      return;
    }
    if (!found.isEmpty()) {
      forget(step, found);
      step.record(new ContentsErased(found));
      wipe(step);
    } else if (!rules.members().holdAll()
        && before.areGone(asked.stream().filter(before::has).toList())) {
      answer(step, received, true);
    }
  }

  private static boolean isNeeded(StateStoreState state, StateId id) {
    return state.isUnspent(id) || state.unconfirmed().containsKey(id);
  }

  private void answer(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Received<StateErasure> received,
      boolean erased) {
    step.reply(
        received.from(),
        received.id(),
        new StateErasureAnswer(received.message().erasureId(), rules.contract(), erased));
  }

  /** Only of who was asked. */
  void onAnswered(
      Step<StateStoreState, StateStoreEvent, Effect> step, Received<StateErasureAnswer> received) {
    var id = received.message().erasureId();
    var demand = step.state().erased().demands().get(id);
    if (demand != null && demand.open().contains(received.from())) {
      var exchange = exchange(id, received.from());
      step.become(step.state().withExchanges(step.state().exchanges().end(exchange)));
      step.record(new ErasureAnswered(id, received.from(), received.message().erased()));
    }
  }

  /** They are gone where they were kept; none if that has failed, and is to be tried again. */
  void onWiped(Step<StateStoreState, StateStoreEvent, Effect> step, List<StateId> wiped) {
    step.become(step.state().withErased(step.state().erased().withWiping(false)));
    var erased = wiped.stream().filter(step.state().erased()::has).toList();
    if (!erased.isEmpty()) {
      step.record(new ContentsWiped(erased));
      wipe(step);
    }
  }

  private static void wipe(Step<StateStoreState, StateStoreEvent, Effect> step) {
    var left = step.state().erased().nextToWipe();
    if (!left.isEmpty() && !step.state().erased().wiping()) {
      step.become(step.state().withErased(step.state().erased().withWiping(true)));
      step.effect(new Wipe(Set.copyOf(left)));
    }
  }

  /** Who is owed them is given them no more. */
  private static void forget(
      Step<StateStoreState, StateStoreEvent, Effect> step, List<StateId> states) {
    var erased = new HashSet<>(states);
    var exchanges = step.state().exchanges();
    var waiting = step.state().waiting();
    for (var owed : step.state().outbox().values()) {
      if (owed.items().stream().anyMatch(item -> erased.contains(item.state()))) {
        exchanges = exchanges.end(owed.distribution());
        var line = waiting.get(owed.to());
        if (line != null) {
          var rest = line;
          for (var each : line) {
            rest = each.distributionId().equals(owed.distribution()) ? rest.minus(each) : rest;
          }
          waiting = rest.isEmpty() ? waiting.minus(owed.to()) : waiting.plus(owed.to(), rest);
        }
      }
    }
    step.become(step.state().withExchanges(exchanges).withWaiting(waiting));
  }

  static StateStoreState evolve(StateStoreState state, Collection<StateId> erased) {
    var next = state;
    for (var owed : state.outbox().values()) {
      var rest = owed.items().stream().filter(item -> !erased.contains(item.state())).toList();
      if (rest.size() < owed.items().size()) {
        // What goes with it is asked for by whoever lacks it (DST-6).
        next = next.withOutbox(next.outbox().minus(owed.distribution()));
      }
    }
    return next.withErased(next.erased().with(erased));
  }
}
