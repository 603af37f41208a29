package dev.sequitur.sequencer.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.transport.FaultRule;
import dev.sequitur.transport.FaultScope;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a ledger, one of which is asked to make groups by transactions (SEL-8). */
class TransactionsThatMakeGroupsTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");

  @TempDir private static Path directory;
  private static TestNetwork network;

  @BeforeAll
  static void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    network.start("node1");
    network.start("node2");
    network.cutBlocks();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void theReceiptNamesTheContractThatBothNodesKnow() {
    var asked = newGroup("first", ALICE, BOB);
    submit(Optional.of("once"), asked);

    var receipt = receipt(asked);

    assertThat(receipt.success()).isTrue();
    var contract = receipt.called().flatMap(Receipt.Called::created).orElseThrow();
    assertThat(contract).isEqualTo(receipt.contract());
    for (var node : List.of("node1", "node2")) {
      await()
          .atMost(TestNetwork.PATIENCE)
          .until(() -> TestNetwork.get(network.node(node).sequencer().knows(contract)));
    }
    assertThat(submit(Optional.of("once"), newGroup("first", ALICE, BOB))).isEqualTo(asked.id());
    assertThat(groupsCalled("first")).hasSize(1);
  }

  @Test
  void whatIsUnfinishedIsTakenUpAfterARestartAndMadeOnce() {
    // Nobody tells a key.
    network.faults().add(new FaultRule.Drop(FaultScope.ALL, 1));
    var asked = newGroup("second", ALICE, BOB);
    submit(Optional.empty(), asked);
    network.stop("node1");
    network.start("node1");
    network.faults().clear();

    assertThat(receipt(asked).success()).isTrue();
    assertThat(groupsCalled("second")).hasSize(1);
    assertThat(TestNetwork.get(network.node("node1").sequencer().store().newGroupsPending(0, 9)))
        .isEmpty();
  }

  /** The ledger takes no such name, which is found out once the members have the group. */
  @Test
  void aGroupThatIsNeverMadeIsWithdrawnAlsoAfterRestartsOfBoth() {
    network.faults().add(new FaultRule.Drop(FaultScope.ofMessages("GroupWithdrawal"), 1));
    var asked = newGroup("x".repeat(300), ALICE, BOB);
    submit(Optional.empty(), asked);
    assertThat(receipt(asked).failureMessage().orElseThrow()).contains("at most 256 characters");
    var group = groupsCalled(asked.request().name()).getFirst().id();
    assertThat(given(group).isAwaited()).isTrue();
    network.stop("node2");
    network.start("node2");
    network.stop("node1");
    network.faults().clear();
    network.start("node1");

    await().atMost(TestNetwork.PATIENCE).until(() -> !given(group).isAwaited());

    assertThat(given(group).notMade().orElseThrow()).contains("at most 256 characters");
    assertThat(given(group).giver()).contains(ALICE.node());
    await()
        .atMost(TestNetwork.PATIENCE)
        .until(
            () ->
                groupsCalled(asked.request().name())
                    .getFirst()
                    .withdrawal()
                    .orElseThrow()
                    .untold()
                    .isEmpty());
  }

  private static StoredGroup given(GroupId group) {
    return TestNetwork.get(network.node("node2").sequencer().store().group(group)).orElseThrow();
  }

  /** Clients of other nodes wait for it. */
  @Test
  void aGroupThatNoTransactionMakesHasItsReceiptOnItsMakerToo() {
    var contract = network.createGroup("record", "fourth", ALICE, BOB);
    var store = network.node("node1").sequencer().store();
    var id = groupsCalled("fourth").getFirst().genesisTransaction().orElseThrow();

    await()
        .atMost(TestNetwork.PATIENCE)
        .until(() -> TestNetwork.get(store.receipt(id)).isPresent());

    var receipt = TestNetwork.get(store.receipt(id)).orElseThrow().receipt();
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.called().flatMap(Receipt.Called::created)).contains(contract);
    assertThat(receipt.domain()).isEqualTo("record");
    assertThat(TestNetwork.get(network.node("node2").sequencer().store().receipt(id))).isEmpty();
  }

  @Test
  void whatCouldNotBeMadeIsRefusedAtOnce() {
    var asked = newGroup("third", ALICE, Identity.parse("x@nowhere"));

    assertThatThrownBy(() -> submit(Optional.empty(), asked))
        .isInstanceOf(RefusedIntent.class)
        .hasMessageContaining("x@nowhere");
    assertThatThrownBy(
            () ->
                submit(
                    Optional.empty(),
                    new NewGroup(asked.id(), BOB, Bytes.EMPTY, newGroup("third", ALICE).request())))
        .isInstanceOf(RefusedIntent.class)
        .hasMessageContaining("Send it to node node2");
  }

  private static NewGroup newGroup(String name, Identity... members) {
    var request =
        new GroupRequest("record", name, List.of(members), Bytes.utf8("{}"), Bytes.utf8(name));
    return new NewGroup(new TransactionId(UUID.randomUUID()), ALICE, Bytes.utf8("{}"), request);
  }

  private static TransactionId submit(Optional<String> key, NewGroup asked) {
    var body = new CanonicalDigest().add(asked.request().name()).finish();
    var intent =
        new Intent(
            0,
            Instant.EPOCH,
            key.map(name -> new IdempotencyKey(IdempotencyKey.Owner.of(asked.from()), name)),
            body,
            asked);
    return TestNetwork.get(network.node("node1").sequencer().submit(List.of(intent))).getFirst();
  }

  private static Receipt receipt(NewGroup asked) {
    return await()
        .atMost(TestNetwork.PATIENCE)
        .until(
            () -> TestNetwork.get(network.node("node1").sequencer().store().receipt(asked.id())),
            Optional::isPresent)
        .orElseThrow()
        .receipt();
  }

  private static List<StoredGroup> groupsCalled(String name) {
    return TestNetwork.get(
            network.node("node1").sequencer().store().groups(Optional.empty(), 1_000))
        .stream()
        .filter(group -> group.request().equals(Bytes.utf8(name)))
        .toList();
  }
}
