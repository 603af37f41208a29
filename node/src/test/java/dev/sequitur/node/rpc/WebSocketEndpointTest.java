package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same JSON-RPC over a WebSocket. */
class WebSocketEndpointTest {
  private final RunningRpc rpc =
      new RunningRpc(
          RpcSettings.loopback(0)
              .withLimits(new RpcSettings.Limits(2_000, 10, 10, 100, 800, 64, 64, 3, 10, 1 << 24)));
  private WebSocketClient socket;

  @BeforeEach
  void open() {
    socket = rpc.webSocket();
  }

  @AfterEach
  void close() {
    socket.abort();
    rpc.close();
  }

  @Test
  void answersComeInTheOrderOfTheRequests() {
    for (int i = 0; i < 100; i++) {
      socket.send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"transport_nodeName\"}".formatted(i));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(socket.next().get("id").intValue()).isEqualTo(i);
    }
  }

  @Test
  void aBatchOfAcknowledgementsIsNotAnswered() {
    var ack = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ptx_ack\",\"params\":[\"x\"]}";
    socket.send("[" + ack + "," + ack + "]");
    assertThat(socket.call("transport_nodeName", "[]").get("id").intValue()).isEqualTo(1);
  }

  @Test
  void aMistakeLeavesTheConnectionOpen() {
    socket.send("nonsense");
    assertThat(socket.next().get("error").get("code").intValue()).isEqualTo(-32700);
    socket.send("x".repeat(5_000));
    assertThat(socket.next().get("error").get("message").textValue()).startsWith("SQ010004: ");
    socket.sendBinary(new byte[] {1, 2, 3});
    assertThat(socket.next().get("error").get("message").textValue()).startsWith("SQ010001: ");
    assertThat(socket.call("transport_nodeName", "[]").get("result").textValue())
        .isEqualTo("node1");
  }

  @Test
  void aMessageFarOverTheLimitEndsTheConnection() throws Exception {
    try {
      socket.send("x".repeat(2_000_000));
    } catch (RuntimeException e) {
      // The node may have hung up while this was still being sent.
      assertThat(e).hasCauseInstanceOf(IOException.class);
    }
    var ended = socket.closed().handle((status, failure) -> true);
    assertThat(ended.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void openConnectionsAreCounted() {
    socket.call("transport_nodeName", "[]");
    var metrics = rpc.send(HttpRequest.newBuilder(rpc.uri("/metrics")).GET()).body();
    assertThat(metrics).contains("sequitur_rpc_websockets 1.0");
  }
}
