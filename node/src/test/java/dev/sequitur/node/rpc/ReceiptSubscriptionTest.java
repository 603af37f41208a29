package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receipts over a WebSocket: at least once, in order, one batch at a time. */
class ReceiptSubscriptionTest {
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RunningRpc rpc;
  private WebSocketClient socket;
  private int next = 100;

  @BeforeEach
  void start() {
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withLimits(
                    new RpcSettings.Limits(1 << 20, 10, 10, 100, 800, 64, 64, 3, 10, 1 << 24))
                .withTimeouts(
                    new RpcSettings.Timeouts(
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(20),
                        Duration.ofMillis(10),
                        RETRY,
                        Duration.ofSeconds(2))));
    socket = rpc.webSocket();
    rpc.result("ptx_createReceiptListener", "[{\"name\":\"books\"}]");
  }

  @AfterEach
  void stop() {
    socket.abort();
    rpc.close();
  }

  @Test
  void theNextBatchComesWhenTheLastIsAcknowledged() {
    complete(23);
    var subscription = subscribe(socket, "books");
    var first = socket.next();
    assertThat(first.get("method").textValue()).isEqualTo("ptx_subscription");
    assertThat(first.get("jsonrpc").textValue()).isEqualTo("2.0");
    assertThat(first.get("params").get("subscription").textValue()).isEqualTo(subscription);
    assertThat(first.get("params").get("result").get("batchId").longValue()).isEqualTo(1);
    assertThat(sequences(first)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    // Nothing overtakes: the answer to another call is the next thing that comes.
    assertThat(call("transport_nodeName", "[]").get("result").textValue()).isEqualTo("node1");

    acknowledge(subscription);
    assertThat(sequences(socket.next())).first().isEqualTo(11L);
    acknowledge(subscription);
    assertThat(sequences(socket.next())).containsExactly(21L, 22L, 23L, 24L, 25L);
    acknowledge(subscription);
    complete(1);
    assertThat(sequences(socket.next())).containsExactly(26L);
  }

  @Test
  void whatIsPushedIsTheReceiptAsItCanBeAskedFor() {
    subscribe(socket, "books");
    var pushed = socket.next().get("params").get("result").get("receipts").get(0);
    assertThat(pushed)
        .isEqualTo(rpc.result("ptx_getTransactionReceipt", "[\"" + Sample.CONFIRMED + "\"]"));
  }

  @Test
  void withDomainReceiptsItIsTheFullReceiptAsItCanBeAskedFor() {
    rpc.result(
        "ptx_createReceiptListener",
        "[{\"name\":\"full\",\"options\":{\"domainReceipts\":true,"
            + "\"incompleteStateReceiptBehavior\":\"block_contract\"}}]");
    subscribe(socket, "full");

    var pushed = socket.next().get("params").get("result").get("receipts");

    for (var receipt : pushed) {
      var id = receipt.get("id").textValue();
      assertThat(receipt)
          .isEqualTo(rpc.result("ptx_getTransactionReceiptFull", "[\"" + id + "\"]"));
    }
    assertThat(pushed.findValues("states")).hasSize(2);
    assertThat(rpc.result("ptx_getReceiptListener", "[\"full\"]").get("options").toString())
        .isEqualTo("{\"domainReceipts\":true}");
    assertThat(
            rpc.error("ptx_createReceiptListener", "[{\"name\":\"full\"}]")
                .get("message")
                .textValue())
        .startsWith("SQ010402: ");
  }

  /** CNF-9. */
  @Test
  void ofAnothersTransactionTheReceiptComesTooUnlessOnlyCompleteOnesAreWanted() {
    rpc.result(
        "ptx_createReceiptListener",
        "[{\"name\":\"whole\",\"options\":{\"incompleteStateReceiptBehavior\":\"complete_only\"}}]");
    var others = new IntentKey(Sample.id(7_777), new SenderCommitment(Sample.hash("another's")));
    var place =
        new Receipt.OnLedger(
            new TransactionHash(Sample.hash("theirs")),
            new BlockHeight(9),
            0,
            List.of(),
            List.of(),
            List.of(new StateId(Sample.hash("not here"))));
    rpc.node
        .store()
        .confirm(
            Map.of(
                others,
                new Receipt(
                    others.transaction(),
                    Sample.CONTRACT,
                    "token",
                    true,
                    Optional.of(place),
                    Optional.empty(),
                    Sample.NOW)),
            Set.of());
    complete(1);

    subscribe(socket, "books");
    assertThat(sequences(socket.next())).containsExactly(1L, 2L, 3L, 4L);
    try (var other = rpc.webSocket()) {
      subscribe(other, "whole");
      assertThat(sequences(other.next()))
          .as("the states of the sample's are not all here either")
          .containsExactly(2L);
    }

    var id = "[\"" + others.transaction() + "\"]";
    assertThat(rpc.result("ptx_getTransactionReceipt", id).get("sequence").longValue())
        .isEqualTo(3);
    assertThat(rpc.result("ptx_getTransactionReceiptFull", id).get("incomplete").booleanValue())
        .isTrue();
    var states = rpc.result("ptx_getStateReceipt", id);
    assertThat(states.has("none")).isFalse();
    assertThat(states.at("/unavailable/confirmed")).hasSize(1);
    assertThat(rpc.result("ptx_getTransaction", id).isNull()).isTrue();
  }

  /** CNF-9: whoever sees an id can use it too. */
  @Test
  void ofAnIdThatSeveralSendersHaveUsedAQueryHasAll() {
    var id = Sample.id(8_888);
    for (var sender : List.of("one", "another")) {
      rpc.node
          .store()
          .confirm(
              Map.of(
                  new IntentKey(id, new SenderCommitment(Sample.hash(sender))),
                  Sample.confirmed(id)),
              Set.of());
    }

    var ofId = "\"eq\":[{\"field\":\"id\",\"value\":\"" + id + "\"}]";
    var all = queried("{\"limit\":10," + ofId + "}");
    assertThat(all).hasSize(2);
    assertThat(
            rpc.result("ptx_getTransactionReceipt", "[\"" + id + "\"]").get("sequence").longValue())
        .as("the first on the ledger")
        .isEqualTo(Collections.min(all));
    assertThat(queried("{\"limit\":1," + ofId + "}")).hasSize(1);
  }

  /** CNF-4: an application would book its own payment as done. */
  @Test
  void anothersReceiptUnderTheIdOfAnOwnTransactionIsToldNobody() {
    var others = new IntentKey(Sample.PENDING, new SenderCommitment(Sample.hash("another's")));
    rpc.node
        .store()
        .confirm(Map.of(others, Sample.confirmed(Sample.PENDING)), Set.of())
        .toCompletableFuture()
        .join();
    complete(1);

    subscribe(socket, "books");
    assertThat(sequences(socket.next())).containsExactly(1L, 2L, 4L);
    assertThat(queried("{\"limit\":10}")).as("the last first").containsExactly(4L, 2L, 1L);
    assertThat(queried("{\"limit\":10,\"sort\":[\"sequence\"]}")).containsExactly(1L, 2L, 4L);
    assertThat(rpc.result("ptx_getTransactionReceipt", "[\"" + Sample.PENDING + "\"]").isNull())
        .isTrue();

    complete(40);
    assertThat(queried("{\"limit\":100}"))
        .as("more than the store reads at a time")
        .hasSize(43)
        .doesNotHaveDuplicates();
  }

  private List<Long> queried(String query) {
    var found = new ArrayList<Long>();
    rpc.result("ptx_queryTransactionReceipts", "[" + query + "]")
        .forEach(row -> found.add(row.get("sequence").longValue()));
    return found;
  }

  @Test
  void aRefusedBatchComesAgainAfterAPauseThatGrows() {
    var subscription = subscribe(socket, "books");
    assertThat(sequences(socket.next())).containsExactly(1L, 2L);
    for (int refusal = 0; refusal < 3; refusal++) {
      long before = System.nanoTime();
      socket.tell("ptx_nack", "[\"" + subscription + "\"]");
      assertThat(sequences(socket.next())).containsExactly(1L, 2L);
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThanOrEqualTo(RETRY.multipliedBy(1L << refusal).minusMillis(10));
    }
    acknowledge(subscription);
    complete(1);
    assertThat(sequences(socket.next())).containsExactly(3L);
  }

  @Test
  void whatWasNotAcknowledgedComesToTheNextConnection() {
    complete(15);
    var subscription = subscribe(socket, "books");
    socket.next();
    acknowledge(subscription);
    assertThat(sequences(socket.next())).first().isEqualTo(11L);
    socket.abort();

    try (var again = rpc.webSocket()) {
      subscribe(again, "books");
      assertThat(sequences(again.next())).first().isEqualTo(11L);
    }
  }

  @Test
  void whatWasAcknowledgedDoesNotComeAgain() {
    var subscription = subscribe(socket, "books");
    socket.next();
    acknowledge(subscription);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(acknowledged("books")).isEqualTo(2));
    socket.close();
    try (var again = rpc.webSocket()) {
      subscribe(again, "books");
      complete(1);
      assertThat(sequences(again.next())).containsExactly(3L);
    }
  }

  /** The first is told nothing of it: clients take whatever is pushed for a batch. */
  @Test
  void severalSubscriptionsShareAListenerAndEachBatchGoesToOneOfThem() {
    complete(23);
    var first = subscribe(socket, "books");
    assertThat(sequences(socket.next())).first().isEqualTo(1L);
    try (var other = rpc.webSocket()) {
      var second = subscribe(other, "books");
      acknowledge(first);
      assertThat(sequences(other.next())).first().isEqualTo(11L);
      other.tell("ptx_ack", "[\"" + second + "\"]");
      assertThat(sequences(socket.next())).first().isEqualTo(21L);
      acknowledge(first);
      complete(1);
      assertThat(sequences(other.next())).containsExactly(26L);
    }
  }

  @Test
  void whatWasOnItsWayToAConnectionThatEndsComesToAnotherThatSharesTheListener() {
    try (var other = rpc.webSocket()) {
      subscribe(socket, "books");
      socket.next();
      subscribe(other, "books");

      socket.abort();

      assertThat(sequences(other.next())).containsExactly(1L, 2L);
    }
  }

  @Test
  void deletingAListenerEndsAllThatShareIt() {
    try (var other = rpc.webSocket()) {
      subscribe(socket, "books");
      socket.next();
      subscribe(other, "books");

      rpc.result("ptx_deleteReceiptListener", "[\"books\"]");

      for (var each : List.of(socket, other)) {
        assertThat(each.next().at("/params/error/message").textValue()).startsWith("SQ010405: ");
      }
    }
  }

  @Test
  void deletingAListenerEndsItsSubscription() {
    subscribe(socket, "books");
    socket.next();
    assertThat(rpc.result("ptx_deleteReceiptListener", "[\"books\"]").booleanValue()).isTrue();
    assertThat(socket.next().get("params").get("error").get("message").textValue())
        .startsWith("SQ010405: ");
    assertThat(rpc.result("ptx_deleteReceiptListener", "[\"books\"]").booleanValue()).isFalse();
  }

  @Test
  void aStoppedListenerIsToldNothingUntilItIsStarted() {
    rpc.result("ptx_stopReceiptListener", "[\"books\"]");
    assertThat(rpc.result("ptx_getReceiptListener", "[\"books\"]").get("started").booleanValue())
        .isFalse();
    subscribe(socket, "books");
    complete(1);
    for (int i = 0; i < 20; i++) {
      // Nothing overtakes: a push would have come instead of the answer.
      assertThat(call("transport_nodeName", "[]").has("result")).isTrue();
    }

    rpc.result("ptx_startReceiptListener", "[\"books\"]");

    assertThat(sequences(socket.next())).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aListenerMayBeCreatedStopped() {
    rpc.result("ptx_createReceiptListener", "[{\"name\":\"later\",\"started\":false}]");
    var query = "[{\"equal\":[{\"field\":\"started\",\"value\":false}],\"limit\":5}]";
    assertThat(rpc.result("ptx_queryReceiptListeners", query).findValuesAsText("name"))
        .containsExactly("later");
    assertThat(rpc.error("ptx_stopReceiptListener", "[\"nobody\"]").get("message").textValue())
        .startsWith("SQ010401: ");
  }

  @Test
  void nothingComesAfterUnsubscribing() {
    var subscription = subscribe(socket, "books");
    socket.next();
    assertThat(call("ptx_unsubscribe", "[\"" + subscription + "\"]").get("result").booleanValue())
        .isTrue();
    acknowledge(subscription);
    complete(1);
    subscribe(socket, "books");
    assertThat(sequences(socket.next())).first().isEqualTo(1L);
    assertThat(call("ptx_unsubscribe", "[\"no such\"]").get("result").booleanValue()).isFalse();
  }

  @Test
  void aListenerIsToldOnlyWhatItsFiltersLetThrough() {
    rpc.result(
        "ptx_createReceiptListener",
        "[{\"name\":\"late\",\"filters\":{\"sequenceAbove\":1,\"domain\":\"token\",\"type\":\"private\"}}]");
    rpc.result(
        "ptx_createReceiptListener",
        "[{\"name\":\"records\",\"filters\":{\"domain\":\"record\"}}]");
    subscribe(socket, "late");
    assertThat(sequences(socket.next())).containsExactly(2L);

    try (var other = rpc.webSocket()) {
      subscribe(other, "records");
      complete(30);
      rpc.node
          .store()
          .complete(
              List.of(
                  Receipt.reverted(
                      Sample.id(9_999), Sample.CONTRACT, "record", "No.", Sample.NOW)));
      assertThat(sequences(other.next())).containsExactly(33L);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(acknowledged("records")).isGreaterThanOrEqualTo(30));
    }
  }

  @Test
  void aNodeKeepsOnlySoManyListeners() {
    var any =
        rpc.node
            .store()
            .listeners()
            .find(ListenerKind.RECEIPTS, "books")
            .toCompletableFuture()
            .join()
            .get();
    for (int i = 1; i < 1_000; i++) {
      rpc.node
          .store()
          .listeners()
          .create(
              ListenerKind.RECEIPTS,
              new Listener("l" + i, any.properties(), Sample.NOW, 0, Optional.empty()));
    }

    assertThat(
            rpc.error("ptx_createReceiptListener", "[{\"name\":\"more\"}]")
                .get("message")
                .textValue())
        .contains("keeps 1000 listeners of a kind");
    assertThat(rpc.result("ptx_createReceiptListener", "[{\"name\":\"books\"}]").booleanValue())
        .as("it is there")
        .isTrue();
    rpc.result("ptx_deleteReceiptListener", "[\"books\"]");
    assertThat(rpc.result("ptx_createReceiptListener", "[{\"name\":\"more\"}]").booleanValue())
        .isTrue();
  }

  @Test
  void creatingAListenerAgainChangesNothingUnlessItsFiltersDiffer() {
    assertThat(
            rpc.result("ptx_createReceiptListener", "[{\"name\":\"books\",\"filters\":{}}]")
                .booleanValue())
        .isTrue();
    assertThat(
            rpc.error(
                    "ptx_createReceiptListener",
                    "[{\"name\":\"books\",\"filters\":{\"domain\":\"token\"}}]")
                .get("message")
                .textValue())
        .startsWith("SQ010402: ");
    assertThat(
            rpc.error(
                    "ptx_createReceiptListener",
                    "[{\"name\":\"p\",\"filters\":{\"type\":\"other\"}}]")
                .get("message")
                .textValue())
        .startsWith("SQ010206: ");
  }

  @Test
  void whatCannotBeSubscribedToIsRefused() {
    assertThat(message(call("ptx_subscribe", "[\"receipts\",\"none\"]"))).startsWith("SQ010401: ");
    assertThat(message(call("ptx_subscribe", "[\"blocks\",\"books\"]"))).startsWith("SQ010107: ");
  }

  @Test
  void aConnectionHoldsABoundedNumberOfSubscriptions() {
    for (int i = 0; i < 4; i++) {
      rpc.result("ptx_createReceiptListener", "[{\"name\":\"l%d\"}]".formatted(i));
    }
    for (int i = 0; i < 3; i++) {
      subscribe(socket, "l" + i);
    }
    assertThat(message(call("ptx_subscribe", "[\"receipts\",\"l3\"]"))).startsWith("SQ010403: ");
  }

  @Test
  void anAcknowledgementNeedsNoIdAndOneTooManyIsIgnored() {
    var subscription = subscribe(socket, "books");
    socket.next();
    socket.send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"ptx_ack\",\"params\":[\"" + subscription + "\"]}");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(acknowledged("books")).isEqualTo(2));
    acknowledge(subscription);
    acknowledge("no such subscription");
    // Once this is answered they have been heard, before there is anything new they could mean.
    call("ptx_getReceiptListener", "[\"books\"]");
    complete(1);
    assertThat(sequences(socket.next())).containsExactly(3L);
    assertThat(acknowledged("books")).isEqualTo(2);
  }

  private void complete(int count) {
    var receipts = new ArrayList<Receipt>();
    for (int i = 0; i < count; i++) {
      receipts.add(Sample.confirmed(Sample.id(next++)));
    }
    rpc.node.store().complete(receipts);
  }

  private String subscribe(WebSocketClient on, String listener) {
    return on.call("ptx_subscribe", "[\"receipts\",\"" + listener + "\"]")
        .get("result")
        .textValue();
  }

  private void acknowledge(String subscription) {
    socket.tell("ptx_ack", "[\"" + subscription + "\"]");
  }

  private JsonNode call(String method, String params) {
    return socket.call(method, params);
  }

  private long acknowledged(String listener) {
    return rpc.result("ptx_getReceiptListener", "[\"" + listener + "\"]")
        .get("acknowledged")
        .longValue();
  }

  private static String message(JsonNode response) {
    return response.get("error").get("message").textValue();
  }

  private static List<Long> sequences(JsonNode push) {
    var sequences = new ArrayList<Long>();
    push.get("params")
        .get("result")
        .get("receipts")
        .forEach(receipt -> sequences.add(receipt.get("sequence").longValue()));
    return sequences;
  }
}
