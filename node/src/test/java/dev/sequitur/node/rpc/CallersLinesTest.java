package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No caller fills the log, whatever it sends. */
class CallersLinesTest {
  private static final String UPGRADE =
      "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
  private static final String CALL =
      "[{\"domain\":\"token\",\"group\":\"%s\",\"from\":\"alice@node1\",\"function\":\"balance\"}]";

  /** The close frame, with the code for data that is not of its kind. */
  private static final String NOT_UTF8 = "880203ef";

  private final LoggedLines logged = new LoggedLines();

  /** What a busy machine may take for anything; only what a test waits for ends in a moment. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** A connection on which nothing moves ends after that. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final Duration MOMENT = Duration.ofMillis(300);

  private RunningRpc rpc;

  private void start(Duration head, Duration body) {
    var usual = RpcSettings.Timeouts.DEFAULT;
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withTimeouts(
                    new RpcSettings.Timeouts(
                        IDLE,
                        head,
                        body,
                        LONG,
                        MOMENT,
                        usual.receiptPoll(),
                        usual.receiptRetry(),
                        Duration.ofSeconds(2))));
  }

  @AfterEach
  void stop() {
    rpc.close();
    logged.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nno header\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: localhost\r\nDate: now\r\nConnection: close\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n{",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET / HTTP/1.1\r\nHost: local",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003 a TLS hello, perhaps",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      })
  void aRequestThatIsNoneLeavesNoLine(String request) throws IOException {
    start(MOMENT, MOMENT);
    exchange(request.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(logged.lines("")).isEmpty();
  }

  /** What a caller meant to be secret could be in it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: sqt_secret\u0001\r\nConnection: close\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization Bearer sqt_secret\r\n\r\n",
        "GET /metrics?sqt_secret=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  void aRequestThatIsNoneLeavesNoLineOnThePortOfHealthEither(String request) throws IOException {
    start(LONG, LONG);
    askHealth(request);
    assertThat(logged.lines("")).isEmpty();
  }

  /** This can be read, and its token is none: that is told, at this port too, and once. */
  @Test
  void aTokenThatIsNoneIsToldOnThePortOfHealthWithoutIt() throws IOException {
    start(LONG, LONG);
    for (int i = 0; i < 3; i++) {
      askHealth(
          "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sqt_secret, x=\"\r\nConnection: close\r\n\r\n");
    }
    assertThat(logged.lines(""))
        .singleElement()
        .asString()
        .contains("Nobody was let in from 127.0.0.1: SQ010012: This is no token of the node")
        .doesNotContain("sqt_secret");
  }

  private void askHealth(String request) throws IOException {
    try (var socket = new Socket("127.0.0.1", rpc.server.healthAddress().orElseThrow().getPort())) {
      socket.setSoTimeout((int) LONG.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(received(socket).toUtf8()).startsWith("HTTP/1.1 ").doesNotContain("sqt_secret");
    }
  }

  @Test
  void aWebSocketMessageThatIsNotUtf8EndsTheConnectionWithoutALine() throws IOException {
    start(LONG, LONG);
    for (var text : new String[] {"22ff22", "22c0af22", "22eda08022"}) {
      assertThat(onWebSocket("818" + text.length() / 2 + "00000000" + text, false).toHex())
          .as(text)
          .contains(NOT_UTF8);
    }
    assertThat(logged.lines("")).isEmpty();
  }

  @Test
  void aWebSocketMessageThatStopsHalfWayIsToldAndEndsTheConnectionWithoutALine()
      throws IOException {
    start(LONG, MOMENT);
    // The first frame of several, of which no other comes.
    var answer = onWebSocket("018200000000" + "227b", false).toUtf8();
    assertThat(answer).contains("SQ010005: ");
    assertThat(logged.lines("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"81fe", "ffff", "8182", "81ff7fffffffffffffff00000000aa", "8302aabb"})
  void aWebSocketFrameThatIsNoneLeavesNoLine(String frame) throws IOException {
    start(LONG, LONG);
    // Hangs up, since a WebSocket that keeps still is kept alive.
    onWebSocket(frame, true);
    assertThat(logged.lines("")).isEmpty();
  }

  @Test
  void aFaultThatACallerBringsAboutAgainAndAgainIsOneLine() {
    start(LONG, LONG);
    rpc.node.callOutcome =
        () -> CompletableFuture.failedFuture(new IllegalStateException("a fault"));
    for (int i = 0; i < 20; i++) {
      rpc.error("pgroup_call", CALL.formatted(Sample.GROUP));
    }
    assertThat(logged.lines("pgroup_call failed")).hasSize(1);
  }

  /** That it does not answer is no fault of this node. */
  @Test
  void aVerifierOfAPeerThatIsSilentIsRefusedInASentenceWithoutALine() {
    start(LONG, LONG);
    rpc.node.verifierOutcome =
        () ->
            CompletableFuture.failedFuture(
                new RefusedIntent("SQ020015", "Node node2 does not answer: check that it runs."));
    for (int i = 0; i < 20; i++) {
      var error =
          rpc.error("ptx_resolveVerifier", "[\"bob@node2\",\"ecdsa:secp256k1\",\"eth_address\"]");
      assertThat(error.get("message").textValue()).startsWith("SQ020015: Node node2");
    }
    assertThat(logged.lines("")).isEmpty();
  }

  /** Opens a WebSocket, sends bytes on it, and takes what comes until the node hangs up. */
  private Bytes onWebSocket(String frame, boolean hangUp) throws IOException {
    try (var socket = connect()) {
      socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.US_ASCII));
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        assertThat(next).as("It hung up after " + head).isNotNegative();
        head.append((char) next);
      }
      assertThat(head).startsWith("HTTP/1.1 101");
      socket.getOutputStream().write(Bytes.hex(frame).toByteArray());
      if (hangUp) {
        socket.shutdownOutput();
      }
      return received(socket);
    }
  }

  /** All that comes until the node ends the connection. */
  private Bytes exchange(byte[] sent) throws IOException {
    try (var socket = connect()) {
      socket.getOutputStream().write(sent);
      return received(socket);
    }
  }

  private Socket connect() throws IOException {
    var socket = new Socket("127.0.0.1", rpc.server.address().getPort());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  private static Bytes received(Socket socket) throws IOException {
    var received = new ByteArrayOutputStream();
    long start = System.nanoTime();
    try {
      for (int next = socket.getInputStream().read();
          next >= 0;
          next = socket.getInputStream().read()) {
        received.write(next);
        // Pings would go on for ever.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .as("It is still open after " + Bytes.of(received.toByteArray()).toHex())
            .isLessThan(LONG);
      }
    } catch (SocketException reset) {
      // Then that was all.
    }
    return Bytes.of(received.toByteArray());
  }
}
