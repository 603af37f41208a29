package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two nodes do not accept, from their callers or from each other. */
class RefusalTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final Identity CAROL = Identity.parse("carol@node3");

  @TempDir private static Path directory;
  private static TestNetwork network;
  private static ContractAddress tokens;
  private static ContractAddress records;

  @BeforeAll
  static void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    network.start("node1");
    network.start("node2");
    network.cutBlocks();
    tokens = network.createGroup("token", "tokens", ALICE, BOB);
    records = network.createGroup("record", "records", BOB, ALICE);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void acceptsATransferOfABalanceThatIsOnItsWay() {
    var coins = network.createGroup("token", "on-its-way", ALICE, BOB);
    var mint = Intents.mint(coins, ALICE, 10);
    var there = Intents.transfer(coins, ALICE, BOB, 10);
    network.submit(mint);
    network.submit(there);
    assertThat(network.receipts(List.of(mint, there))).allMatch(Receipt::success);

    // In one batch too, and upon what another node has sent.
    var back = Intents.transfer(coins, BOB, ALICE, 10);
    var more = Intents.mint(coins, BOB, 5);
    var all = Intents.transfer(coins, BOB, ALICE, 5);
    // What node1 has sent may still be on its way to node2.
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(RefusedIntent.class)
        .until(() -> !get(node("node2").submit(List.of(more, back, all))).isEmpty());
    assertThat(network.receipts(List.of(more, back, all))).allMatch(Receipt::success);
    // The receipts are on node2; node1 may be a block behind, and count what is spent since.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(network.balance(coins, ALICE)).contains("15"));
    refused("SQ020005", Intents.transfer(coins, ALICE, BOB, 16));
  }

  @Test
  void refusesMoreThanABalanceThatNothingUnfinishedAddsTo() {
    var coins = network.createGroup("token", "over-balance", ALICE, BOB);
    var mint = Intents.mint(coins, ALICE, 10);
    network.confirm(List.of(mint));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(network.balance(coins, ALICE)).contains("10"));
    // Its caller never submits it, so it stays unfinished.
    network.submit(Intents.external(Intents.transfer(coins, ALICE, BOB, 4)));

    // More than what is spent and its change together, which both count until a block comes.
    var tooMuch = Intents.transfer(coins, ALICE, BOB, 17);
    refused("SQ020005", tooMuch);
    refused("SQ020005", tooMuch, Intents.transfer(coins, ALICE, BOB, 1));
    refused("SQ020005", Intents.after(tooMuch, id(mint)));
  }

  @Test
  void refusesACallByWhoIsNoMember() {
    for (var stranger : List.of("eve@node5", "mallory@node1")) {
      var refusal =
          catchThrowableOfType(
              RefusedIntent.class,
              () ->
                  get(
                      node("node1")
                          .call(tokens, Identity.parse(stranger), "balanceOf", Bytes.EMPTY)));
      assertThat(refusal).as(stranger).isNotNull();
      assertThat(refusal.code()).isEqualTo("SQ020004");
      assertThat(refusal.getMessage()).contains(stranger + " is no member", "bob@node2");
    }
  }

  @Test
  void refusesAndStoresNothing() {
    var fine = Intents.increment(records, ALICE, "refused");
    refused("SQ020001", Intents.increment(other(records), ALICE, "refused"), fine);
    refused("SQ020002", Intents.mint(records, ALICE, 1), fine);
    refused("SQ020003", Intents.increment(records, BOB, "refused"), fine);
    refused(
        "SQ020004", Intents.increment(records, Identity.parse("mallory@node1"), "refused"), fine);
    refused("SQ020005", Intents.transfer(tokens, ALICE, BOB, -1), fine);
    refused("SQ020005", Intents.transfer(tokens, ALICE, BOB, 1_000_000), fine);
    refused(
        "SQ020006",
        Intents.after(
            Intents.increment(records, ALICE, "refused"), new TransactionId(UUID.randomUUID())),
        fine);

    var key = network.newKey();
    var original = Intents.withKey(Intents.increment(records, ALICE, "once"), key);
    var id = network.submit(original);
    refused("SQ020007", Intents.withKey(Intents.increment(records, ALICE, "twice"), key), fine);
    var both = network.newKey();
    assertThat(
            refused(
                "SQ020007",
                Intents.withKey(Intents.increment(records, ALICE, "a"), both),
                Intents.withKey(Intents.increment(records, ALICE, "b"), both)))
        .contains("Two transactions of this call");
    var repeat = Intents.withKey(Intents.increment(records, ALICE, "once"), key);
    assertThat(network.submit(repeat)).isEqualTo(id);
    assertThat(get(node("node1").store().intent(id(repeat)))).isEmpty();
  }

  /** As the last of a batch. */
  private static String refused(String code, Intent wrong, Intent... fine) {
    var batch = new ArrayList<>(List.of(fine));
    batch.add(wrong);
    var refusal = catchThrowableOfType(RefusedIntent.class, () -> get(node("node1").submit(batch)));

    assertThat(refusal).as(code).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.getMessage()).doesNotContain("null").endsWith(".");
    for (var intent : batch) {
      assertThat(get(node("node1").store().intent(id(intent)))).isEmpty();
    }
    return refusal.getMessage();
  }

  @Test
  void refusesGroupsThatCouldNotWork() {
    refusedGroup("SQ020010", "no-such-domain", ALICE, BOB);
    refusedGroup("SQ020010", "record");
    refusedGroup("SQ020010", "record", ALICE, ALICE);
    refusedGroup("SQ020010", "record", BOB, CAROL);
    refusedGroup("SQ020010", "record", ALICE, Identity.parse("x@nowhere"));
    refusedGroup("SQ020010", group("record", "{\"endorsementThreshold\":3}", ALICE, BOB));
    refusedGroup("SQ020010", "record", ALICE, Identity.parse("submitter.0xab@node2"));
    refusedGroup("SQ020010", "record", ALICE, Identity.parse("deployer.ab@node1"));
  }

  private static GroupRequest group(String domain, String configuration, Identity... members) {
    return new GroupRequest(
        domain, "bad", List.of(members), Bytes.utf8(configuration), Bytes.EMPTY);
  }

  private static void refusedGroup(String code, String domain, Identity... members) {
    refusedGroup(code, group(domain, "{}", members));
  }

  private static void refusedGroup(String code, GroupRequest request) {
    var before = get(node("node1").store().groups(Optional.empty(), 1_000)).size();

    var refusal =
        catchThrowableOfType(RefusedIntent.class, () -> get(node("node1").createGroup(request)));

    assertThat(refusal.code()).isEqualTo(code);
    assertThat(get(node("node1").store().groups(Optional.empty(), 1_000))).hasSize(before);
  }

  @Test
  void anIdentityOfANodeThatIsSilentIsRefusedInASentence() {
    // It is given up after ten seconds of the node's clock.
    var refusal =
        catchThrowableOfType(RefusedIntent.class, () -> get(node("node1").resolveVerifier(CAROL)));

    assertThat(refusal.code()).isEqualTo("SQ020015");
    assertThat(refusal).hasMessageContaining("Node node3 does not answer");
  }

  @Test
  void anIdentityIsNotCalledLikeAKeyOfItsNode() {
    var submitter = Identity.parse("submitter." + records.value() + "@node2");
    assertThat(node("node1").resolveVerifier(submitter).toCompletableFuture())
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(RefusedIntent.class)
        .withMessageContaining("does not hold");

    var keys = network.newKeys();
    var committee =
        new Committee(
            List.of(
                new Member(submitter, keys.verifier("anybody")),
                new Member(ALICE, keys.verifier("somebody"))));
    var id = new GroupId(new CanonicalDigest().add("by hand").finish());
    var genesis = new ContractGenesis(id, "by hand", committee, 1, Bytes.EMPTY);
    network.submitByHand(new LedgerTransaction.Deploy("record", genesis));

    await().atMost(PATIENCE).until(() -> knows(node("node1"), id));
    // In blocks that come after it.
    var later = network.createGroup("record", "later", BOB, ALICE);
    assertThat(TestNetwork.groups(node("node2"))).anyMatch(group -> group.contract().equals(later));
    assertThat(knows(node("node2"), id)).isFalse();
  }

  private static boolean knows(SequencerNode node, GroupId id) {
    return TestNetwork.groups(node).stream().anyMatch(group -> group.id().equals(id));
  }

  private static SequencerNode node(String name) {
    return network.node(name).sequencer();
  }

  private static TransactionId id(Intent intent) {
    return intent.transaction().id();
  }

  private static ContractAddress other(ContractAddress contract) {
    var digits = contract.value();
    char last = digits.charAt(digits.length() - 1);
    return new ContractAddress(
        digits.substring(0, digits.length() - 1) + (last == '0' ? '1' : '0'));
  }
}
