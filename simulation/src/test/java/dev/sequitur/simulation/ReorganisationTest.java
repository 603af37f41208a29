package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CNF-6: the ledger replaces blocks that counted as final. */
final class ReorganisationTest {
  private static final int CONFIRMATIONS = 2;

  private final Scenario scenario =
      new Scenario(SimulationSetup.of(3).withConfirmations(CONFIRMATIONS));
  private final Simulation network = scenario.network;

  @Test
  void finalBlocksOfWhichNobodyWasToldButTheirHeightsAreUndoneAndEverybodyGoesOn() {
    network.nodes().forEach(scenario::mint);
    scenario.settle();
    scenario.run(Duration.ofSeconds(10));

    network.takeBack(CONFIRMATIONS + 4);
    network.nodes().forEach(scenario::mint);
    scenario.settle();

    assertThat(network.counted(Indexing.UNDONE)).isEqualTo(3);
    assertThat(network.counted(Indexing.HALTED)).isZero();
    assertThat(network.invariants().fulfilled()).hasSize(6);
    scenario.nothingIsLeft();
  }

  @Test
  void whatTheReplacementsHoldReachesEverybodyThoughTheirHeightsWereTold() {
    scenario.run(Duration.ofSeconds(10));
    long before = network.ledger().head();
    network.takeBack(CONFIRMATIONS + 6);
    var minted = scenario.mint(scenario.sender());

    scenario.until(() -> scenario.isConfirmed(minted));

    var block = scenario.receipt(minted).onLedger().orElseThrow().block();
    assertThat(block.value()).isLessThanOrEqualTo(before - CONFIRMATIONS);
    assertThat(network.counted(Indexing.UNDONE)).isEqualTo(3);
    scenario.mint(scenario.sender());
    scenario.settle();
    scenario.nothingIsLeft();
  }

  @Test
  void whenBlocksAreReplacedThatWereToldEveryNodeNoticesAndReadsNoFurtherUntilTheyAreBack() {
    network.nodes().forEach(scenario::mint);
    scenario.settle();
    scenario.run(Duration.ofSeconds(1));
    var receipts = receipts();
    int all = (int) network.ledger().head();
    var giveBack = network.takeBackForAWhile(all);
    scenario.run(Duration.ofSeconds(all + 10));

    assertThat(network.counted(Indexing.HALTED)).isEqualTo(3);
    assertThat(network.counted(Indexing.UNDONE)).isZero();
    assertThat(heights()).allMatch(height -> height.value() <= all);
    assertThat(receipts()).isEqualTo(receipts);

    giveBack.run();
    scenario.mint(scenario.sender());
    scenario.settle();

    assertThat(network.counted(Indexing.RESUMED)).isEqualTo(3);
    assertThat(network.invariants().fulfilled()).hasSize(4);
    scenario.nothingIsLeft();
  }

  private List<BlockHeight> heights() {
    return network.nodes().stream().map(node -> node.disk().indexedTo.height()).toList();
  }

  private List<?> receipts() {
    return network.nodes().stream()
        .map(node -> List.copyOf(node.disk().receipts.values()))
        .toList();
  }
}
