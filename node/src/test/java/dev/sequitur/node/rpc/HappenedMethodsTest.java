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

  /** From 1 on: number 0 is alice's money, of which statements tell. */
  private static List<Long> numbers(JsonNode events) {
    var numbers = new ArrayList<Long>();
    events.forEach(event -> numbers.add(event.path("number").asLong()));
    return numbers;
  }

  @Test
  void pagesGoOnWhereTheOneBeforeEnded() {
    end("alice", 3);

    var first = calls.result("events_read", "{\"limit\": 3}");
    assertThat(numbers(first.get("events"))).containsExactly(1L, 2L);
    assertThat(first.at("/events/0/type").asText()).isEqualTo("ended");
    assertThat(first.at("/events/0/outcome").asText()).isEqualTo("cancelled");
    assertThat(first.at("/events/0/owner").asText()).isEqualTo("alice");
    var next = first.get("next").asText();
    var second = calls.result("events_read", "{\"from\": \"%s\"}".formatted(next));
    assertThat(numbers(second.get("events"))).containsExactly(3L);
    var last = second.get("next").asText();
    assertThat(calls.result("events_read", "{\"from\": \"%s\"}".formatted(last)))
        .isEqualTo(RunningRpc.parse("{\"events\":[],\"next\":4}"));
  }

  @Test
  void filtersLeaveOutOthersAndTheirNumbers() {
    calls.fund("carol", "1000");
    end("alice", 1);
    end("carol", 1);
    end("alice", 2);

    var page = calls.result("events_read", "{\"owner\": \"carol\"}");

    assertThat(numbers(page.get("events"))).containsExactly(3L);
    assertThat(page.get("next").asLong()).isEqualTo(6);
    assertThat(calls.result("events_read", "{\"family\": \"recurring\"}").get("events")).isEmpty();
  }

  @Test
  void eventsAreChosenAsOutcomesAre() {
    labelled("rent", true);
    labelled("food", true);
    labelled("rent", false);
    rpc.scheduler.pass(Duration.ofHours(1));
    labelled("rent", true);

    assertThat(read("'label': 'rent'")).containsExactly(1L, 3L, 4L);
    assertThat(read("'label': 'rent', 'outcome': 'cancelled'")).containsExactly(1L, 4L);
    assertThat(read("'outcome': 'run'")).containsExactly(3L);
    assertThat(read("'since': '2026-11-21T10:30:00Z'")).containsExactly(3L, 4L);
    assertThat(read("'until': '2026-11-21T10:30:00Z', 'label': 'food'")).containsExactly(2L);
    for (var filter : List.of("'label': 'rent', 'outcome': 'cancelled'", "'outcome': 'run'")) {
      var outcomes = calls.result("schedule_getOutcomes", json(filter)).get("outcomes");
      assertThat(numbers(outcomes)).isEqualTo(read(filter));
    }
  }

  /** What is told beside outcomes has the owner and the labels of its schedule, and a type. */
  @Test
  void whatIsNoOutcomeIsChosenByItsSchedulesLabelsAndItsType() {
    var id = labelled("rent", false);
    calls.result("schedule_pauseSchedule", json("'id': '%s', 'as': 'alice'".formatted(id)));
    labelled("rent", true);

    assertThat(read("'label': 'rent'")).containsExactly(1L, 2L);
    assertThat(read("'label': 'rent', 'type': 'intervened'")).containsExactly(1L);
    assertThat(read("'type': 'ended'")).containsExactly(2L);
    assertThat(read("'type': 'parked'")).isEmpty();
    assertThat(read("'outcome': 'cancelled'")).containsExactly(2L);
    assertThat(read("'label': 'food'")).isEmpty();
  }

  /** Nobody would ever be told, and would not know why. */
  @Test
  void anOutcomeIsAskedOfWhatHasEndedAlone() {
    assertThat(read("'type': 'ended', 'outcome': 'failed'")).isEmpty();
    for (var method : List.of("events_read", "events_createListener")) {
      var name = method.equals("events_read") ? "" : "'name': 'odd', ";
      assertThat(calls.error(method, json(name + "'type': 'parked', 'outcome': 'failed'")))
          .contains("Only what has ended has an outcome: name the type ended, or none.");
    }
  }

  /** Nobody would ever be told of it. */
  @Test
  void aShutdownIsAskedOfNoOwnerAndNoLabelAndARecordOfNoLabel() {
    assertThat(read("'type': 'shutdown'")).isEmpty();
    assertThat(read("'type': 'record', 'owner': 'alice'")).isEmpty();
    for (var method : List.of("events_read", "events_createListener")) {
      var name = method.equals("events_read") ? "" : "'name': 'odd', ";
      for (var of : List.of("'owner': 'alice'", "'label': 'rent'")) {
        assertThat(calls.error(method, json(name + "'type': 'shutdown', " + of)))
            .contains("A shutdown is of a whole family");
      }
      assertThat(calls.error(method, json(name + "'type': 'record', 'label': 'rent'")))
          .contains("What multi-signature records has no labels");
    }
  }

  @Test
  void aListenerIsToldByAllOfTheseAndShowsThem() {
    var filters =
        "'from': 2, 'family': 'gas-priority', 'owner': 'alice', 'type': 'ended',"
            + " 'outcome': 'cancelled', 'label': 'rent', 'since': '2026-11-21T09:00:00Z',"
            + " 'until': '2026-11-22T00:00:00Z'";
    calls.result("events_createListener", json("'name': 'rents', " + filters));
    calls.result("events_createListener", json("'name': 'rents', " + filters));
    assertThat(rpc.result("events_getListener", "[\"rents\"]").get("filters"))
        .isEqualTo(RunningRpc.parse(json("'queue': 'default', " + filters)));
    labelled("rent", true);
    labelled("food", true);
    labelled("rent", false);
    labelled("rent", true);
    try (var socket = rpc.webSocket()) {
      socket.call("events_subscribe", "[\"schedules\",\"rents\"]");
      assertThat(numbers(socket.next().at("/params/result/events"))).containsExactly(3L);
    }
  }

  /** Of alice's, and cancelled at once if it is to have an outcome now; else due at 10:20. */
  private String labelled(String label, boolean cancelled) {
    var id =
        calls
            .result(
                "gasPriority_insert",
                json(
                    ("'senderAddr': 'alice', 'scheduledTimeMs': '%s',"
                            + " 'target': {'type': 'transfer', 'to': 'bob', 'amount': '%d'},"
                            + " 'labels': ['%s']")
                        .formatted(
                            cancelled ? "2026-11-21T23:00:00Z" : "2026-11-21T10:20:00Z",
                            ++amount,
                            label)))
            .get("id")
            .textValue();
    if (cancelled) {
      calls.result("schedule_cancel", json("'id': '%s', 'as': 'alice'".formatted(id)));
    }
    return id;
  }

  private List<Long> read(String filter) {
    return numbers(calls.result("events_read", json(filter)).get("events"));
  }

  private static String json(String fields) {
    return "{" + fields.replace('\'', '"') + "}";
  }

  /** A shutdown has no outcome of its own: before, whoever was away never learnt of it. */
  @Test
  void whatWasToldWhileNobodyListenedIsRead() {
    calls.result("schedule_shutdown", "{\"family\": \"gas-priority\"}");
    rpc.scheduler.pass(Duration.ofSeconds(1));

    var event = calls.result("events_read", "{}").at("/events/0");

    assertThat(event.path("type").asText()).isEqualTo("shutdown");
    assertThat(event.path("family").asText()).isEqualTo("gas-priority");
    assertThat(event.path("number").asLong()).isOne();
    assertThat(event.has("at")).isTrue();
    assertThat(read("'family': 'gas-priority'")).as("its own").containsExactly(1L);
    assertThat(read("'family': 'recurring'")).isEmpty();
  }

  @Test
  void aListenerGoesOnOnAnotherConnectionBehindWhatItAcknowledged() {
    calls.result("events_createListener", "{\"name\": \"books\", \"from\": \"2\"}");
    end("alice", 2);
    try (var socket = rpc.webSocket()) {
      var subscription = subscribe(socket);
      assertThat(numbers(socket.next().at("/params/result/events"))).containsExactly(2L);
      socket.tell("events_ack", "[\"" + subscription + "\"]");
      end("alice", 3);
      assertThat(numbers(socket.next().at("/params/result/events"))).startsWith(3L);
    }
    try (var socket = rpc.webSocket()) {
      subscribe(socket);
      var push = socket.next();
      assertThat(push.get("method").asText()).isEqualTo("events_subscription");
      assertThat(numbers(push.at("/params/result/events"))).startsWith(3L);
    }
    assertThat(rpc.result("events_getListener", "[\"books\"]").get("acknowledged").asLong())
        .isEqualTo(3);
    assertThat(rpc.result("events_getListener", "[\"books\"]").get("filters"))
        .isEqualTo(RunningRpc.parse("{\"queue\":\"default\",\"from\":2}"));
  }

  private static String subscribe(WebSocketClient socket) {
    return socket.call("events_subscribe", "[\"schedules\",\"books\"]").get("result").asText();
  }
}
