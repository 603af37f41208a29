package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coordinator fails (RCV-2) or is away (AVL-1), a submitter is away (SUB-6), a sender fails
 * (RCV-5), and a node comes back (HBT-4): on four nodes in processes of their own. Where nothing
 * else is said three of four endorse, so that the others can go on without the one that is gone. On
 * the shipped ledger, and on a chain.
 */
@Timeout(1_500)
@Tag("slow")
@ParameterizedClass
@EnumSource(NetworkPlan.Ledger.class)
class NodeFailsIT extends OnOneNetwork {
  private static final int ENDORSERS = 3;
  private static final int SENDER = 1;
  private static final List<Integer> ALL = List.of(1, 2, 3, 4);

  private Group group;
  private Jvm coordinator;

  @Parameter private NetworkPlan.Ledger ledger;

  @BeforeParameterizedClassInvocation
  static void startOn(NetworkPlan.Ledger ledger) {
    var settings = NetworkPlan.ONE_RANGE + NetworkPlan.NO_PARDON + NetworkPlan.QUICK;
    start(NetworkPlan.of(settings, 1, 1, 1, 1).on(ledger));
  }

  @BeforeEach
  void beginAnew() {
    network.heal();
    group = Group.create(network, ENDORSERS);
    coordinator = network.node(group.coordinator());
  }

  /**
   * A sender, with a transaction at each of its persistence points, in a group of its own for each:
   * what is in its memory is gone at once, and its LevelDB is all that it comes back with. All
   * members endorse.
   */
  @Test
  void aSenderDiesAtEachPersistencePointAndComesBack() {
    var points = new PersistencePoints(network, intents, SENDER);
    points.holdOneAtEach();
    // No node of a chain can be told to hide its newest blocks.
    var unseen =
        switch (ledger) {
          case OURS -> points.holdOneThatIsInABlockUnseen();
          case CHAIN -> points.holdOneThatIsInNoBlockYet();
        };
    network.node(SENDER).kill();
    network.thawLedger();
    await().atMost(Parties.PATIENCE).until(() -> network.oracle().has(unseen));
    network.heal();

    intents.assertEachCountedOnce();
  }

  @Test
  void itDiesBeforeItDispatchesAndTheNextOneDoes() {
    // Of all faults since its JVM was started, and so of the tests before, too.
    long before = coordinator.faults().met("drop");
    coordinator.faults().drop(group, "RequestDispatchConfirmation");
    for (int node : group.others()) {
      intents.send(2, node, group);
    }
    await().atMost(Parties.PATIENCE).until(() -> coordinator.faults().met("drop") > before);
    coordinator.kill();

    intents.awaitSuccess();
    intents.assertLedger();
    group.awaitCoordinator(network, group.ranking().get(1), group.others());

    coordinator.startAgain();
    intents.assertEachCountedOnce();
  }

  /**
   * Its dispatches are on its disk (2C) and not yet with the ledger, which stands still; so they
   * race with those of the coordinator after it.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itDiesWithDispatchesOnItsDiskAndEachIntentIsFulfilledOnce(boolean restartedAtOnce) {
    network.freezeLedger(group);
    for (int node : group.others()) {
      var id = intents.send(node, group);
      group.awaitState(network, node, id, List.of("Dispatched"));
    }
    coordinator.kill();
    if (restartedAtOnce) {
      coordinator.begin();
    }
    network.thawLedger();

    if (restartedAtOnce) {
      coordinator.awaitUp();
    }
    intents.awaitSuccess();
    intents.assertLedger();
    network.heal();
    intents.assertEachCountedOnce();
  }

  @Test
  void itComesBackAndIsChosenAgainByItsStartup() {
    coordinator.kill();
    intents.send(group.others().get(0), group);
    intents.awaitSuccess();
    group.awaitCoordinator(network, group.ranking().get(1), group.others().subList(0, 1));

    coordinator.startAgain();
    coordinator.faults().drop(group, "CoordinatorHeartbeatNotification");
    for (int node : group.others()) {
      intents.send(node, group);
    }
    group.awaitCoordinator(network, group.coordinator(), ALL);
    coordinator.faults().clear();
    for (int node : group.others()) {
      intents.send(node, group);
    }

    intents.assertEachCountedOnce();
  }

  /** It never stopped, so it sends no Startup, and none would arrive. */
  @Test
  void itIsHeardAgainAndIsChosenAgainByItsHeartbeat() {
    intents.send(group.others().get(0), group);
    intents.awaitSuccess();
    coordinator.faults().drop(group, "StartupNotification");
    group.others().forEach(node -> network.node(node).faults().cutOff(group.coordinator()));
    var ofItsOwn = intents.send(group.coordinator(), group);
    for (int node : group.others()) {
      var id = intents.send(node, group);
      await().atMost(Parties.PATIENCE).until(() -> !intents.receipt(node, id).isNull());
    }
    assertThat(intents.receipt(group.coordinator(), ofItsOwn).isNull()).isTrue();
    group.awaitCoordinator(network, group.ranking().get(1), group.others());

    group.others().forEach(node -> network.node(node).faults().clear());
    group.awaitCoordinator(network, group.coordinator(), ALL);

    intents.assertEachCountedOnce();
  }
}
