package dev.sequitur.node.rpc.listener;

import akka.actor.typed.ActorRef;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which subscription serves which listener on this JVM: the newest one, since a caller that
 * connects anew may do so before the node has noticed that its old connection is gone. Thread-safe.
 */
public final class ServedListeners {
  private final ConcurrentMap<String, ActorRef<ListenerSubscription.Command>> serving =
      new ConcurrentHashMap<>();

  /** {@code subscription} serves the listener from now on; who did so before ends. */
  void serve(String listener, ActorRef<ListenerSubscription.Command> subscription) {
    var before = serving.put(listener, subscription);
    if (before != null) {
      before.tell(
          new ListenerSubscription.End(
              new RpcFailure(
                  ErrorCode.SUBSCRIPTION_TAKEN_OVER,
                  "A newer subscription to the listener '%s' has taken over. Subscribe again only if nobody else should."
                      .formatted(listener))));
    }
  }

  /** {@code subscription} has ended. */
  void release(String listener, ActorRef<ListenerSubscription.Command> subscription) {
    serving.remove(listener, subscription);
  }

  /** The listener is gone: what serves it ends. */
  public void deleted(String listener) {
    var last = serving.remove(listener);
    if (last != null) {
      last.tell(
          new ListenerSubscription.End(
              new RpcFailure(
                  ErrorCode.LISTENER_DELETED,
                  "The receipt listener '%s' was deleted. Create it again to go on."
                      .formatted(listener))));
    }
  }
}
