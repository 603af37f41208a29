package dev.sequitur.protocol.machine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One life of a machine, between a start and a stop: what a node and the simulation both do around
 * the rules. Whoever drives it stores the events of a {@link Folded} first and lets its messages
 * and effects leave only then. Confined to one thread.
 */
public final class Host<I, S, E, F> {
  private final Machine<I, S, E, F> machine;
  private S state;
  private boolean begun;

  /** What several inputs in a row came to: stored in one write, sent in one go. */
  public record Folded<E, F>(List<E> events, List<Outgoing> messages, List<F> effects) {}

  /**
   * @param recovered what the journal says
   */
  public Host(Machine<I, S, E, F> machine, S recovered) {
    this.machine = machine;
    this.state = recovered;
  }

  /** As decided; what of it is durable may still be on its way to the disk. */
  public S state() {
    return state;
  }

  public Machine<I, S, E, F> machine() {
    return machine;
  }

  /** Tells the machine, before anything else what it is told first in each life. */
  public Folded<E, F> fold(List<? extends I> inputs, Instant now) {
    var folded = new Folded<E, F>(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    if (!begun) {
      begun = true;
      machine.first().apply(now).ifPresent(first -> decide(first, now, folded));
    }
    for (var input : inputs) {
      decide(input, now, folded);
    }
    return folded;
  }

  private void decide(I input, Instant now, Folded<E, F> folded) {
    var decision = machine.rules().decide(state, input, now);
    state = decision.state();
    folded.events().addAll(decision.events());
    folded.messages().addAll(decision.messages());
    folded.effects().addAll(decision.effects());
  }
}
