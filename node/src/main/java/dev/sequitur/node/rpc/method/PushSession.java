package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.scheduler.Subscription;
import java.util.function.Consumer;
import java.util.function.Function;

/** The subscriptions of one WebSocket to what is told once and not stored. Thread-safe. */
public interface PushSession {
  /**
   * Prepares a subscription that pushes nothing before {@link #start}.
   *
   * @param method that the pushed notifications have
   * @param source begins to tell the given consumer what is to be pushed, until it is closed
   * @return its id
   * @throws dev.sequitur.node.rpc.RpcFailure if the connection holds too many
   */
  String open(String method, Function<Consumer<JsonNode>, Subscription> source);

  void start(String subscription);

  /**
   * @return whether there was one
   */
  boolean close(String subscription);
}
