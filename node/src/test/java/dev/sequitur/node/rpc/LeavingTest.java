package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.cluster.placement.Drain.Step;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers, and those who watch, see of a JVM that leaves its node. */
class LeavingTest {
  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  private HttpResponse<String> get(String path) {
    return rpc.send(HttpRequest.newBuilder(rpc.uri(path)).GET());
  }

  private void refuses() {
    rpc.draining.settled();
    rpc.nanos.set(Duration.ofSeconds(2).toNanos());
    await().until(() -> rpc.draining.step() == Step.REFUSES);
  }

  private JsonNode names() {
    return rpc.call("transport_nodeName", "[]");
  }

  @Test
  void healthSaysFirstThatItIsNotReadyWhileCallersAreServed() {
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);

    rpc.draining.settled();

    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").body()).contains("leaving its node", "call another JVM");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(names().has("result")).isTrue();
  }

  @Test
  void thenCallersAreToldToTurnToAnotherJvm() {
    refuses();

    var error = names().get("error");
    assertThat(error.get("message").textValue())
        .contains("SQ010907", "has not begun transport_nodeName", "call another JVM");
    assertThat(get("/health").statusCode()).isEqualTo(503);
  }

  @Test
  void whereThereIsNoOtherJvmCallersAreToldToWait() {
    refuses();
    rpc.others = 0;

    assertThat(names().get("error").get("message").textValue()).contains("wait until");
  }

  /** Whoever balances the load would send the next call of that connection here again. */
  @Test
  void theirConnectionsAreClosed() {
    refuses();

    var answer =
        rpc.exchange(
            BodyPublishers.ofString(RunningRpc.request("transport_nodeName", "[]").toString()));
    assertThat(answer.headers().firstValue("connection")).contains("close");
  }

  @Test
  void aCallHasTheJvmLeaveAndCanBeMadeAgain() {
    var ends = new AtomicBoolean();
    rpc.draining.whenAsked(() -> ends.set(true));

    var told = rpc.result("node_drain", "[]");

    assertThat(told.get("step").textValue()).isEqualTo("tells");
    assertThat(told.get("otherJvms").intValue()).isEqualTo(1);
    assertThat(ends).isTrue();
    refuses();
    assertThat(rpc.result("node_drain", "[]").get("step").textValue()).isEqualTo("refuses");
  }

  @Test
  void aProcessThatWouldNotEndSaysSo() {
    assertThat(rpc.error("node_drain", "[]").get("message").textValue()).contains("by a signal");
    assertThat(rpc.draining.step()).isEqualTo(Step.SERVES);
  }
}
