package dev.sequitur.sequencer.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts with groups on its disk. */
class StartWithGroupsTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final int FEW = 10;
  private static final int MANY = 10_000;
  private static final int HERS = 3;

  @TempDir private Path directory;

  @Test
  void aStartReadsAsManyRowsWithManyGroupsAsWithFew() {
    assertThat(rowsOfStart("few", FEW)).isEqualTo(rowsOfStart("many", MANY));
  }

  /** CLR-5: whose role has {@code own}. */
  @Test
  void theFirstCallOfACallerWithGroupsOfItsOwnReadsThoseAlone() {
    try (var network = new TestNetwork(directory, Duration.ofMillis(50))) {
      put(network.start("node1").sequencer().store(), MANY);
      network.stop("node1");
      var node = network.start("node1");
      long before = node.groupRowsRead();

      TestNetwork.get(node.sequencer().awaitGroupsOf(Set.of(new NamePattern("carol@node1"))));

      assertThat(node.groupRowsRead() - before)
          .as("each by her name, and itself")
          .isEqualTo(2 * HERS);
      assertThat(node.sequencer().localMembers(new ContractAddress("0x%040x".formatted(HERS))))
          .contains(List.of("carol"));
    }
  }

  private long rowsOfStart(String name, int groups) {
    try (var network = new TestNetwork(directory.resolve(name), Duration.ofMillis(50))) {
      put(network.start("node1").sequencer().store(), groups);
      network.stop("node1");

      var node = network.start("node1");

      assertThat(node.sequencer().groupCount()).isEqualTo(groups);
      return node.groupRowsRead();
    }
  }

  /** With what a node writes as their contracts come to stand. */
  private static void put(NodeStore store, int groups) {
    var one = new Arbitrary(3).next(PrivacyGroup.class);
    CompletionStage<Void> last = CompletableFuture.completedFuture(null);
    for (int each = 1; each <= groups; each++) {
      var group =
          new PrivacyGroup(
              new GroupId(new Hash(each, 0, 0, 0)),
              one.chainId(),
              new ContractAddress("0x%040x".formatted(each)),
              one.domain(),
              one.name(),
              one.committee(),
              one.endorsementThreshold(),
              one.configuration());
      last =
          store.putKnown(
              StoredGroup.of(group.id(), Instant.ofEpochSecond(each)).withGroup(Optional.of(group)),
              new KnownGroup(
                  group.contract(),
                  new LedgerAddress("0x%040x".formatted(each)),
                  List.of(new NodeName("node1"), new NodeName("node2")),
                  List.of(each <= HERS ? "carol" : "alice")),
              new BlockHeight(1));
      if (each % 1_000 == 0) {
        TestNetwork.get(last);
      }
    }
    TestNetwork.get(last);
  }

  /** Its coordinator, too, may be asked by the other node first. */
  @Test
  void aGroupThatNobodyHasAskedForSinceTheStartIsThereForTheOtherNodesAndTheLedger() {
    try (var network = new TestNetwork(directory, Duration.ofMillis(50))) {
      network.start("node1");
      network.start("node2");
      network.cutBlocks();
      var coins = network.createGroup("token", "coins", ALICE, BOB);
      network.confirm(List.of(Intents.mint(coins, ALICE, 100)));
      network.stop("node2");
      var node2 = network.start("node2");
      assertThat(TestNetwork.get(node2.sequencer().store().countKnown())).isEqualTo(1);

      network.confirm(List.of(Intents.transfer(coins, ALICE, BOB, 30)));

      network.confirm(List.of(Intents.transfer(coins, BOB, ALICE, 20)));
      await().atMost(TestNetwork.PATIENCE).until(() -> node2.sequencer().groupCount() == 1);
    }
  }
}
