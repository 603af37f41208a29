package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What has happened in a queue is read from where one stopped, by whoever may see it. */
class HappenedMethodsTest {
  private final ScheduleCalls calls = ScheduleCalls.withAliceFunded();
  private final RunningRpc rpc = calls.rpc();
  private int amount;

  @AfterEach
  void stop() {
    calls.close();
  }

  /** Each is cancelled at once, so that it has an outcome. */
  private void end(String owner, int number) {
    for (int i = 0; i < number; i++) {
      var id =
          calls.result(
              "gasPriority_insert",
              ("{'senderAddr': '%s', 'scheduledTimeMs': '2026-11-21T10:20:00Z', 'maxGasAmount': '10',"
                      + " 'maxGasUnitPrice': '1', 'target': {'type': 'transfer', 'to': 'bob', 'amount': '%d'}}")
                  .formatted(owner, ++amount)
                  .replace('\'', '"'));
      calls.result(
          "schedule_cancel", "{\"id\": %s, \"as\": \"%s\"}".formatted(id.get("id"), owner));
    }
  }

  private static List<Long> numbers(JsonNode events) {
    var numbers = new ArrayList<Long>();
    events.forEach(event -> numbers.add(event.path("number").asLong()));
    return numbers;
  }

  @Test
  void pagesGoOnWhereTheOneBeforeEnded() {
    end("alice", 3);

    var first = calls.result("events_read", "{\"limit\": 2}");
    assertThat(numbers(first.get("events"))).containsExactly(0L, 1L);
    assertThat(first.at("/events/0/type").asText()).isEqualTo("ended");
    assertThat(first.at("/events/0/outcome").asText()).isEqualTo("cancelled");
    assertThat(first.at("/events/0/owner").asText()).isEqualTo("alice");
    var next = first.get("next").asText();
    var second = calls.result("events_read", "{\"from\": \"%s\"}".formatted(next));
    assertThat(numbers(second.get("events"))).containsExactly(2L);
    var last = second.get("next").asText();
    assertThat(calls.result("events_read", "{\"from\": \"%s\"}".formatted(last)))
        .isEqualTo(RunningRpc.parse("{\"events\":[],\"next\":3}"));
  }

  @Test
  void filtersLeaveOutOthersAndTheirNumbers() {
    calls.fund("carol", "1000");
    end("alice", 1);
    end("carol", 1);
    end("alice", 2);

    var page = calls.result("events_read", "{\"owner\": \"carol\"}");

    assertThat(numbers(page.get("events"))).containsExactly(1L);
    assertThat(page.get("next").asLong()).isEqualTo(4);
    assertThat(calls.result("events_read", "{\"family\": \"recurring\"}").get("events")).isEmpty();
  }

  /** A shutdown has no outcome of its own: before, whoever was away never learnt of it. */
  @Test
  void whatWasToldWhileNobodyListenedIsRead() {
    calls.result("schedule_shutdown", "{\"family\": \"gas-priority\"}");
    rpc.scheduler.pass(Duration.ofSeconds(1));

    var event = calls.result("events_read", "{}").at("/events/0");

    assertThat(event.path("type").asText()).isEqualTo("shutdown");
    assertThat(event.path("family").asText()).isEqualTo("gas-priority");
    assertThat(event.path("number").asLong()).isZero();
    assertThat(event.has("at")).isTrue();
  }

  @Test
  void aListenerGoesOnOnAnotherConnectionBehindWhatItAcknowledged() {
    calls.result("events_createListener", "{\"name\": \"books\", \"from\": \"1\"}");
    end("alice", 2);
    try (var socket = rpc.webSocket()) {
      var subscription = subscribe(socket);
      assertThat(numbers(socket.next().at("/params/result/events"))).containsExactly(1L);
      socket.tell("events_ack", "[\"" + subscription + "\"]");
      end("alice", 3);
      assertThat(numbers(socket.next().at("/params/result/events"))).startsWith(2L);
    }
    try (var socket = rpc.webSocket()) {
      subscribe(socket);
      var push = socket.next();
      assertThat(push.get("method").asText()).isEqualTo("events_subscription");
      assertThat(numbers(push.at("/params/result/events"))).startsWith(2L);
    }
    assertThat(rpc.result("events_getListener", "[\"books\"]").get("acknowledged").asLong())
        .isEqualTo(2);
    assertThat(rpc.result("events_getListener", "[\"books\"]").get("filters"))
        .isEqualTo(RunningRpc.parse("{\"queue\":\"default\",\"from\":1}"));
  }

  private static String subscribe(WebSocketClient socket) {
    return socket.call("events_subscribe", "[\"schedules\",\"books\"]").get("result").asText();
  }
}
