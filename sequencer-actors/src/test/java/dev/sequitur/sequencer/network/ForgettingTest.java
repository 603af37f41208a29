package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.RoomPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that forgets what has ended at once, beside one that keeps it. */
class ForgettingTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");

  private static final RoomPolicy AT_ONCE = RoomPolicy.of(Duration.ofMillis(1), Duration.ofDays(1));

  @TempDir private Path directory;

  @Test
  void whatIsForgottenIsAsItWasForAllThatComesAfterItAndForTheOtherMember() {
    try (var network = new TestNetwork(directory, Duration.ofMillis(50))) {
      network.start("node1", new TestNode.Kind(TestNode.Kind.USUAL.rules().withRoom(AT_ONCE)));
      network.start("node2");
      network.cutBlocks();
      var tokens = network.createGroup("token", "tokens", ALICE, BOB);
      var mint = Intents.mint(tokens, ALICE, 10);
      var first = Intents.transfer(tokens, ALICE, BOB, 1);
      network.submit(mint);
      network.submit(first);
      var store = network.node("node1").sequencer().store();
      for (var each : List.of(mint, first)) {
        var id = each.transaction().id();
        await()
            .atMost(TestNetwork.PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(get(store.forgotten(id)))
                        .hasValueSatisfying(left -> assertThat(left.success()).isTrue()));
        assertThat(get(store.intent(id))).isEmpty();
        assertThat(get(store.receipt(id))).isEmpty();
      }
      assertThat(get(store.forgottenUpTo(Kept.CONTENTS))).isPresent();

      assertThat(network.submit(first)).as("its id is known").isEqualTo(first.transaction().id());
      var second = Intents.after(Intents.transfer(tokens, ALICE, BOB, 2), first.transaction().id());
      network.submit(second);
      await().atMost(TestNetwork.PATIENCE).until(() -> network.balance(tokens, BOB).contains("3"));
      assertThat(network.balance(tokens, ALICE)).contains("7");
      var kept = network.node("node2").sequencer().store();
      assertThat(get(kept.receipts(0, 10))).hasSize(3);
    }
  }
}
