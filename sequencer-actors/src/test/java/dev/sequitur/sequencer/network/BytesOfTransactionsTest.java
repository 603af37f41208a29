package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.protocol.errand.RoomErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.RoomPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many bytes a transaction leaves in the node stores of its members, of which
 * docs/operations.md has a table, and how many once it is forgotten.
 */
class BytesOfTransactionsTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final int TRANSFERS = 40;
  private static final RoomPolicy POLICY = RoomPolicy.of(Duration.ofDays(1), Duration.ofDays(10));

  @TempDir private Path directory;

  @Test
  void aTransferLeavesSomeKilobytesAndOnceForgottenItsIdAndThenNothing() {
    try (var network = new TestNetwork(directory, Duration.ofMillis(50))) {
      network.start("node1");
      network.start("node2");
      network.cutBlocks();
      var tokens = network.createGroup("token", "tokens", ALICE, BOB);
      network.confirm(List.of(Intents.mint(tokens, ALICE, 1_000)));
      await().atMost(TestNetwork.PATIENCE).until(() -> receipts(network, "node2") == 1);
      long before = receipts(network, "node1");
      var sender = new Count(network, "node1");
      var member = new Count(network, "node2");

      network.confirm(transfers(tokens));
      await().atMost(TestNetwork.PATIENCE).until(() -> receipts(network, "node2") == 1 + TRANSFERS);
      assertThat(receipts(network, "node1")).isEqualTo(before + TRANSFERS);

      var atSender = sender.ofEach();
      var atMember = member.ofEach();
      assertThat(sum(atSender)).as("at the sender: %s", atSender).isBetween(1_500L, 4_500L);
      assertThat(sum(atMember)).as("at another member: %s", atMember).isBetween(700L, 3_000L);

      long made = atSender.get(STATES) / 2;
      forget(network, Duration.ofDays(1));
      assertThat(sum(sender.ofEach())).as("%s", sender.ofEach()).isLessThan(sum(atSender) / 2);
      assertThat(sum(member.ofEach())).as("%s", member.ofEach()).isLessThan(sum(atMember));
      forget(network, Duration.ofDays(10));
      assertThat(sum(sender.ofEach())).as("%s", sender.ofEach()).isLessThan(made + 100);
      assertThat(network.balance(tokens, ALICE)).contains("" + (1_000 - TRANSFERS));
      assertThat(network.balance(tokens, BOB)).contains("" + TRANSFERS);
      network.confirm(transfers(tokens));
    }
  }

  private static final int STATES = 12;

  private static List<Intent> transfers(ContractAddress tokens) {
    var transfers = new ArrayList<Intent>();
    for (int i = 0; i < TRANSFERS; i++) {
      transfers.add(Intents.transfer(tokens, ALICE, BOB, 1));
    }
    return transfers;
  }

  private static long receipts(TestNetwork network, String node) {
    return get(store(network, node).receipts(0, 1_000)).size();
  }

  private static NodeStore store(TestNetwork network, String node) {
    return network.node(node).sequencer().store();
  }

  private static void forget(TestNetwork network, Duration later) {
    for (var node : List.of("node1", "node2")) {
      var errands =
          new RoomErrands(
              new Room(POLICY),
              store(network, node),
              () -> Instant.now().plus(later).plusSeconds(60));
      while (get(errands.forget()).freed().receipts() > 0) {}
    }
  }

  private static long sum(Map<Integer, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What was written to a node's store since. */
  private static final class Count {
    private final TestNetwork network;
    private final String node;
    private final Map<Integer, Long> before;

    Count(TestNetwork network, String node) {
      this.network = network;
      this.node = node;
      this.before = now();
    }

    /** By region. */
    private Map<Integer, Long> now() {
      var bytes = new TreeMap<Integer, Long>();
      LevelDbExtension.get(network.node(node).system())
          .levelDb()
          .scan(
              KeyRange.startingWith(Key.in(KeySpace.NODE_STORE)),
              Order.ASCENDING,
              (key, value) -> {
                var all = key.asByteBuffer();
                int length = all.remaining() + value.length;
                bytes.merge((int) all.get(1), (long) length, Long::sum);
                return true;
              });
      return bytes;
    }

    /** For each transfer, by region. */
    Map<Integer, Long> ofEach() {
      var bytes = now();
      before.forEach((region, old) -> bytes.merge(region, -old, Long::sum));
      bytes.replaceAll((region, all) -> all / TRANSFERS);
      bytes.values().removeIf(each -> each == 0);
      return bytes;
    }
  }
}
