package dev.sequitur.protocol.machine;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Collects what one {@code decide} comes to: the state as it is so far, the events, messages and
 * effects in order. Lives for one call, never leaves it. A machine of several parts extends it by
 * what all of them need.
 */
public class Step<S, E, F> {
  private final Instant now;
  private final BiFunction<S, E, S> evolve;
  private final List<E> events = new ArrayList<>();
  private final List<Outgoing> messages = new ArrayList<>();
  private final List<F> effects = new ArrayList<>();
  private S state;

  public Step(S state, Instant now, BiFunction<S, E, S> evolve) {
    this.state = state;
    this.now = now;
    this.evolve = evolve;
  }

  /** Of a machine that has no events. */
  public static <S, F> Step<S, Void, F> storingNothing(S state, Instant now) {
    return new Step<>(state, now, (before, nothing) -> before);
  }

  public final Instant now() {
    return now;
  }

  public final S state() {
    return state;
  }

  /** A change that a restart may forget. */
  public final void become(S next) {
    state = next;
  }

  /** A change that a restart must not forget. */
  public final void record(E event) {
    state = evolve.apply(state, event);
    events.add(event);
  }

  public final void send(NodeName to, Message message) {
    messages.add(Outgoing.of(to, message));
  }

  public final void send(Exchange exchange) {
    messages.add(Outgoing.of(exchange.to(), exchange.message()));
  }

  public final void reply(NodeName to, MessageId inReplyTo, Message message) {
    messages.add(new Outgoing(to, message, Optional.of(inReplyTo)));
  }

  public final void effect(F effect) {
    effects.add(effect);
  }

  /** How far it is, to come back to. */
  public final Mark<S> mark() {
    return new Mark<>(state, events.size(), messages.size(), effects.size());
  }

  /** As if nothing had happened since. */
  public final void backTo(Mark<S> mark) {
    state = mark.state;
    events.subList(mark.events, events.size()).clear();
    messages.subList(mark.messages, messages.size()).clear();
    effects.subList(mark.effects, effects.size()).clear();
  }

  /** A place in a step: its state, and how much it had collected. */
  public record Mark<S>(S state, int events, int messages, int effects) {}

  public final Decision<S, E, F> finish() {
    return new Decision<>(state, events, messages, effects);
  }
}
