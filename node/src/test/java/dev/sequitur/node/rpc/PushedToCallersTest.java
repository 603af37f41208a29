package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.guard.MethodGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pushed to a caller is what it could ask for. */
class PushedToCallersTest {
  private static final String GROUP = Sample.CONTRACT.value();
  private static final String OTHER = "0x" + "22".repeat(20);

  @TempDir Path directory;

  private GuardedCallers callers;

  @BeforeEach
  void start() {
    callers =
        new GuardedCallers(
            directory,
            Map.of(
                "alice", GuardedCallers.submits("alice@node1", "default", "alice", GROUP),
                "bob", GuardedCallers.submits("bob@node1", "default", "bob", OTHER),
                "all", GuardedCallers.role(Set.of(MethodGroup.values()), "*", "*", "*", "*")));
    callers.rpc.scheduler.withALittleOfEverything();
  }

  @AfterEach
  void stop() {
    callers.close();
  }

  private String notify(String who, String message) {
    return callers
        .call(
            "all",
            "recurring_scheduleNotifyTask",
            "[{\"owner\":\"%s\",\"providedId\":\"%s\",\"message\":\"%s\",\"times\":[\"%s\"]}]"
                .formatted(who, message, message, Sample.NOW.plus(Duration.ofHours(1))))
        .toString();
  }

  @Test
  void whatAQueuePublishesIsToldToThoseWhoMaySeeTheSchedule() {
    callers.call("all", "schedule_fund", "[{\"account\":\"bob\",\"amount\":\"100\"}]");
    try (var alice = callers.socket("alice");
        var bob = callers.socket("bob");
        var all = callers.socket("all")) {
      assertThat(alice.call("schedule_subscribe", "[]").has("result")).isTrue();
      assertThat(bob.call("schedule_subscribe", "[]").has("result")).isTrue();
      assertThat(all.call("schedule_subscribe", "[]").has("result")).isTrue();
      assertThat(notify("alice", "of alice")).contains("taskId");
      assertThat(notify("bob", "of bob")).contains("taskId");

      callers.rpc.scheduler.pass(Duration.ofMinutes(61));

      assertThat(alice.next().toString()).contains("of alice").doesNotContain("bob");
      assertThat(bob.next().toString()).contains("of bob").doesNotContain("alice");
      assertThat(all.next().toString()).contains("of alice", "of bob");
    }
  }

  private void send(String who, String group, String topic) {
    var sent =
        callers.call(
            who,
            "pgroup_sendMessage",
            "[{\"domain\":\"token\",\"group\":\"%s\",\"topic\":\"%s\"}]".formatted(group, topic));
    assertThat(sent.has("result")).as(sent.toString()).isTrue();
  }

  @Test
  void aCallerOfOneGroupHasListenersOfItsGroup() {
    try (var alice = callers.socket("alice");
        var bob = callers.socket("bob")) {
      for (var who : List.of("alice", "bob")) {
        assertThat(callers.call(who, "pgroup_createMessageListener", "[{\"name\":\"m\"}]"))
            .isEqualTo(RunningRpc.parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}"));
      }
      var mine = alice.call("pgroup_subscribe", "[\"messages\",\"m\"]").get("result");
      var others = bob.call("pgroup_subscribe", "[\"messages\",\"m\"]").get("result");
      assertThat(mine.isTextual()).isTrue();
      assertThat(others.isTextual()).isTrue();

      send("alice", Sample.GROUP.toString(), "of the group");

      assertThat(alice.next().at("/params/result/messages").findValuesAsText("topic"))
          .containsExactly("of the group");
      passedOver("bob", "pgroup_getMessageListener", "m");
    }
  }

  @Test
  void receiptsComeToThoseWhoCouldAskForThem() {
    for (var who : List.of("alice", "bob", "all")) {
      callers.call(who, "ptx_createReceiptListener", "[{\"name\":\"r\"}]");
    }
    try (var alice = callers.socket("alice");
        var bob = callers.socket("bob");
        var all = callers.socket("all")) {
      alice.call("ptx_subscribe", "[\"receipts\",\"r\"]");
      bob.call("ptx_subscribe", "[\"receipts\",\"r\"]");
      all.call("ptx_subscribe", "[\"receipts\",\"r\"]");

      var everything = ids(all.next());
      var may =
          everything.stream()
              .filter(
                  id ->
                      callers
                          .call("alice", "ptx_getTransactionReceipt", "[\"" + id + "\"]")
                          .has("result"))
              .toList();
      assertThat(may).isNotEmpty();
      assertThat(ids(alice.next())).isEqualTo(may);
      passedOver("bob", "ptx_getReceiptListener", "r");
      assertThat(everything).isNotEmpty();
    }
  }

  /** What is pushed waits to be acknowledged; what is not seen does not. */
  private void passedOver(String who, String method, String listener) {
    await()
        .untilAsserted(
            () ->
                assertThat(
                        callers
                            .call(who, method, "[\"" + listener + "\"]")
                            .at("/result/acknowledged")
                            .longValue())
                    .isPositive());
  }

  private static List<String> ids(JsonNode push) {
    return push.at("/params/result/receipts").findValuesAsText("id");
  }

  @Test
  void aListenersNameIsItsCallersAlone() {
    callers.call("alice", "ptx_createReceiptListener", "[{\"name\":\"books\"}]");

    assertThat(
            callers
                .call(
                    "bob",
                    "ptx_createReceiptListener",
                    "[{\"name\":\"books\",\"filters\":{\"type\":\"private\"}}]")
                .get("result"))
        .isEqualTo(RunningRpc.parse("true"));
    assertThat(callers.call("all", "ptx_getReceiptListener", "[\"books\"]").get("result").isNull())
        .isTrue();
    assertThat(
            callers
                .call("bob", "ptx_queryReceiptListeners", "[{\"limit\":9}]")
                .get("result")
                .findValuesAsText("name"))
        .containsExactly("books");
    assertThat(callers.call("bob", "ptx_deleteReceiptListener", "[\"books\"]").get("result"))
        .isEqualTo(RunningRpc.parse("true"));
    assertThat(
            callers
                .call("alice", "ptx_getReceiptListener", "[\"books\"]")
                .at("/result/name")
                .textValue())
        .isEqualTo("books");
  }

  @Test
  void oneCallersListenersLeaveOthersRoom() {
    for (int i = 0; i < 100; i++) {
      callers.call("alice", "ptx_createReceiptListener", "[{\"name\":\"l%d\"}]".formatted(i));
    }
    assertThat(
            callers
                .call("alice", "ptx_createReceiptListener", "[{\"name\":\"one more\"}]")
                .at("/error/message")
                .textValue())
        .contains("100 listeners of a kind and a caller");
    assertThat(callers.call("bob", "ptx_createReceiptListener", "[{\"name\":\"l\"}]").has("result"))
        .isTrue();
  }
}
