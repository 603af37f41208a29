package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A member that answers and cannot act stops no group (AVL-7, SUB-11): one whose ledger link is
 * dead, and one that only says so. Ranges are as long as by default, so that no end of a range
 * helps.
 */
final class DeadLedgerLinkTest {
  private static final int RANGE = 100;

  /** A few blocks' time, then what any transaction takes. */
  private static final Duration PASSED_OVER = Duration.ofSeconds(7);

  /** What a transaction takes when nothing is amiss, with the wait for its block. */
  private static final Duration USUAL = Duration.ofSeconds(4);

  private final Scenario scenario =
      Scenario.withSwitchover(SimulationSetup.of(4).withEndorsers(3).rangeSize(RANGE));

  private void runToBlock(long height) {
    scenario.network.runUntil(() -> scenario.head().value() >= height, Duration.ofMinutes(5));
    scenario.run(Duration.ofMillis(200));
  }

  private static void cut(SimulatedNode node, long height) {
    node.indexAtMost(height);
    node.cutFromLedger(true);
  }

  private static void mend(SimulatedNode node) {
    node.indexAll();
    node.cutFromLedger(false);
  }

  private Optional<NodeName> chosenBy(SimulatedNode node) {
    var sender = node.running().entities(scenario.network.contract()).sender();
    return sender.state().choice().coordinator();
  }

  @Test
  void whoIsARangeBehindIsPassedOverAfterAFewBlocksAndTheOthersGoOn() {
    cut(scenario.ranked(1, 0), RANGE - 5);
    runToBlock(RANGE);

    var first = scenario.mint(scenario.ranked(1, 3));
    var other = scenario.mint(scenario.ranked(1, 2));
    scenario.settleWithin(PASSED_OVER);
    assertThat(scenario.isConfirmed(first)).isTrue();
    assertThat(scenario.isConfirmed(other)).isTrue();

    for (int i = 0; i < 10; i++) {
      scenario.mint(scenario.ranked(1, 2 + i % 2));
      scenario.settleWithin(USUAL);
    }
  }

  @Test
  void whoWasPassedOverCoordinatesAgainSoonAfterItCanAct() {
    var preferred = scenario.ranked(1, 0);
    cut(preferred, RANGE - 5);
    runToBlock(RANGE);
    scenario.mint(scenario.ranked(1, 3));
    scenario.settleWithin(PASSED_OVER);

    mend(preferred);
    for (int i = 0; i < 4; i++) {
      scenario.run(Duration.ofSeconds(3));
      scenario.mint(scenario.ranked(1, 3));
    }
    scenario.settle();

    assertThat(chosenBy(scenario.ranked(1, 3))).contains(preferred.name());
    scenario.nothingIsLeft();
  }

  /** It lives for everybody to hear, and takes nothing. */
  @Test
  void aLiarThatSaysForEverThatItIsBehindStopsNobody() {
    scenario.coordinator().sayThatItIsBehind(true);

    scenario.mint(scenario.sender());
    scenario.mint(scenario.substitute());
    scenario.settleWithin(PASSED_OVER);
    for (int i = 0; i < 20; i++) {
      scenario.mint(scenario.ranked(0, 1 + i % 3));
      scenario.settleWithin(USUAL);
    }

    assertThat(scenario.network.counted("sender HOLD_OFF")).isZero();
    scenario.nothingIsLeft();
  }

  @Test
  void whatASubmitterCannotSubmitIsDelegatedToAnotherAfterAWhileAndLaterOnesAtOnce() {
    scenario.coordinator().cutFromLedger(true);
    var stuck = scenario.mint(scenario.sender());
    var heartbeats = scenario.network.setup().settings().heartbeats();

    scenario.settleWithin(
        heartbeats
            .coordinatorFailureThreshold()
            .plus(heartbeats.submitterFailureThreshold())
            .plus(PASSED_OVER));
    assertThat(scenario.isConfirmed(stuck)).isTrue();
    for (int i = 0; i < 6; i++) {
      scenario.run(Duration.ofSeconds(2));
      scenario.mint(scenario.ranked(0, 2 + i % 2));
      scenario.settleWithin(USUAL);
    }

    scenario.coordinator().cutFromLedger(false);
    scenario.nothingIsLeft();
  }
}
