package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;

/** The subscriptions of one WebSocket to durable listeners of any kind. Thread-safe. */
public interface ListenerSession {
  /**
   * Prepares a subscription that pushes nothing before {@link #start}.
   *
   * @return its id
   * @throws dev.sequitur.node.rpc.RpcFailure if the connection holds too many
   */
  String subscribe(ListenerKind kind, Listener listener, ListenerFeed feed);

  void start(String subscription);

  /** The batch that is on its way has been taken: the next may come. Ignored if there is none. */
  void acknowledge(String subscription);

  /** The batch that is on its way is wanted again, later. Ignored if there is none. */
  void refuse(String subscription);

  /**
   * @return whether there was one
   */
  boolean unsubscribe(String subscription);
}
