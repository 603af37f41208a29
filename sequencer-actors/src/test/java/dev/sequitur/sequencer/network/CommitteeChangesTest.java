package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.crypto.PassphraseSource;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.runtime.RunningSequencer;
import dev.sequitur.sequencer.setup.CommitteeNews.News;
import dev.sequitur.sequencer.setup.CommitteeNews.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose operators agree that the committee of their group changes (AGR-1 to AGR-8). */
class CommitteeChangesTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final Identity CAROL = Identity.parse("carol@node3");

  @TempDir private Path directory;
  private TestNetwork network;

  @BeforeEach
  void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    List.of("node1", "node2", "node3").forEach(name -> network.start(name, KIND));
    network.cutBlocks();
  }

  /** Ranges are short, so that a change is in force soon. */
  private static final TestNode.Kind KIND =
      new TestNode.Kind(
          TestNode.Kind.rules(
              new SelectionPolicy(20, SelectionPolicy.DEFAULT.virtualNodes()),
              Duration.ofSeconds(20)));

  @AfterEach
  void stop() {
    assertThat(network.audit().examples()).isEmpty();
    network.close();
  }

  private RunningSequencer node(Identity member) {
    return network.node(member.node().value()).sequencer();
  }

  private Member member(Identity identity) {
    return new Member(identity, node(identity).keys().verifier(identity.name()));
  }

  private CommitteeChange change(int number, Identity... members) {
    var committee = new Committee(List.of(members).stream().map(this::member).toList());
    var until = new BlockHeight(node(ALICE).blockHeight().value() + 2_000);
    return new CommitteeChange(
        number, new Quorum(committee, members.length, members.length), until);
  }

  private Path home(Identity member) {
    return directory.resolve(member.node().value());
  }

  private void inForce(ContractAddress contract, Identity... members) {
    for (var member : members) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> get(node(member).store().agreed(contract)).orElseThrow().phase(),
              Phase.IN_FORCE::equals);
    }
  }

  /** Alice's transactions wait for Bob's node, which signs again by its new key. */
  @Test
  void aMemberThatHasLostItsKeyIsReplacedByItselfWhileTransactionsRun() throws IOException {
    var contract = network.createGroup("token", "coins", "{\"changeThreshold\":1}", ALICE, BOB);
    network.confirm(List.of(Intents.mint(contract, ALICE, 100), Intents.mint(contract, BOB, 100)));
    var lost = member(BOB).verifier();
    network.stop("node2");
    var file = new NodeKeyFile(home(BOB), PassphraseSource.NONE);
    file.rotate("bob", Optional.empty());
    file.revoke("bob", Optional.of(lost));
    network.start("node2", KIND);
    assertThat(member(BOB).verifier()).isNotEqualTo(lost);
    var running = new ArrayList<Intent>();
    for (int i = 0; i < 10; i++) {
      running.add(Intents.transfer(contract, ALICE, BOB, 1));
    }
    running.subList(0, 5).forEach(network::submit);
    var change = change(1, ALICE, BOB);

    get(node(ALICE).agree(contract, change, "alice's operator"));
    get(node(BOB).agree(contract, change, "bob's operator"));
    running.subList(5, 10).forEach(network::submit);
    inForce(contract, ALICE, BOB);

    assertThat(network.receipts(running)).allMatch(Receipt::success);
    assertThat(get(node(ALICE).load(contract)).orElseThrow().committee().member(BOB))
        .contains(member(BOB));
  }

  /** It reads the group on the ledger, which its node was not in. */
  @Test
  void whoIsAddedIsInTheGroupAtAllNodes() {
    var contract = network.createGroup("record", "notes", ALICE, BOB);
    network.confirm(List.of(Intents.set(contract, ALICE, "first", "old")));
    var change = change(1, ALICE, BOB, CAROL);
    var done = new ConcurrentLinkedQueue<News>();
    List.of(ALICE, CAROL).forEach(member -> node(member).committees().take(done::add));

    for (var member : List.of(ALICE, BOB, CAROL)) {
      get(node(member).agree(contract, change, "operator"));
    }
    inForce(contract, ALICE, BOB, CAROL);
    await().atMost(PATIENCE).until(() -> done.size() == 4);
    assertThat(done)
        .extracting(News::what, News::who)
        .containsExactlyInAnyOrder(
            tuple(What.SIGNED, List.of(ALICE)),
            tuple(What.SIGNED, List.of(CAROL)),
            tuple(What.CHANGED, List.of(ALICE, BOB, CAROL)),
            tuple(What.CHANGED, List.of(ALICE, BOB, CAROL)));

    for (var member : List.of(ALICE, BOB, CAROL)) {
      assertThat(get(node(member).load(contract)).orElseThrow().committee())
          .isEqualTo(change.quorum().committee());
    }
    assertThat(node(CAROL).localMembers(contract)).contains(List.of("carol"));
    await().atMost(PATIENCE).until(() -> get(node(CAROL).lacking(contract)), Optional::isEmpty);
    network.confirm(
        List.of(
            Intents.set(contract, CAROL, "first", "new"),
            Intents.set(contract, ALICE, "second", "new")));
  }

  /** Its keys are left, and what its operator agreed to once. */
  @Test
  void whoWasAddedAndHasLostItsRecordsComesBack() throws IOException {
    var contract = network.createGroup("record", "notes", ALICE, BOB);
    network.confirm(List.of(Intents.set(contract, ALICE, "first", "old")));
    var change = change(1, ALICE, BOB, CAROL);
    for (var member : List.of(ALICE, BOB, CAROL)) {
      get(node(member).agree(contract, change, "operator"));
    }
    inForce(contract, ALICE, BOB, CAROL);
    network.confirm(List.of(Intents.set(contract, ALICE, "second", "old")));
    network.stop("node3");
    forgetAllButItsKeys(CAROL);
    network.start("node3", KIND);
    var height = node(ALICE).blockHeight();
    await().atMost(PATIENCE).until(() -> node(CAROL).blockHeight().compareTo(height) >= 0);
    assertThat(get(node(CAROL).load(contract))).isEmpty();

    get(node(CAROL).agree(contract, change, "carol's operator"));
    inForce(contract, CAROL);
    await().atMost(PATIENCE).until(() -> get(node(CAROL).lacking(contract)), Optional::isEmpty);

    assertThat(get(node(CAROL).load(contract)).orElseThrow().committee())
        .isEqualTo(change.quorum().committee());
    network.confirm(
        List.of(
            Intents.set(contract, CAROL, "second", "new"),
            Intents.set(contract, ALICE, "first", "new")));
  }

  private void forgetAllButItsKeys(Identity member) throws IOException {
    try (var all = Files.walk(home(member))) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(home(member)) && !path.getFileName().toString().startsWith("keys")) {
          Files.delete(path);
        }
      }
    }
  }
}
