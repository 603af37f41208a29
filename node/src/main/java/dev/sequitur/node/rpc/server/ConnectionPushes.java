package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.RpcExchange;
import dev.sequitur.node.rpc.method.RpcExchange.PushSession;
import dev.sequitur.scheduler.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** The subscriptions of one WebSocket to what is told as it happens; all end with it. */
final class ConnectionPushes implements PushSession {
  /** One that is open; without a source before it has started. */
  private record Held(
      String method, Function<Consumer<JsonNode>, Subscription> source, Subscription running) {}

  private final int most;
  private final Consumer<ObjectNode> push;
  private final Map<String, Held> held = new HashMap<>();
  private boolean closed;

  /**
   * @param most subscriptions at the same time
   * @param push sends one JSON-RPC notification on the connection; must not block
   */
  ConnectionPushes(int most, Consumer<ObjectNode> push) {
    this.most = most;
    this.push = push;
  }

  @Override
  public synchronized String open(
      String method, Function<Consumer<JsonNode>, Subscription> source) {
    if (closed || held.size() >= most) {
      throw RpcExchange.tooManySubscriptions(most);
    }
    var id = UUID.randomUUID().toString();
    held.put(id, new Held(method, source, () -> {}));
    return id;
  }

  @Override
  public synchronized void start(String subscription) {
    var prepared = held.get(subscription);
    if (prepared != null) {
      var running = prepared.source().apply(event -> push(prepared.method(), subscription, event));
      held.put(subscription, new Held(prepared.method(), prepared.source(), running));
    }
  }

  @Override
  public synchronized boolean close(String subscription) {
    var ended = held.remove(subscription);
    if (ended == null) {
      return false;
    }
    ended.running().close();
    return true;
  }

  /** The connection is gone. */
  synchronized void close() {
    closed = true;
    held.values().forEach(each -> each.running().close());
    held.clear();
  }

  private void push(String method, String subscription, JsonNode event) {
    var params = JsonText.object().put("subscription", subscription);
    params.set("result", event);
    var notification = JsonText.object().put("jsonrpc", "2.0").put("method", method);
    notification.set("params", params);
    push.accept(notification);
  }
}
