package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** What several inputs in a row came to: stored in one write, sent in one go. */
final class Folded<S, E, F> {
  private final List<E> events = new ArrayList<>();
  private final List<Outgoing> messages = new ArrayList<>();
  private final List<F> effects = new ArrayList<>();
  private S state;

  Folded(S state) {
    this.state = state;
  }

  void add(Decision<S, E, F> decision) {
    state = decision.state();
    events.addAll(decision.events());
    messages.addAll(decision.messages());
    effects.addAll(decision.effects());
  }

  S state() {
    return state;
  }

  List<E> events() {
    return events;
  }

  List<Outgoing> messages() {
    return messages;
  }

  List<F> effects() {
    return effects;
  }
}
