package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.ReadSoFar;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** CNF-10 to CNF-12, also if a node ends at any time meanwhile. */
  @ParameterizedTest
  @ValueSource(ints = {0, 500, 1_000, 1_500, 2_500, 4_000, 7_000})
  void afterTheCommandEverybodyHasWhatTheNewBlocksShowAndGoesOn(int crashAfterMillis) {
    network.nodes().forEach(scenario::mint);
    scenario.settle();
    var kept = network.finalHeight();
    network.nodes().forEach(scenario::mint);
    scenario.settle();
    network.nodes().forEach(node -> scenario.pay(node, scenario.sender()));
    network.nodes().forEach(scenario::mint);
    scenario.settle();
    scenario.run(Duration.ofSeconds(5));
    long before = network.ledger().head();

    network.replaceFinal((int) (before - kept));
    scenario.until(() -> network.counted(Indexing.HALTED) == 3);
    scenario.run(Duration.ofSeconds(30));
    network.nodes().forEach(SimulatedNode::crash);
    network.nodes().forEach(SimulatedNode::reindex);
    network.nodes().forEach(SimulatedNode::start);
    if (crashAfterMillis > 0) {
      scenario.run(Duration.ofMillis(crashAfterMillis));
      network.nodes().forEach(SimulatedNode::crash);
      network.nodes().forEach(SimulatedNode::start);
    }

    scenario.until(() -> network.nodes().stream().allMatch(ReorganisationTest::hasReadAgain));
    network.nodes().forEach(this::hasWhatTheLedgerShows);
    assertThat(receiptsThatSay("is gone")).isPositive();
    network.nodes().forEach(scenario::mint);
    network.nodes().forEach(node -> scenario.pay(node, scenario.sender()));
    scenario.settle();
    scenario.run(Duration.ofSeconds(10));
    network.nodes().forEach(this::hasWhatTheLedgerShows);
    scenario.nothingIsLeft();
  }

  private static boolean hasReadAgain(SimulatedNode node) {
    return node.disk().readSoFar.flatMap(ReadSoFar::reindex).isEmpty();
  }

  private void hasWhatTheLedgerShows(SimulatedNode node) {
    network.invariants().checkReceipts(node.name(), node.disk().receipts);
    var states = node.running().entities(network.contract()).states().state();
    assertThat(states.differs()).isEmpty();
    var unspent = new HashSet<>(states.confirmed().keySet());
    unspent.addAll(states.contentMissing().keySet());
    assertThat(unspent)
        .containsExactlyInAnyOrderElementsOf(network.invariants().unspent(network.contract()));
  }

  private long receiptsThatSay(String what) {
    return network.nodes().stream()
        .flatMap(node -> node.disk().receipts.values().stream())
        .filter(receipt -> receipt.failureMessage().filter(it -> it.contains(what)).isPresent())
        .count();
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
