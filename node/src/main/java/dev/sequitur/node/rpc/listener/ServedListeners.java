package dev.sequitur.node.rpc.listener;

import akka.actor.typed.ActorRef;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.CallersNames;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which subscription serves which listener on this JVM: the newest one, since a caller that
 * connects anew may do so before the node has noticed that its old connection is gone. Thread-safe.
 */
public final class ServedListeners {
  private final ConcurrentMap<Key, ActorRef<ListenerSubscription.Command>> serving =
      new ConcurrentHashMap<>();

  /** Each kind has names of its own. */
  record Key(ListenerKind kind, String name) {}

  /** {@code subscription} serves the listener from now on; who did so before ends. */
  void serve(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    var before = serving.put(listener, subscription);
    if (before != null) {
      before.tell(
          new ListenerSubscription.End(
              new RpcFailure(
                  ErrorCode.SUBSCRIPTION_TAKEN_OVER,
                  "A newer subscription to the listener '%s' has taken over. Subscribe again only if nobody else should."
                      .formatted(CallersNames.chosen(listener.name())))));
    }
  }

  /** {@code subscription} has ended. */
  void release(Key listener, ActorRef<ListenerSubscription.Command> subscription) {
    serving.remove(listener, subscription);
  }

  /** The listener is gone: what serves it ends. */
  public void deleted(ListenerKind kind, String name) {
    var last = serving.remove(new Key(kind, name));
    if (last != null) {
      last.tell(new ListenerSubscription.End(gone(kind, name)));
    }
  }

  static RpcFailure gone(ListenerKind kind, String name) {
    return new RpcFailure(
        ErrorCode.LISTENER_DELETED,
        "The %s '%s' was deleted. Create it again to go on."
            .formatted(kind.noun(), CallersNames.chosen(name)));
  }
}
