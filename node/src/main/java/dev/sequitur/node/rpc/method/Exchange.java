package dev.sequitur.node.rpc.method;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One request text and its answer on one connection: lets a method begin what must not overtake its
 * own answer. Thread-safe.
 */
public final class Exchange {
  private static final Exchange HTTP = new Exchange(Optional.empty());

  private final Optional<ReceiptSession> receipts;
  private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();

  private Exchange(Optional<ReceiptSession> receipts) {
    this.receipts = receipts;
  }

  /** A request that came over HTTP. */
  public static Exchange http() {
    return HTTP;
  }

  /** A request that came over a WebSocket. */
  public static Exchange webSocket(ReceiptSession receipts) {
    return new Exchange(Optional.of(receipts));
  }

  /** The connection's subscriptions; empty over HTTP. */
  public Optional<ReceiptSession> receipts() {
    return receipts;
  }

  /** Runs {@code action} once the answer is on its way; only of WebSockets. */
  public void afterAnswer(Runnable action) {
    if (receipts.isEmpty()) {
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
}
