package dev.sequitur.node.rpc.listener;

import akka.actor.typed.ActorRef;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.CallersNames;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Whose turn it is to serve a listener on this JVM. Several subscriptions share one: each batch
 * goes to one of them, and the next one's turn comes when it is taken. Thread-safe.
 */
public final class ServedListeners {
  private final Map<Key, Deque<ActorRef<ListenerSubscription.Command>>> sharing = new HashMap<>();

  /** Each kind has names of its own. */
  record Key(ListenerKind kind, String name) {}

  /** {@code subscription} serves the listener from now on, beside those that do so already. */
  synchronized void serve(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    var all = sharing.computeIfAbsent(listener, any -> new ArrayDeque<>());
    all.addLast(subscription);
    if (all.size() == 1) {
      tellFirst(all);
    }
  }

  /**
   * Ends the turn of a subscription, unless nobody else serves the listener.
   *
   * @return whether it is its turn still
   */
  synchronized boolean keepsTurn(
      Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    var all = sharing.get(listener);
    if (all == null || !subscription.equals(all.peekFirst())) {
      return false;
    }
    if (all.size() == 1) {
      return true;
    }
    all.addLast(all.removeFirst());
    tellFirst(all);
    return false;
  }

  /** {@code subscription} has ended. */
  synchronized void release(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    var all = sharing.get(listener);
    if (all == null) {
      return;
    }
    boolean hadTurn = subscription.equals(all.peekFirst());
    all.remove(subscription);
    if (all.isEmpty()) {
      sharing.remove(listener);
    } else if (hadTurn) {
      tellFirst(all);
    }
  }

  private static void tellFirst(Deque<ActorRef<ListenerSubscription.Command>> all) {
    all.getFirst().tell(ListenerSubscription.Turn.INSTANCE);
  }

  /** The listener is gone: what serves it ends. */
  public synchronized void deleted(ListenerKind kind, String name) {
    var all = sharing.remove(new Key(kind, name));
    if (all != null) {
      all.forEach(each -> each.tell(new ListenerSubscription.End(gone(kind, name))));
    }
  }

  static RpcFailure gone(ListenerKind kind, String name) {
    return new RpcFailure(
        ErrorCode.LISTENER_DELETED,
        "The %s '%s' was deleted. Create it again to go on."
            .formatted(kind.noun(), CallersNames.chosen(name)));
  }
}
