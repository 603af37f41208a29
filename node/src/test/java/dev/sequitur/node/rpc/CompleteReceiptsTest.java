package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listeners with {@code complete_only}: each receipt once it is complete (CLR-6). */
class CompleteReceiptsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ContractAddress ELSEWHERE = new ContractAddress("0x" + "ee".repeat(20));

  private RunningRpc rpc;
  private NodeStore store;
  private WebSocketClient socket;

  @BeforeEach
  void start() {
    rpc = RunningRpc.withDefaults();
    store = rpc.node.store();
    socket = rpc.webSocket();
    create();
  }

  @AfterEach
  void stop() {
    socket.abort();
    rpc.close();
  }

  private void create() {
    rpc.result(
        "ptx_createReceiptListener",
        "[{\"name\":\"whole\",\"options\":{\"incompleteStateReceiptBehavior\":\"complete_only\"}}]");
  }

  @Test
  void whatLacksContentsComesOnceTheyHaveComeAndOnceOnly() {
    complete(3, 10);
    var subscription = subscribe(socket);
    assertThat(sequences(socket.next())).as("who has failed lacks nothing").containsExactly(2L);
    acknowledge(socket, subscription);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(4));

    contentsCome("in 10");

    assertThat(sequences(socket.next())).containsExactly(3L);
    acknowledge(socket, subscription);
    contentsCome("in");
    assertThat(sequences(socket.next())).containsExactly(1L);
    acknowledge(socket, subscription);
    contentsCome("in 11");
    contentsCome("in 12");
    var last = sequences(socket.next());
    acknowledge(socket, subscription);
    if (last.size() == 1) {
      last.addAll(sequences(socket.next()));
      acknowledge(socket, subscription);
    }
    assertThat(last).containsExactlyInAnyOrder(4L, 5L);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isZero());
    assertThat(shown().has("heldBack")).isFalse();
  }

  @Test
  void whatIsHeldBackComesToTheNextConnectionWhichTellsItWithWhatIsNew() {
    var first = subscribe(socket);
    assertThat(sequences(socket.next())).containsExactly(2L);
    acknowledge(socket, first);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(1));
    socket.abort();
    contentsCome("in");
    complete(1, 20);
    contentsCome("in 20");

    try (var again = rpc.webSocket()) {
      var second = subscribe(again);
      assertThat(sequences(again.next())).containsExactly(1L, 3L);
      again.tell("ptx_nack", "[\"" + second + "\"]");
      assertThat(sequences(again.next())).as("it was not taken").containsExactly(1L, 3L);
    }
  }

  @Test
  void whoSharesTheListenerIsToldWhatAnotherHasRefused() {
    contentsCome("in");
    complete(1, 30);
    try (var other = rpc.webSocket()) {
      var first = subscribe(socket);
      assertThat(sequences(socket.next())).containsExactly(1L, 2L);
      acknowledge(socket, first);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(1));
      subscribe(other);
      contentsCome("in 30");
      assertThat(sequences(socket.next())).containsExactly(3L);

      socket.tell("ptx_nack", "[\"" + first + "\"]");

      assertThat(sequences(other.next())).containsExactly(3L);
    }
  }

  @Test
  void aListenerThatIsDeletedAndMadeAnewBeginsAnew() {
    var first = subscribe(socket);
    assertThat(sequences(socket.next())).containsExactly(2L);
    acknowledge(socket, first);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(1));
    rpc.result("ptx_deleteReceiptListener", "[\"whole\"]");
    assertThat(socket.next().at("/params/error/message").textValue()).startsWith("SQ010405: ");
    create();
    assertThat(shown().has("heldBack")).isFalse();

    contentsCome("in");
    subscribe(socket);

    assertThat(sequences(socket.next())).containsExactly(1L, 2L);
  }

  /** As a re-index leaves it (CNF-11). */
  @Test
  void whereAnotherReceiptHasTakenThePlaceOfOneThatIsHeldBackThatOneIsTold() {
    var subscription = subscribe(socket);
    assertThat(sequences(socket.next())).containsExactly(2L);
    acknowledge(socket, subscription);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(1));

    store.correct(
        List.of(
            new NumberedReceipt(
                1,
                Receipt.reverted(
                    Sample.CONFIRMED,
                    Sample.CONTRACT,
                    "token",
                    "Its block is gone.",
                    Sample.NOW))));

    assertThat(sequences(socket.next())).containsExactly(3L);
    acknowledge(socket, subscription);
    store.putStates(List.of());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("heldBack")).isZero());
  }

  @Test
  void whereNoMoreCanBeHeldBackItWaitsAndSaysSo() {
    complete(HeldBack.MOST + 200, 1_000);
    var subscription = subscribe(socket);
    assertThat(sequences(socket.next())).containsExactly(2L);
    acknowledge(socket, subscription);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(shown("heldBack")).isEqualTo(HeldBack.MOST));
    assertThat(shown().get("waits").booleanValue()).isTrue();
    assertThat(shown("acknowledged")).as("and receipt 2").isEqualTo(HeldBack.MOST + 1);

    contentsCome("in 1500");

    assertThat(sequences(socket.next())).containsExactly(503L);
    acknowledge(socket, subscription);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(shown("acknowledged")).isEqualTo(HeldBack.MOST + 2));
    contentsCome("in 2001");
    contentsCome("in 2000");
    assertThat(sequences(socket.next()))
        .as("what comes behind what it waits for, with that")
        .containsExactly(1_003L, 1_004L);
  }

  /** Contents of others may be for others: they are not waited for at others' cost. */
  @Test
  void whatIsPerhapsForOthersGoesWhereThereIsNoRoom() {
    for (int i = 0; i < HeldBack.MOST + 50; i++) {
      var id = Sample.id(5_000 + i);
      store.confirm(
          Map.of(
              new IntentKey(id, new SenderCommitment(Sample.hash("another's"))),
              lacking(i, ELSEWHERE, "never")),
          Set.of());
    }
    var subscription = subscribe(socket);
    assertThat(sequences(socket.next())).containsExactly(2L);
    acknowledge(socket, subscription);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown("leftOut")).isEqualTo(51));

    assertThat(shown("heldBack")).isEqualTo(HeldBack.MOST);
    assertThat(shown().has("waits")).isFalse();
    contentsCome("in");
    assertThat(sequences(socket.next())).as("its own is kept").containsExactly(1L);
  }

  private void complete(int count, int from) {
    store.complete(
        IntStream.range(from, from + count)
            .mapToObj(i -> lacking(i, Sample.CONTRACT, "in " + i))
            .toList());
  }

  private static Receipt lacking(int number, ContractAddress contract, String input) {
    return new Receipt(
        Sample.id(10_000 + number),
        contract,
        "token",
        true,
        Optional.of(
            new Receipt.OnLedger(
                new TransactionHash(Sample.hash("ledger " + number)),
                new BlockHeight(9),
                0,
                List.of(Sample.state(input)),
                List.of(),
                List.of())),
        Optional.empty(),
        Sample.NOW);
  }

  private void contentsCome(String state) {
    store.putStates(
        List.of(
            new PrivateState(
                Sample.state(state),
                Sample.CONTRACT,
                "coin",
                "bob@node2",
                Bytes.utf8("{}"),
                List.of(Sample.BOB))));
  }

  private static String subscribe(WebSocketClient on) {
    return on.call("ptx_subscribe", "[\"receipts\",\"whole\"]").get("result").textValue();
  }

  private static void acknowledge(WebSocketClient on, String subscription) {
    on.tell("ptx_ack", "[\"" + subscription + "\"]");
  }

  private JsonNode shown() {
    return rpc.result("ptx_getReceiptListener", "[\"whole\"]");
  }

  private int shown(String field) {
    return shown().path(field).intValue();
  }

  private static List<Long> sequences(JsonNode push) {
    var sequences = new ArrayList<Long>();
    push.at("/params/result/receipts")
        .forEach(receipt -> sequences.add(receipt.get("sequence").longValue()));
    return sequences;
  }
}
