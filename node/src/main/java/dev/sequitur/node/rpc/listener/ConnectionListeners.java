package dev.sequitur.node.rpc.listener;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.RpcExchange;
import dev.sequitur.node.rpc.method.RpcExchange.ListenerSession;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The subscriptions of one WebSocket; all end with it. Thread-safe. */
public final class ConnectionListeners implements ListenerSession {
  /** What all connections of an endpoint share. */
  public record Shared(
      ActorSystem<?> system,
      ListenerStore store,
      RpcSettings settings,
      ServedListeners listeners) {}

  private record Held(ServedListeners.Key listener, ActorRef<ListenerSubscription.Command> actor) {}

  private final Shared shared;
  private final Consumer<ObjectNode> push;
  private final Map<String, Held> held = new HashMap<>();
  private boolean closed;

  /**
   * @param push sends one JSON-RPC notification on the connection; must not block
   */
  public ConnectionListeners(Shared shared, Consumer<ObjectNode> push) {
    this.shared = shared;
    this.push = push;
  }

  @Override
  public synchronized String subscribe(ListenerKind kind, Listener listener, ListenerFeed feed) {
    int most = shared.settings().limits().subscriptions();
    if (closed || held.size() >= most) {
      throw RpcExchange.tooManySubscriptions(most);
    }
    var id = UUID.randomUUID().toString();
    var setup =
        new ListenerSubscription.Setup(
            id,
            kind,
            listener,
            feed,
            shared.store(),
            shared.settings().timeouts(),
            System::nanoTime,
            new Outlet(id));
    var actor =
        shared
            .system()
            .systemActorOf(ListenerSubscription.create(setup), "listener-" + id, Props.empty());
    var key = new ServedListeners.Key(kind, listener.name());
    held.put(id, new Held(key, actor));
    shared.listeners().serve(key, actor);
    return id;
  }

  @Override
  public void start(String subscription) {
    tell(subscription, ListenerSubscription.Start.INSTANCE);
  }

  @Override
  public void acknowledge(String subscription) {
    tell(subscription, ListenerSubscription.Acknowledge.INSTANCE);
  }

  @Override
  public void refuse(String subscription) {
    tell(subscription, ListenerSubscription.Refuse.INSTANCE);
  }

  @Override
  public synchronized boolean unsubscribe(String subscription) {
    var ended = held.remove(subscription);
    if (ended == null) {
      return false;
    }
    end(ended);
    return true;
  }

  /** The connection is gone. */
  public synchronized void close() {
    closed = true;
    held.values().forEach(this::end);
    held.clear();
  }

  private synchronized void forget(String subscription) {
    var ended = held.remove(subscription);
    if (ended != null) {
      shared.listeners().release(ended.listener(), ended.actor());
    }
  }

  private synchronized Optional<Held> known(String subscription) {
    return Optional.ofNullable(held.get(subscription));
  }

  private void end(Held ended) {
    shared.listeners().release(ended.listener(), ended.actor());
    ended.actor().tell(ListenerSubscription.Stop.INSTANCE);
  }

  private synchronized void tell(String subscription, ListenerSubscription.Command command) {
    var known = held.get(subscription);
    if (known != null) {
      known.actor().tell(command);
    }
  }

  private final class Outlet implements ListenerSubscription.Outlet {
    private final String subscription;

    Outlet(String subscription) {
      this.subscription = subscription;
    }

    @Override
    public void push(ObjectNode notification) {
      push.accept(notification);
    }

    @Override
    public boolean keepsTurn() {
      return known(subscription)
          .filter(known -> shared.listeners().keepsTurn(known.listener(), known.actor()))
          .isPresent();
    }

    @Override
    public boolean keepsLateTurn() {
      return known(subscription)
          .filter(known -> shared.listeners().keepsLateTurn(known.listener(), known.actor()))
          .isPresent();
    }

    @Override
    public void answeredLate() {
      known(subscription)
          .ifPresent(known -> shared.listeners().answeredLate(known.listener(), known.actor()));
    }

    @Override
    public void ended() {
      forget(subscription);
    }
  }
}
