package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.scheduler.Subscription;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One request text and its answer on one connection: lets a method begin what must not overtake its
 * own answer. Thread-safe.
 */
public final class RpcExchange {
  private final Principal caller;
  private final Optional<String> traceParent;
  private final Optional<ListenerSession> listeners;
  private final Optional<PushSession> pushes;
  private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();

  private RpcExchange(
      Principal caller,
      Optional<String> traceParent,
      Optional<ListenerSession> listeners,
      Optional<PushSession> pushes) {
    this.caller = caller;
    this.traceParent = traceParent;
    this.listeners = listeners;
    this.pushes = pushes;
  }

  /** A request that came over HTTP. */
  public static RpcExchange http(Principal caller, Optional<String> traceParent) {
    return new RpcExchange(caller, traceParent, Optional.empty(), Optional.empty());
  }

  /** A request that came over a WebSocket. */
  public static RpcExchange webSocket(
      Principal caller,
      Optional<String> traceParent,
      ListenerSession listeners,
      PushSession pushes) {
    return new RpcExchange(caller, traceParent, Optional.of(listeners), Optional.of(pushes));
  }

  /** Who sent the request. */
  public Principal caller() {
    return caller;
  }

  /** The header by which a caller names its trace, as it was sent with this or its connection. */
  public Optional<String> traceParent() {
    return traceParent;
  }

  /** The connection's subscriptions to listeners; empty over HTTP. */
  public Optional<ListenerSession> listeners() {
    return listeners;
  }

  /** The connection's other subscriptions; empty over HTTP. */
  public Optional<PushSession> pushes() {
    return pushes;
  }

  /** Runs {@code action} once the answer is on its way; only of WebSockets. */
  public void afterAnswer(Runnable action) {
    if (listeners.isEmpty()) {
      throw new IllegalStateException("Nothing follows an answer over HTTP.");
    }
    afterwards.add(action);
  }

  /** The answer is on its way. */
  public void answered() {
    for (var action = afterwards.poll(); action != null; action = afterwards.poll()) {
      action.run();
    }
  }

  /** What who wants one more is told by a connection that holds as many subscriptions as it may. */
  public static RpcFailure tooManySubscriptions(int most) {
    return new RpcFailure(
        ErrorCode.TOO_MANY_SUBSCRIPTIONS,
        "The connection holds %d subscriptions, the most there may be. Unsubscribe one, or open another connection."
            .formatted(most));
  }

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
}
