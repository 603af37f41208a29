package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket of a test: what comes is queued. */
public final class WebSocketClient implements AutoCloseable, WebSocket.Listener {
  private static final long PATIENCE_SECONDS = 60;

  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final StringBuilder partial = new StringBuilder();
  private final WebSocket socket;

  public WebSocketClient(HttpClient client, URI uri) {
    socket = client.newWebSocketBuilder().buildAsync(uri, this).join();
  }

  /** One of a caller who shows a token. */
  WebSocketClient(HttpClient client, URI uri, String token) {
    socket =
        client
            .newWebSocketBuilder()
            .header("Authorization", "Bearer " + token)
            .buildAsync(uri, this)
            .join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      received.add(partial.toString());
      partial.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    closed.complete(status);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    closed.completeExceptionally(error);
  }

  void send(String text) {
    socket.sendText(text, true).join();
  }

  void sendBinary(byte[] bytes) {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
  }

  /** The next message; fails if none comes. */
  public JsonNode next() {
    try {
      var text = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (text == null) {
        throw new AssertionError("Nothing came within " + PATIENCE_SECONDS + " s.");
      }
      return RunningRpc.parse(text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The response to a call, pushes before it left out. */
  public JsonNode call(String method, String params) {
    send(RunningRpc.request(method, params).toString());
    var response = next();
    while (!response.has("id")) {
      response = next();
    }
    return response;
  }

  /** Sends what is not answered. */
  public void tell(String method, String params) {
    send(RunningRpc.request(method, params).toString());
  }

  CompletableFuture<Integer> closed() {
    return closed;
  }

  /** Cuts the connection as a crash would. */
  public void abort() {
    socket.abort();
  }

  @Override
  public void close() {
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
  }
}
