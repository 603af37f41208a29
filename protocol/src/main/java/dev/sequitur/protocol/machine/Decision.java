package dev.sequitur.protocol.machine;

import java.util.List;

/**
 * What a machine answers to an input. Messages and effects may leave only when the events are
 * stored.
 *
 * @param state after the input, the events applied
 * @param events the durable part, in order; empty for a machine that stores nothing
 * @param messages to other nodes, and to this one
 * @param effects what else the actor is to do
 */
public record Decision<S, E, F>(
    S state, List<E> events, List<Outgoing> messages, List<F> effects) {}
