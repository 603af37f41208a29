package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.domain.Domains;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.transport.FaultRule;
import dev.sequitur.transport.FaultScope;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Four nodes that share two groups, and a fifth that is in another. */
class WholeNetworkTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final Identity CAROL = Identity.parse("carol@node3");
  private static final Identity DAVE = Identity.parse("dave@node4");
  private static final Identity EVE = Identity.parse("eve@node5");
  private static final List<Identity> MEMBERS = List.of(ALICE, BOB, CAROL, DAVE);

  @TempDir private static Path directory;
  private static TestNetwork network;
  private static ParkingDomain parking;
  private static ContractAddress tokens;
  private static ContractAddress records;
  private static ContractAddress others;

  @BeforeAll
  static void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    parking = new ParkingDomain(Domains.load().find("record").orElseThrow());
    parking.open();
    network.start("node1");
    network.start("node2");
    network.start("node3");
    network.start("node4", TestNode.Kind.USUAL.withDomain(parking));
    network.start("node5");
    network.cutBlocks();
    tokens = network.createGroup("token", "tokens", ALICE, BOB, CAROL, DAVE);
    records = network.createGroup("record", "records", BOB, ALICE, CAROL, DAVE);
    others = network.createGroup("record", "others", EVE, ALICE);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @AfterEach
  void ledgerHasKeptItsPromises() {
    network.faults().clear();
    assertThat(network.audit().examples()).isEmpty();
  }

  @Test
  void confirmsTransfersAndIncrementsFromAllNodesExactlyOnce() {
    var mints = MEMBERS.stream().map(member -> Intents.mint(tokens, member, 100)).toList();
    network.confirm(mints);
    var work = new ArrayList<Intent>();
    for (int i = 0; i < 40; i++) {
      var from = MEMBERS.get(i % 4);
      work.add(Intents.transfer(tokens, from, MEMBERS.get((i + 1) % 4), 1));
      work.add(Intents.increment(records, from, "hot"));
    }

    network.confirm(work);

    awaitValue("node3", CAROL, "hot", "40");
    for (var member : MEMBERS) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(network.balance(tokens, member))
                      .as("balance of %s", member)
                      .contains("100"));
    }
  }

  @Test
  void loosesNothingWhenOneMessageInTenIsLost() {
    network.faults().add(new FaultRule.Drop(FaultScope.ALL, 0.1));
    var work = new ArrayList<Intent>();
    for (int i = 0; i < 20; i++) {
      work.add(Intents.increment(records, MEMBERS.get(i % 4), "lossy"));
    }

    network.confirm(work);

    assertThat(network.faults().list().get(0).applied()).isPositive();
  }

  @Test
  void startsWhatDependsOnAnotherAfterItsConfirmation() {
    var first = Intents.set(records, ALICE, "ordered", "first");
    var second = Intents.after(Intents.set(records, ALICE, "ordered", "second"), id(first));
    var third = Intents.after(Intents.set(records, ALICE, "ordered", "third"), id(second));

    get(node("node1").submit(List.of(first, second, third)));
    var receipts = network.receipts(List.of(first, second, third));

    var blocks = new HashMap<TransactionId, Receipt.OnLedger>();
    receipts.forEach(r -> blocks.put(r.transaction(), r.onLedger().orElseThrow()));
    assertThat(blocks.get(id(first)).block()).isLessThan(blocks.get(id(second)).block());
    assertThat(blocks.get(id(second)).block()).isLessThan(blocks.get(id(third)).block());
    awaitValue("node1", ALICE, "ordered", "third");
  }

  @Test
  void leavesAPreparedTransactionToItsCallerAndSeesItConfirmed() {
    var intent = Intents.external(Intents.set(records, CAROL, "external", "done"));
    var id = network.submit(intent);
    var store = node("node3").store();
    await().atMost(PATIENCE).until(() -> get(store.prepared(id)).isPresent());
    assertThat(get(store.receipt(id))).isEmpty();

    network.submitByHand(
        LedgerTransaction.Invoke.of(get(store.prepared(id)).orElseThrow().prepared()));

    var receipt = network.receipts(List.of(intent)).get(0);
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.onLedger()).isPresent();
    // What it made is known to the others of the group.
    network.confirm(List.of(Intents.increment(records, BOB, "after-external")));
    awaitValue("node1", ALICE, "external", "done");
  }

  @Test
  void whatWasPreparedBeforeARestartOfItsSenderIsTheCallersStill() {
    var intent = Intents.external(Intents.set(records, CAROL, "prepared", "once"));
    var id = network.submit(intent);
    await().atMost(PATIENCE).until(() -> get(node("node3").store().prepared(id)).isPresent());
    var prepared = get(node("node3").store().prepared(id));

    network.stop("node3");
    network.start("node3");

    await().atMost(PATIENCE).until(() -> isPrepared(id));
    // Meanwhile others are delegated and confirmed: it would have been prepared anew by now.
    network.confirm(List.of(Intents.increment(records, CAROL, "after-restart")));
    assertThat(isPrepared(id)).isTrue();
    assertThat(get(node("node3").store().prepared(id))).isEqualTo(prepared);
    network.submitByHand(LedgerTransaction.Invoke.of(prepared.orElseThrow().prepared()));
    assertThat(network.receipts(List.of(intent))).allMatch(Receipt::success);
  }

  private static boolean isPrepared(TransactionId id) {
    return get(node("node3").transactionStatus(id))
        .filter(status -> status.waitsFor().startsWith("Its caller to submit it"))
        .isPresent();
  }

  @Test
  void parksWhatItsDomainParksUntilItIsResumed() {
    parking.close();
    var intent = Intents.set(records, DAVE, "parked", "done");
    var id = network.submit(intent);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                get(node("node4").transactionStatus(id))
                    .filter(status -> status.state().equals("Parked"))
                    .isPresent());

    parking.open();
    assertThat(get(node("node4").resume(id))).isTrue();

    network.confirm(List.of());
    assertThat(network.receipts(List.of(intent)).get(0).success()).isTrue();
    assertThat(get(node("node4").resume(id))).isFalse();
  }

  @Test
  void showsAnExchangeInCausalOrder() {
    var intent = Intents.increment(records, BOB, "traced");
    network.confirm(List.of(intent));

    var messages =
        node("node2").trace(id(intent)).toCompletableFuture().join().lines().stream()
            .map(line -> line.message().type())
            .filter(type -> !type.endsWith("HeartbeatNotification"))
            .toList();
    assertThat(messages)
        .containsSubsequence(
            "DelegationCommand",
            "DelegationAccepted",
            "AssembleRequest",
            "AssembleResponse",
            "EndorsementRequest",
            "EndorsementResponse",
            "RequestDispatchConfirmation",
            "DispatchConfirmationResponse",
            "Dispatched");
  }

  @Test
  void keepsStatesWithinTheirGroup() {
    network.confirm(List.of(Intents.set(records, ALICE, "secret", "ours")));
    network.confirm(List.of(Intents.set(others, EVE, "secret", "theirs")));

    var states = network.states(records);
    await()
        .atMost(PATIENCE)
        .until(() -> !get(node("node4").store().states(records, states)).isEmpty());
    assertThat(get(node("node5").store().states(records, states))).isEmpty();
    assertThat(get(node("node4").store().states(others, network.states(others)))).isEmpty();
    assertThat(network.node("node5").received())
        .allSatisfy(
            envelope ->
                assertThat(
                        envelope.payload() instanceof Message.OfContract message
                            ? message.contract()
                            : others)
                    .isEqualTo(others));
    assertThat(network.node("node5").received()).isNotEmpty();
    for (var name : List.of("node2", "node3", "node4")) {
      assertThat(network.node(name).received())
          .noneMatch(
              envelope ->
                  envelope.payload() instanceof Message.OfContract message
                      && message.contract().equals(others));
    }
    assertThat(node("node5").group(records)).isEmpty();
  }

  @Test
  void aNodeThatIsKilledInTheMiddleFinishesAfterItsRestart() {
    var work = new ArrayList<Intent>();
    for (int i = 0; i < 24; i++) {
      work.add(Intents.increment(records, MEMBERS.get(i % 4), "restart"));
    }
    work.forEach(network::submit);
    network.stop("node3");
    network.start("node3");

    var receipts = network.receipts(work);

    assertThat(receipts).allMatch(Receipt::success);
    awaitValue("node3", CAROL, "restart", "24");
  }

  private static SequencerNode node(String name) {
    return network.node(name).sequencer();
  }

  private static TransactionId id(Intent intent) {
    return intent.transaction().id();
  }

  /** A receipt is the sender's; another node, and the states of this one, may be a block behind. */
  private static void awaitValue(String node, Identity from, String key, String value) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(value(node(node), from, key)).contains(value));
  }

  private static String value(SequencerNode node, Identity from, String key) {
    return new String(
        get(node.call(records, from, "get", Bytes.utf8("{\"key\":\"" + key + "\"}"))).toByteArray(),
        StandardCharsets.UTF_8);
  }
}
