package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers who only hold connections. */
class ConnectionsTest {
  private static final int OF_ADDRESS = 3;
  private static final Duration HEAD = Duration.ofMillis(700);
  private static final Duration IDLE = Duration.ofMillis(1_200);

  /** What a busy machine may take for anything. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final String POST =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 60\r\nConnection: close\r\n\r\n"
          + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\"}      ";
  private static final String HEALTH =
      "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private final LoggedLines logged = new LoggedLines();
  private RunningRpc rpc;

  @AfterEach
  void stop() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
    rpc.close();
    logged.close();
  }

  @Test
  void whoeverHoldsTooManyGetsNoMoreButKeepsNobodyFromHealth() throws IOException {
    start(LONG, LONG);
    for (int i = 0; i < OF_ADDRESS; i++) {
      open();
    }
    assertThat(ask(POST)).startsWith("HTTP/1.1 503").contains("SQ010011: ").contains("127.0.0.1");
    for (int i = 0; i < 100; i++) {
      open();
    }
    assertThat(ask(HEALTH)).startsWith("HTTP/1.1 200").contains("\"status\":\"UP\"");
    assertThat(ask(HEALTH.replace("/health", "/metrics")))
        .contains("sequitur_rpc_connections_refused_total");
    assertThat(logged.lines("JSON-RPC has no place")).hasSize(1);
    assertThat(logged.lines("JSON-RPC has no place").get(0)).contains("127.0.0.1");

    sockets.get(0).close();
    await().atMost(LONG).untilAsserted(() -> assertThat(ask(POST)).startsWith("HTTP/1.1 200"));
  }

  /** Who watches over a node would otherwise start it anew. */
  @Test
  void whoeverHoldsConnectionsOfThePortOfHealthKeepsNobodyFromIt() throws IOException {
    start(LONG, LONG);
    for (int i = 0; i < 150; i++) {
      open(healthPort());
    }
    assertThat(ask(healthPort(), HEALTH)).startsWith("HTTP/1.1 200").contains("\"status\":\"UP\"");
    assertThat(logged.lines("Health has no place")).hasSize(1);
    assertThat(logged.lines("Health has no place").get(0)).contains("127.0.0.1");
  }

  @Test
  void aHeadThatTricklesIsNotWaitedForOnThePortOfHealthEither() throws IOException {
    start(HEAD, LONG);
    assertThat(
            endsThoughItTrickles(
                open(healthPort()), "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
        .isTrue();
  }

  @Test
  void webSocketsAreCounted() throws IOException {
    start(LONG, LONG);
    var held = new ArrayList<WebSocketClient>();
    for (int i = 0; i < OF_ADDRESS; i++) {
      held.add(rpc.webSocket());
    }
    assertThat(ask(POST)).startsWith("HTTP/1.1 503");
    assertThat(held.get(0).call("transport_nodeName", "[]").get("result").asText())
        .isEqualTo("node1");

    held.get(0).abort();
    await().atMost(LONG).untilAsserted(() -> assertThat(ask(POST)).startsWith("HTTP/1.1 200"));
    held.forEach(WebSocketClient::abort);
  }

  @Test
  void aHeadThatTricklesIsNotWaitedFor() throws IOException {
    start(HEAD, LONG);
    assertThat(endsThoughItTrickles(open(), "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
        .isTrue();
  }

  @Test
  void aLaterHeadThatTricklesIsNotWaitedForEither() throws IOException {
    start(LONG, IDLE);
    var socket = open();
    send(socket, HEALTH.replace("Connection: close\r\n", ""));
    assertThat(firstLine(socket.getInputStream())).startsWith("HTTP/1.1 200");
    assertThat(endsThoughItTrickles(socket, "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
        .isTrue();
  }

  @Test
  void aConnectionOnWhichNothingComesEndsWithoutAWord() throws IOException {
    start(HEAD, IDLE);
    assertThat(open().getInputStream().readAllBytes()).isEmpty();
    assertThat(logged.lines("")).isEmpty();
  }

  @Test
  void aWebSocketOutlivesTheTimeForARequest() throws IOException {
    // Its pings must not be late by that much.
    start(LONG, IDLE.multipliedBy(3));
    var socket = rpc.webSocket();
    var silent = open();
    send(silent, HEALTH.replace("Connection: close\r\n", ""));
    // Ends once no further request has come for the time: by then the WebSocket would be gone, too.
    silent.getInputStream().readAllBytes();
    assertThat(socket.call("transport_nodeName", "[]").get("result").asText()).isEqualTo("node1");
    socket.abort();
  }

  private void start(Duration head, Duration idle) {
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withLimits(RpcSettings.Limits.DEFAULT.withConnectionsPerAddress(OF_ADDRESS))
                .withTimeouts(
                    RpcSettings.Timeouts.DEFAULT
                        .with()
                        .idle(idle)
                        .head(head)
                        .keepAlive(Duration.ofMillis(300))
                        .build()));
  }

  private int healthPort() {
    return rpc.server.healthAddress().orElseThrow().getPort();
  }

  private Socket open() throws IOException {
    return open(rpc.server.address().getPort());
  }

  private Socket open(int port) throws IOException {
    var socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout((int) LONG.toMillis());
    sockets.add(socket);
    return socket;
  }

  private String ask(String request) throws IOException {
    return ask(rpc.server.address().getPort(), request);
  }

  private String ask(int port, String request) throws IOException {
    try (var socket = open(port)) {
      send(socket, request);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private static String firstLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  /**
   * Sends a byte now and then. A time that began anew with each of them would never be over.
   *
   * @return whether the node ends the connection
   */
  private static boolean endsThoughItTrickles(Socket socket, String begin) throws IOException {
    long start = System.nanoTime();
    send(socket, begin);
    socket.setSoTimeout(50);
    while (System.nanoTime() - start < LONG.toNanos()) {
      try {
        if (socket.getInputStream().read() < 0) {
          return true;
        }
      } catch (SocketTimeoutException stillOpen) {
        try {
          send(socket, "x");
        } catch (SocketException ended) {
          return true;
        }
      } catch (SocketException ended) {
        return true;
      }
    }
    return false;
  }
}
