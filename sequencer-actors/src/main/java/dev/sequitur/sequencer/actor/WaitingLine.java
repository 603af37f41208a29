package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The commands that come to a durable entity while it is recovered, reads what it begins with, or
 * stores something. They stand here, in the order in which they came, and are let in one at a time.
 * Akka's own stash would let each in on top of the one before: where a thousand in a row store
 * nothing, as questions do, the thread's stack ends, and with it the JVM.
 */
final class WaitingLine extends BehaviorInterceptor<Object, Object> {
  /** Those who come while so many wait are dropped, and ask or send again. */
  private static final int MOST = 65_536;

  private record Next() {}

  private static final Next NEXT = new Next();

  private final Deque<Object> waiting = new ArrayDeque<>();

  /** Those that need what the entity has yet to read. */
  private final Deque<Object> later = new ArrayDeque<>();

  private boolean closed = true;
  private boolean nextIsTold;

  WaitingLine() {
    super(Object.class);
  }

  @SuppressWarnings("unchecked") // Who is let in came as one of the entity's commands.
  <C> Behavior<C> before(Behavior<C> entity) {
    return (Behavior<C>)
        (Behavior<?>) Behaviors.intercept(() -> this, (Behavior<Object>) (Behavior<?>) entity);
  }

  /** From now on the entity is recovered, or what it has stored is durable. */
  void open() {
    closed = false;
  }

  /** It has begun to store something. */
  void close() {
    closed = true;
  }

  /** To be let in by {@link #letInLater}. */
  void waitUntilLoaded(Object command) {
    if (later.size() < MOST) {
      later.add(command);
    }
  }

  /** They came before those that stand in the line now. */
  void letInLater() {
    while (!later.isEmpty()) {
      waiting.addFirst(later.removeLast());
    }
  }

  @Override
  public Behavior<Object> aroundReceive(
      TypedActorContext<Object> context, Object message, ReceiveTarget<Object> entity) {
    var after = Behaviors.<Object>same();
    if (message instanceof Next) {
      nextIsTold = false;
      if (!closed && !waiting.isEmpty()) {
        after = entity.apply(context, waiting.remove());
      }
    } else if (!(message instanceof ProtocolSerializable)) {
      // What the journal answers is no command.
      after = entity.apply(context, message);
    } else if (!closed && waiting.isEmpty()) {
      after = entity.apply(context, message);
    } else if (waiting.size() < MOST) {
      waiting.add(message);
    }
    if (!closed && !waiting.isEmpty() && !nextIsTold) {
      nextIsTold = true;
      context.asJava().getSelf().tell(NEXT);
    }
    return after;
  }
}
