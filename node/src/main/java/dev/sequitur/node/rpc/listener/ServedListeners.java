package dev.sequitur.node.rpc.listener;

import akka.actor.typed.ActorRef;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.CallersNames;
import dev.sequitur.protocol.listener.Turns;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Who serves which listener on this JVM, and whose turn it is ({@link Turns}). Asked by actors and
 * by connections, which need the answer at once, so it is no actor. Thread-safe.
 */
public final class ServedListeners {
  private final ConcurrentMap<Key, Turns<ActorRef<ListenerSubscription.Command>>> sharing =
      new ConcurrentHashMap<>();

  /** Each kind has names of its own. */
  record Key(ListenerKind kind, String name) {}

  /** {@code subscription} serves the listener from now on, beside those that do so already. */
  void serve(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    change(listener, turns -> turns.joined(subscription));
  }

  /**
   * A subscription's batch was taken or refused: ends its turn, unless nobody else is ready.
   *
   * @return whether it is its turn still
   */
  boolean keepsTurn(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    return hasTurn(change(listener, turns -> turns.answeredInTime(subscription)), subscription);
  }

  /**
   * A subscription's batch was not answered for long: leaves it to the next one, unless nobody else
   * is ready.
   *
   * @return whether it is its turn still
   */
  boolean keepsLateTurn(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    return hasTurn(change(listener, turns -> turns.overdue(subscription)), subscription);
  }

  /** The caller of a subscription has answered while that had no turn. */
  void answeredLate(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    change(listener, turns -> turns.answeredLate(subscription));
  }

  /** {@code subscription} has ended. */
  void release(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    change(listener, turns -> turns.left(subscription));
  }

  /** The listener is gone: what serves it ends. */
  public void deleted(ListenerKind kind, String name) {
    var turns = sharing.remove(new Key(kind, name));
    if (turns != null) {
      Stream.concat(turns.ready().stream(), turns.late().stream())
          .forEach(each -> each.tell(ListenerSubscription.Deleted.INSTANCE));
    }
  }

  private static boolean hasTurn(
      Turns<ActorRef<ListenerSubscription.Command>> turns,
      ActorRef<ListenerSubscription.Command> subscription) {
    return turns.holder().filter(subscription::equals).isPresent();
  }

  /** Whoever has the turn then and had it not before is told while nobody else can change it. */
  private Turns<ActorRef<ListenerSubscription.Command>> change(
      Key listener, UnaryOperator<Turns<ActorRef<ListenerSubscription.Command>>> how) {
    var changed =
        sharing.compute(
            listener,
            (key, known) -> {
              var before =
                  Objects.requireNonNullElseGet(
                      known, Turns::<ActorRef<ListenerSubscription.Command>>none);
              var after = how.apply(before);
              after
                  .holder()
                  .filter(holder -> !before.holder().equals(after.holder()))
                  .ifPresent(holder -> holder.tell(ListenerSubscription.Turn.INSTANCE));
              return after.isEmpty() ? null : after;
            });
    return Objects.requireNonNullElseGet(
        changed, Turns::<ActorRef<ListenerSubscription.Command>>none);
  }

  static RpcFailure gone(ListenerKind kind, String name) {
    return new RpcFailure(
        ErrorCode.LISTENER_DELETED,
        "The %s '%s' was deleted. Create it again to go on."
            .formatted(kind.noun(), CallersNames.chosen(name)));
  }
}
