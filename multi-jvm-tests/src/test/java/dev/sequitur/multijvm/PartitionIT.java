package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A network partition (AVL-6) as the original's illustration has it: A and B on one side, C and D
 * on the other, all four alive, and the base ledger within everybody's reach. On the shipped
 * ledger, and on a chain.
 */
@Timeout(1_500)
@Tag("slow")
@ParameterizedClass
@EnumSource(NetworkPlan.Ledger.class)
class PartitionIT extends OnOneNetwork {
  private static final List<Integer> A_B = List.of(1, 2);
  private static final List<Integer> C_D = List.of(3, 4);
  private static final List<Integer> ALL = List.of(1, 2, 3, 4);

  @Parameter private NetworkPlan.Ledger ledger;

  @BeforeParameterizedClassInvocation
  static void startOn(NetworkPlan.Ledger ledger) {
    var settings = NetworkPlan.ONE_RANGE + NetworkPlan.QUICK;
    start(NetworkPlan.of(settings, 1, 1, 1, 1).on(ledger));
  }

  @BeforeEach
  void heal() {
    network.heal();
  }

  private static void divide() {
    A_B.forEach(node -> network.node(node).faults().cutOff(3, 4));
    C_D.forEach(node -> network.node(node).faults().cutOff(1, 2));
  }

  /** The preferred coordinator is on the side of A, whatever the others' order. */
  private static Group group(int endorsers) {
    Predicate<List<Integer>> withA = ranking -> A_B.contains(ranking.get(0));
    return Group.where(network, endorsers, withA);
  }

  @Test
  void neitherSideGetsAllEndorsementsAndAfterTheHealingOneCoordinatorGetsThemAll() {
    var group = group(ALL.size());
    ALL.forEach(node -> intents.send(node, group));
    intents.awaitSuccess();
    divide();
    ALL.forEach(node -> intents.send(2, node, group));
    int other = firstOf(group, C_D);
    group.awaitCoordinator(network, group.coordinator(), A_B);
    group.awaitCoordinator(network, other, C_D);
    long before = network.oracle().fulfilled().size();
    assertThat(before).as("none of those sent since").isEqualTo(intents.size() - 8L);

    network.heal();
    group.awaitCoordinator(network, group.coordinator(), ALL);
    intents.assertEachCountedOnce();
  }

  /** "Limp mode": both sides submit, and the ledger sees to it that no state is spent twice. */
  @Test
  void bothSidesGoOnWithFewerEndorsersAndTheLedgerKeepsThemFromSpendingAStateTwice() {
    var group = group(A_B.size());
    ALL.forEach(node -> intents.send(node, group));
    intents.awaitSuccess();
    divide();
    var ofA = intents.send(2, 1, group);
    var ofC = intents.send(2, 3, group);
    ALL.forEach(node -> intents.send(2, node, group));
    await()
        .alias("a side confirms something")
        .atMost(Parties.PATIENCE)
        .until(
            () -> {
              var oracle = network.oracle();
              return ofA.stream().anyMatch(oracle::has) || ofC.stream().anyMatch(oracle::has);
            });

    network.heal();
    group.awaitCoordinator(network, group.coordinator(), ALL);
    intents.assertEachCountedOnce();
  }

  private static int firstOf(Group group, List<Integer> side) {
    return group.ranking().stream().filter(side::contains).findFirst().orElseThrow();
  }
}
