package dev.sequitur.protocol.machine;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One of the rules' machines, as a {@link Host} drives it.
 *
 * @param initial before the first event
 * @param rules what it answers to an input
 * @param evolve repeats an event, on recovery
 * @param first what it is told first in each of its lives
 * @param tick what it is told again and again, at the pace of the node's settings
 * @param <I> its inputs
 * @param <S> its state
 * @param <E> its events
 * @param <F> its effects
 */
public record Machine<I, S, E, F>(
    S initial,
    Rules<I, S, E, F> rules,
    BiFunction<S, E, S> evolve,
    Function<Instant, Optional<I>> first,
    I tick) {

  /** One that is told nothing first, since each of its lives begins anew. */
  public static <I, S, F> Machine<I, S, Void, F> storingNothing(
      S initial, Rules<I, S, Void, F> rules, I tick) {
    return new Machine<>(
        initial, rules, (state, nothing) -> state, begun -> Optional.empty(), tick);
  }

  /** Pure: the same state, input and time give the same decision. */
  @FunctionalInterface
  public interface Rules<I, S, E, F> {
    Decision<S, E, F> decide(S before, I input, Instant now);
  }

  /** The state that a life begins with whose journal holds {@code events}. */
  public S recover(List<? extends E> events) {
    var state = initial;
    for (var event : events) {
      state = evolve.apply(state, event);
    }
    return state;
  }

  /** The same machine by other rules. */
  public Machine<I, S, E, F> with(Rules<I, S, E, F> others) {
    return new Machine<>(initial, others, evolve, first, tick);
  }
}
