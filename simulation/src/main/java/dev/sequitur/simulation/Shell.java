package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What an actor does around a machine: one input after another, events on disk before anything
 * leaves, inputs stashed meanwhile.
 */
abstract class Shell<I, S, E, F> {
  protected final RunningNode node;
  private final String machine;
  private final List<E> journal;
  private final ArrayDeque<Told<I>> inbox = new ArrayDeque<>();
  private S state;
  private boolean writing;

  private record Told<I>(I input, Runnable whenDurable) {}

  Shell(RunningNode node, String machine, S recovered, List<E> journal) {
    this.node = node;
    this.machine = machine;
    this.state = recovered;
    this.journal = journal;
  }

  abstract Decision<S, E, F> decide(S before, I input, Instant now);

  abstract void perform(F effect);

  abstract ContractAddress contract();

  final RunningNode node() {
    return node;
  }

  /** Sees each single decision, for the invariants. */
  void decided(S before, Decision<S, E, F> decision) {}

  final S state() {
    return state;
  }

  final List<E> journal() {
    return journal;
  }

  final boolean isQuiet() {
    return inbox.isEmpty() && !writing;
  }

  final void tell(I input) {
    tell(input, () -> {});
  }

  final void tell(I input, Runnable whenDurable) {
    inbox.add(new Told<>(input, whenDurable));
    drain();
  }

  private void drain() {
    while (!writing && !inbox.isEmpty()) {
      var events = new ArrayList<E>();
      var messages = new ArrayList<Outgoing>();
      var effects = new ArrayList<F>();
      var durable = new ArrayList<Runnable>();
      while (!inbox.isEmpty()) {
        var told = inbox.poll();
        durable.add(told.whenDurable());
        var input = node.simulation().tampering().input(this, told.input());
        if (input.isPresent()) {
          var decision = decideOn(input.get());
          events.addAll(decision.events());
          messages.addAll(decision.messages());
          effects.addAll(decision.effects());
        }
      }
      if (events.isEmpty()) {
        leave(messages, effects, durable);
      } else {
        write(events, () -> leave(messages, effects, durable));
      }
    }
  }

  private Decision<S, E, F> decideOn(I input) {
    var decision = node.simulation().tampering().decided(this, decide(state, input, node.now()));
    decided(state, decision);
    state = decision.state();
    return decision;
  }

  private void write(List<E> events, Runnable then) {
    writing = true;
    node.later(
        RunningNode.WRITE,
        () -> {
          node.reach(new Moment.Committing(node.name(), machine, events));
          journal.addAll(events);
          node.simulation().conduct().onCommitted(node.name(), contract(), events);
          node.trace(machine, events);
          node.reach(new Moment.Committed(node.name(), machine, events));
          writing = false;
          then.run();
          drain();
        });
  }

  /** Messages and effects leave; overridden where something else must be durable first. */
  void leave(List<Outgoing> messages, List<F> effects, List<Runnable> durable) {
    messages.forEach(node::send);
    effects.forEach(this::perform);
    durable.forEach(Runnable::run);
  }
}
