package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.GroupMessage.Content;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore.Following;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What members tell each other, as callers send, find and are told it. */
class GroupMessageMethodsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final NodeName OTHER = new NodeName("node2");
  private static final String UNKNOWN = "6f1c6f0e-0000-4000-8000-00000000dead";

  private RunningRpc rpc;

  @BeforeEach
  void start() {
    rpc = RunningRpc.withDefaults();
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void whatIsSentIsFoundById() {
    var id = send("invoices/7", "{\"amount\":7}", ",\"correlationId\":\"" + UNKNOWN + "\"");
    var message = rpc.result("pgroup_getMessageById", "[\"" + id + "\"]");

    assertThat(message)
        .isEqualTo(
            RunningRpc.parse(
                """
                {"id":"%s","localSequence":1,"sent":"2026-11-21T10:00:00Z",
                 "received":"2026-11-21T10:00:00Z","node":"node1","correlationId":"%s",
                 "domain":"token","group":"%s","topic":"invoices/7","data":{"amount":7}}
                """
                    .formatted(id, UNKNOWN, Sample.GROUP)));
    assertThat(rpc.result("pgroup_getMessageById", "[\"" + UNKNOWN + "\"]").isNull()).isTrue();
  }

  @Test
  void aMessageWithoutDataHasNull() {
    var id = rpc.result("pgroup_sendMessage", "[" + message(Sample.GROUP, "t", "") + "]");

    assertThat(rpc.result("pgroup_getMessageById", "[" + id + "]").get("data").isNull()).isTrue();
  }

  /** Another node may have sent what is no JSON. */
  @Test
  void whatIsNoJsonIsShownAllTheSame() {
    receive(1, "t", "\u0001{");

    assertThat(query("{\"limit\":1}").get(0).has("data")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "invoices | token | 65536 | -",
        "invoices | token | 65537 | SQ010107",
        "'' | token | 9 | SQ010107",
        "slow | token | 9 | SQ010406",
        "invoices | record | 9 | SQ020001"
      })
  void whatCannotBeSentIsRefused(String topic, String domain, int bytes, String code) {
    var data = ",\"data\":\"" + "x".repeat(bytes - 2) + "\"";
    var sent = message(Sample.GROUP, topic, data).replace("\"token\"", "\"" + domain + "\"");
    var answer = rpc.call("pgroup_sendMessage", "[" + sent + "]");

    assertThat(answer.at("/error/data/code").asText("-")).isEqualTo(code);
  }

  @Test
  void aGroupWithoutItsContractTakesNoMessages() {
    var error =
        rpc.error(
            "pgroup_sendMessage",
            "[" + message(Sample.UNCONFIRMED, "t", "").replace("token", "record") + "]");

    assertThat(error.at("/data/code").asText()).isEqualTo("SQ010210");
  }

  @Test
  void aNodeThatTakesNothingIsNamed() {
    assertThat(
            rpc.error("pgroup_sendMessage", "[" + message(Sample.GROUP, "slow", "") + "]")
                .get("message")
                .asText())
        .contains("1000 messages wait for node2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"limit\":9} | 3,2,1",
        "{\"limit\":2} | 3,2",
        "{\"limit\":9,\"sort\":[\"localSequence\"]} | 1,2,3",
        "{\"limit\":9,\"sort\":[\"topic DESC\"]} | 3,2,1",
        "{\"limit\":9,\"eq\":[{\"field\":\"topic\",\"value\":\"b\"}]} | 2",
        "{\"limit\":9,\"eq\":[{\"field\":\"node\",\"value\":\"node2\"}]} | 2",
        "{\"limit\":9,\"eq\":[{\"field\":\"domain\",\"value\":\"record\"}]} | ''",
        "{\"limit\":9,\"greaterThan\":[{\"field\":\"localSequence\",\"value\":1}]} | 3,2",
        "{\"limit\":9,\"null\":[{\"field\":\"correlationId\"}]} | 3,2,1"
      })
  void theyAreFoundByEachField(String conditions, String found) {
    send("a", "1", "");
    receive(1, "b", "2");
    send("c", "3", "");

    assertThat(
            String.join(",", sequences(query(conditions)).stream().map(Object::toString).toList()))
        .isEqualTo(found);
  }

  @Test
  void theyAreFoundByTheirGroupAndTheirId() {
    var id = send("a", "1", "");

    assertThat(query(eq("group", Sample.GROUP.toString()))).hasSize(1);
    assertThat(query(eq("group", Sample.UNCONFIRMED.toString()))).isEmpty();
    assertThat(query(eq("id", id))).hasSize(1);
  }

  @Test
  void aListenerIsToldOfWhatItWantsFromWhereItStands() {
    listen("all", "{}", "{}");
    listen("some", "{\"topic\":\"^inv.*s/\"}", "{\"excludeLocal\":true}");
    try (var socket = rpc.webSocket();
        var other = rpc.webSocket()) {
      var all = subscribe(socket, "all");
      subscribe(other, "some");
      send("invoices/1", "1", "");
      receive(1, "orders/1", "2");
      receive(2, "invoices/2", "3");

      var seen = new ArrayList<JsonNode>();
      while (seen.size() < 3) {
        var push = socket.next();
        assertThat(push.get("method").asText()).isEqualTo("pgroup_subscription");
        push.at("/params/result/messages").forEach(seen::add);
        socket.tell("pgroup_ack", "[\"" + all + "\"]");
      }
      assertThat(seen)
          .extracting(each -> each.get("localSequence").asLong())
          .containsExactly(1L, 2L, 3L);
      assertThat(seen.get(2))
          .isEqualTo(rpc.result("pgroup_getMessageById", "[" + seen.get(2).get("id") + "]"));
      var wanted = other.next().at("/params/result/messages");
      assertThat(sequences(wanted)).containsExactly(3L);
      await().atMost(PATIENCE).until(() -> acknowledged("all") == 3);
    }
  }

  @Test
  void whatIsRefusedComesAgain() {
    listen("all", "{}", "{}");
    try (var socket = rpc.webSocket()) {
      var subscription = subscribe(socket, "all");
      send("a", "1", "");
      assertThat(sequences(socket.next().at("/params/result/messages"))).containsExactly(1L);
      socket.tell("pgroup_nack", "[\"" + subscription + "\"]");
      assertThat(sequences(socket.next().at("/params/result/messages"))).containsExactly(1L);
      assertThat(socket.call("pgroup_unsubscribe", "[\"" + subscription + "\"]").get("result"))
          .isEqualTo(RunningRpc.parse("true"));
    }
    assertThat(acknowledged("all")).isZero();
  }

  @Test
  void listenersOfReceiptsAndOfMessagesDoNotKnowEachOther() {
    rpc.result("ptx_createReceiptListener", "[{\"name\":\"books\",\"filters\":{}}]");
    listen("books", "{\"domain\":\"token\",\"sequenceAbove\":7}", "{}");

    assertThat(rpc.result("pgroup_getMessageListener", "[\"books\"]").get("filters"))
        .isEqualTo(RunningRpc.parse("{\"sequenceAbove\":7,\"domain\":\"token\"}"));
    assertThat(acknowledged("books")).isEqualTo(7);
    assertThat(rpc.result("ptx_getReceiptListener", "[\"books\"]").get("filters")).isEmpty();
    rpc.result("pgroup_stopMessageListener", "[\"books\"]");
    assertThat(rpc.result("pgroup_queryMessageListeners", "[{\"limit\":9}]").at("/0/started"))
        .isEqualTo(RunningRpc.parse("false"));
    rpc.result("pgroup_startMessageListener", "[\"books\"]");
    assertThat(rpc.result("pgroup_deleteMessageListener", "[\"books\"]").asBoolean()).isTrue();
    assertThat(rpc.result("pgroup_getMessageListener", "[\"books\"]").isNull()).isTrue();
    assertThat(rpc.result("ptx_getReceiptListener", "[\"books\"]").get("name").asText())
        .isEqualTo("books");
    assertThat(rpc.error("pgroup_stopMessageListener", "[\"books\"]").get("message").asText())
        .contains("There is no message listener 'books'");
  }

  @Test
  void aTopicThatIsNoExpressionIsRefused() {
    var error =
        rpc.error(
            "pgroup_createMessageListener", "[{\"name\":\"l\",\"filters\":{\"topic\":\"(\"}}]");

    assertThat(error.get("message").asText()).contains("must be a regular expression");
  }

  /** Or a caller could keep a node busy for years. */
  @Test
  void anExpressionThatTakesTooLongHoldsNothing() {
    listen("slow", "{\"topic\":\"^(a+)+$\"}", "{}");
    try (var socket = rpc.webSocket()) {
      subscribe(socket, "slow");
      send("a".repeat(200) + "b", "1", "");
      send("aaa", "2", "");

      assertThat(sequences(socket.next().at("/params/result/messages"))).containsExactly(2L);
    }
  }

  /** Each character of the topic is looked at many calls deep. */
  @Test
  void anExpressionThatGoesTooDeepHoldsNothingAndTheListenerGoesOn() {
    listen("deep", "{\"topic\":\"^(" + "(".repeat(60) + "a" + ")?".repeat(60) + ")*$\"}", "{}");
    try (var socket = rpc.webSocket()) {
      subscribe(socket, "deep");
      send("a".repeat(256), "1", "");
      send("aaa", "2", "");

      assertThat(sequences(socket.next().at("/params/result/messages"))).containsExactly(2L);
    }
  }

  private String send(String topic, String data, String more) {
    return rpc.result(
            "pgroup_sendMessage",
            "[" + message(Sample.GROUP, topic, ",\"data\":" + data + more) + "]")
        .asText();
  }

  private static String message(Object group, String topic, String more) {
    return "{\"domain\":\"token\",\"group\":\"%s\",\"topic\":\"%s\"%s}"
        .formatted(group, topic, more);
  }

  private void receive(long number, String topic, String data) {
    var content = new Content(Sample.NOW, Optional.empty(), topic, Bytes.utf8(data));
    var message = new GroupMessage(Sample.CONTRACT, OTHER, number, content);
    assertThat(message.id()).isEqualTo(GroupMessageId.of(Sample.CONTRACT, OTHER, number));
    rpc.node
        .store()
        .putMessages(Sample.NOW, List.of(new Following(message.number() - 1, message)))
        .toCompletableFuture()
        .join();
  }

  private JsonNode query(String query) {
    return rpc.result("pgroup_queryMessages", "[" + query + "]");
  }

  private static String eq(String field, String value) {
    return "{\"limit\":9,\"eq\":[{\"field\":\"%s\",\"value\":\"%s\"}]}".formatted(field, value);
  }

  private void listen(String name, String filters, String options) {
    rpc.result(
        "pgroup_createMessageListener",
        "[{\"name\":\"%s\",\"filters\":%s,\"options\":%s}]".formatted(name, filters, options));
  }

  private static String subscribe(WebSocketClient on, String listener) {
    return on.call("pgroup_subscribe", "[\"messages\",\"" + listener + "\"]")
        .get("result")
        .textValue();
  }

  private long acknowledged(String listener) {
    return rpc.result("pgroup_getMessageListener", "[\"" + listener + "\"]")
        .get("acknowledged")
        .longValue();
  }

  private static List<Long> sequences(JsonNode messages) {
    var sequences = new ArrayList<Long>();
    messages.forEach(message -> sequences.add(message.get("localSequence").longValue()));
    return sequences;
  }
}
