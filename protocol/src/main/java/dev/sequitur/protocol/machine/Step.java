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
 * effects in order. Lives for one call, never leaves it.
 */
public final class Step<S, E, F> {
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

  public Instant now() {
    return now;
  }

  public S state() {
    return state;
  }

  /** A change that a restart may forget. */
  public void become(S next) {
    state = next;
  }

  /** A change that a restart must not forget. */
  public void record(E event) {
    state = evolve.apply(state, event);
    events.add(event);
  }

  public void send(NodeName to, Message message) {
    messages.add(Outgoing.of(to, message));
  }

  public void send(Exchange exchange) {
    messages.add(Outgoing.of(exchange.to(), exchange.message()));
  }

  public void reply(NodeName to, MessageId inReplyTo, Message message) {
    messages.add(new Outgoing(to, message, Optional.of(inReplyTo)));
  }

  public void effect(F effect) {
    effects.add(effect);
  }

  public Decision<S, E, F> finish() {
    return new Decision<>(state, events, messages, effects);
  }
}
