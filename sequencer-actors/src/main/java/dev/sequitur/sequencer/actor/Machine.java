package dev.sequitur.sequencer.actor;

import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.EventHandler;
import dev.sequitur.protocol.machine.Decision;
import java.time.Instant;
import java.util.function.Function;

/**
 * One of the rules' machines, as its entity drives it.
 *
 * @param initial before the first event
 * @param first what it is told first after a recovery
 * @param tick what it is told at the pace of the node's settings
 * @param snapshots how its state is stored
 * @param snapshotEvery so many events; those before the last two snapshots are deleted
 * @param <I> its inputs
 * @param <E> its events
 * @param <S> its state
 * @param <F> its effects
 */
record Machine<I, E, S, F>(
    S initial,
    Rules<I, E, S, F> rules,
    EventHandler<S, E> evolve,
    Function<Instant, I> first,
    I tick,
    SnapshotAdapter<S> snapshots,
    int snapshotEvery) {

  /** Pure: the same state, input and time give the same decision. */
  interface Rules<I, E, S, F> {
    Decision<S, E, F> decide(S before, I input, Instant now);
  }
}
