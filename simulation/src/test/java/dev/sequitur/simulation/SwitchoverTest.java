package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementError;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Switchover (SWO-1), and nodes that see different heights (DLG-8, EDR-4). */
final class SwitchoverTest {
  private static final int RANGE = 10;

  private final Scenario scenario = Scenario.withSwitchover(4, RANGE);

  private void runToBlock(long height) {
    scenario.until(() -> scenario.head().value() >= height);
    scenario.run(Duration.ofMillis(200));
  }

  private ContractMachines at(SimulatedNode node) {
    return node.running().entities(scenario.network.contract());
  }

  @Test
  void theNewRangesCoordinatorTakesOverAndTheOldOneLetsGo() {
    scenario.mint(scenario.sender());
    scenario.settle();
    assertThat(scenario.network.ledger().head()).isLessThan(RANGE);
    runToBlock(RANGE);

    var later = scenario.mint(scenario.ranked(1, 3));
    scenario.settle();

    assertThat(scenario.story(later))
        .contains("-> " + scenario.ranked(1, 0).name() + " Delegation");
    assertThat(at(scenario.coordinator()).coordinator().state().mode())
        .isEqualTo(ContractMode.INACTIVE);
    scenario.nothingIsLeft();
  }

  @Test
  void sendersHoldOffWhileTheOldRangesDispatchesArePending() {
    scenario.network.ledger().limitBlocks(0);
    runToBlock(RANGE - 2);
    var old = scenario.mint(scenario.sender());
    runToBlock(RANGE + 1);
    assertThat(at(scenario.coordinator()).submitter().state().live()).hasSize(1);

    var held = scenario.mint(scenario.ranked(1, 3));
    scenario.run(Duration.ofSeconds(3));
    assertThat(scenario.story(held)).doesNotContain("DelegationCommand");
    assertThat(scenario.network.counted("sender HOLD_OFF")).isPositive();

    scenario.network.ledger().limitBlocks(Integer.MAX_VALUE);
    scenario.settle();
    assertThat(scenario.isConfirmed(old)).isTrue();
    assertThat(scenario.isConfirmed(held)).isTrue();
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isZero();
    scenario.nothingIsLeft();
  }

  @Test
  void aStuckDispatchHoldsTheContractBackForABoundedTimeOnly() {
    scenario.network.ledger().limitBlocks(0);
    runToBlock(RANGE - 2);
    scenario.mint(scenario.sender());
    runToBlock(RANGE + 1);
    var held = scenario.mint(scenario.ranked(1, 3));

    var max = scenario.network.setup().settings().heartbeats().maxHoldOff();
    scenario.run(max.plusSeconds(3));

    assertThat(scenario.story(held)).contains("DelegationCommand");
  }

  /** None of these coordinators has it for long enough to give it up. */
  @Test
  void refusalsCountAsTriesHoweverShortRangesAre() {
    int ranges = 8;
    var network = eachRangeToAnother(ranges);
    network.network.domain().refuseWhere((node, transaction) -> true);
    var refused = network.mint(network.sender());

    network.until(() -> network.head().value() >= ranges);

    var sender = network.sender().running().entities(network.network.contract()).sender();
    assertThat(sender.state().transactions().get(refused).attempts()).isPositive();
  }

  private static Scenario eachRangeToAnother(int ranges) {
    for (long seed = 1; ; seed++) {
      var network = new Scenario(SimulationSetup.of(4).rangeSize(1).withSeed(seed));
      if (LongStream.range(0, ranges)
          .noneMatch(range -> network.ranked(range, 0).equals(network.ranked(range + 1, 0)))) {
        return network;
      }
    }
  }

  @Test
  void whenTheNewCoordinatorIsBehindItIsAskedUntilItHasCaughtUp() {
    scenario.height(scenario.ranked(1, 0), RANGE - 1);
    runToBlock(RANGE);
    var waiting = scenario.mint(scenario.ranked(1, 3));
    scenario.run(Duration.ofSeconds(3));
    assertThat(scenario.sent(DelegationRejected.class)).isBetween(2L, 6L);
    assertThat(scenario.isConfirmed(waiting)).isFalse();

    scenario.ranked(1, 0).indexAll();
    scenario.settleWithin(Duration.ofSeconds(5));

    assertThat(scenario.isConfirmed(waiting)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void whenTheOldCoordinatorIsBehindTheNewOneGoesOnWithoutIt() {
    // The old one need not endorse here.
    var old = scenario.coordinator();
    scenario.height(old, RANGE - 1);
    runToBlock(RANGE);
    var later = scenario.mint(scenario.ranked(1, 3));
    scenario.run(Duration.ofSeconds(3));
    assertThat(scenario.sent(EndorsementError.class)).isPositive();
    assertThat(scenario.isConfirmed(later)).isFalse();

    old.indexAll();
    scenario.settleWithin(Duration.ofSeconds(10));

    assertThat(scenario.isConfirmed(later)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void whoeverIsBehindForLongIsAskedLessAndLessOften() {
    var endorser = scenario.ranked(1, 1);
    scenario.height(endorser, RANGE - 1);
    runToBlock(RANGE);
    scenario.mint(scenario.ranked(1, 0));
    scenario.run(Duration.ofSeconds(10));
    long early = scenario.sent(EndorsementError.class);

    scenario.run(Duration.ofSeconds(8));
    assertThat(scenario.sent(EndorsementError.class) - early).isBetween(1L, 3L);

    endorser.indexAll();
    scenario.settle();
    scenario.nothingIsLeft();
  }

  @Test
  void whenTheSenderIsBehindItWaitsForItsIndexAndThenAsksTheNewCoordinator() {
    var sender = scenario.ranked(1, 3);
    scenario.height(sender, RANGE - 1);
    runToBlock(RANGE);
    var waiting = scenario.mint(sender);
    scenario.run(Duration.ofSeconds(3));
    assertThat(scenario.sent(DelegationRejected.class)).isLessThanOrEqualTo(2);

    sender.indexAll();
    scenario.settleWithin(Duration.ofSeconds(5));

    assertThat(scenario.story(waiting))
        .contains("-> " + scenario.ranked(1, 0).name() + " Delegation");
    scenario.nothingIsLeft();
  }

  @Test
  void manyRangesUnderLoadLoseNothing() {
    for (int second = 0; second < 60; second++) {
      scenario.network.nodes().forEach(node -> scenario.write(node, "hot"));
      scenario.run(Duration.ofSeconds(1));
    }

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(240);
    scenario.nothingIsLeft();
  }

  /** Each coordinator counts anew, and its sender goes on (HBT-7). */
  @Test
  void howOftenWhoIsSilentWasAskedGoesOnOverRanges() {
    var silent = scenario.ranked(0, 2);
    silent.crash();
    var waiting = scenario.mint(scenario.sender());
    runToBlock(RANGE - 1);
    assertThat(asked(waiting, silent)).isPositive();
    var since = since(waiting);
    int before = asked(waiting, silent);

    for (int range = 1; range <= 3; range++) {
      runToBlock((range + 1L) * RANGE - 1);
      assertThat(asked(waiting, silent)).as("range %s", range).isGreaterThan(before);
      assertThat(since(waiting)).isEqualTo(since);
      before = asked(waiting, silent);
    }
  }

  private int asked(TransactionId waiting, SimulatedNode silent) {
    var words = scenario.waitsFor(waiting).orElseThrow();
    var pattern =
        Pattern.compile(
            "member@%s's endorsement, asked (\\d+) times? since ".formatted(silent.name()));
    var found = pattern.matcher(words);
    assertThat(found.find()).as(words).isTrue();
    return Integer.parseInt(found.group(1));
  }

  private String since(TransactionId waiting) {
    var found = Pattern.compile("since (\\S+)").matcher(scenario.waitsFor(waiting).orElseThrow());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }
}
