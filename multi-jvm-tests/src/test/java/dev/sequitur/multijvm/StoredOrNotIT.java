package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.LedgerOracle;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A JVM dies around a commit (RCV-5): of the intent (1S, 2S) or of the dispatch (1C, 2C). node1 has
 * two JVMs, and its database holds a write up for as long as it takes.
 */
@Timeout(1_500)
@Tag("slow")
class StoredOrNotIT extends OnOneNetwork {
  private static final int NODE = 1;
  private static final int OTHER = 2;

  @BeforeAll
  static void startIt() {
    start(NetworkPlan.of(NetworkPlan.ONE_RANGE + NetworkPlan.QUICK, 2, 1));
  }

  @BeforeEach
  void heal() {
    network.heal();
  }

  /**
   * Before 2S nobody is told that it is accepted, though what was on its way to the database may be
   * stored there. After 2S it stands. The same key again is the same intent, either way.
   */
  @Test
  void theSenderDiesBeforeAndAfterItHasStoredTheIntentAndTheCallerTriesAgain() throws Exception {
    var group = Group.create(network, 2);
    var first = network.jvm(NODE, 1);
    var second = network.jvm(NODE, 2).caller();
    var before = intents.newKey();
    int accepted = intents.size();
    try (var held = new HeldDatabase(network.postgres(), "node1")) {
      held.holdIntents();
      var caller =
          new Thread(() -> intents.sendOnce(NODE, group, before, first.caller()), "caller");
      caller.start();
      held.awaitSomebodyWaiting();
      first.kill();
      caller.join();
    }
    assertThat(intents.size()).as("nobody was told that it is accepted").isEqualTo(accepted);
    await()
        .atMost(Parties.PATIENCE)
        .until(() -> intents.sendOnce(NODE, group, before, second).isPresent());
    intents.awaitSuccess();

    first.startAgain();
    var after = intents.newKey();
    var stored = intents.sendOnce(NODE, group, after, first.caller()).orElseThrow();
    first.kill();
    assertThat(intents.sendOnce(NODE, group, after, second)).contains(stored);

    network.heal();
    intents.assertEachCountedOnce();
  }

  /** On or before 1C: as if the coordinator had never seen a delegation of it. */
  @Test
  void theCoordinatorDiesBeforeItHasStoredTheDispatch() throws Exception {
    var group = Group.where(network, 2, ranking -> ranking.get(0) == NODE);
    // So that its submitter is awake, and the dispatch is what waits for the database.
    intents.send(OTHER, group);
    intents.awaitSuccess();
    try (var held = new HeldDatabase(network.postgres(), "node1")) {
      held.holdDispatches();
      var id = intents.send(OTHER, group);
      group.awaitState(network, OTHER, id, List.of("Prepared"));
      held.awaitSomebodyWaiting();
      network.jvms(NODE).forEach(Jvm::kill);
    }
    assertThat(LedgerOracle.read(network.ledger()).fulfilled())
        .as("all but the last")
        .hasSize(intents.size() - 1);
    network.heal();

    intents.assertEachCountedOnce();
  }

  /**
   * On or after 2C: what is stored is submitted, by the other JVM. Each of the two dies once, so
   * that one of them was the submitter's.
   */
  @Test
  void theSubmittersJvmDiesAfterItHasStoredTheDispatchAndAnotherSubmitsIt() {
    var group = Group.where(network, 2, ranking -> ranking.get(0) == NODE);
    for (var jvm : network.jvms(NODE)) {
      network.freezeLedger(group);
      var id = intents.send(OTHER, group);
      group.awaitState(network, OTHER, id, List.of("Dispatched"));
      jvm.kill();
      network.thawLedger();
      intents.awaitSuccess();
      intents.assertLedger();
      network.heal();
    }

    intents.assertEachCountedOnce();
  }

  /** As whoever watches over a process starts it: before the others have left it out. */
  @Test
  void aJvmThatIsStartedAgainAtOnceHoldsNothingUp() {
    var group = Group.where(network, 2, ranking -> ranking.get(0) == NODE);
    for (int round = 0; round < 8; round++) {
      var jvm = network.jvms(NODE).get(round % 2);
      jvm.kill();
      jvm.startAgain();
      intents.send(OTHER, group);
      intents.send(NODE, group);
      intents.awaitSuccess();
    }
    intents.assertEachCountedOnce();
  }
}
