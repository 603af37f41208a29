package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The way of a transaction, from DLG-1 to CNF-1, while nothing fails. */
final class HappyPathTest {
  private final Scenario scenario = Scenario.of(4);

  @Test
  void anIntentOfEveryNodeIsConfirmedOnceAndNothingIsLeft() {
    scenario.network.nodes().forEach(scenario::mint);

    scenario.settleWithin(Duration.ofSeconds(3));

    assertThat(scenario.network.invariants().fulfilled()).hasSize(4);
    scenario.nothingIsLeft();
  }

  @Test
  void aHundredWritersOfOneKeyAreConfirmedInAFewBlocksSinceEachBuildsOnTheOneBefore() {
    for (int i = 0; i < 25; i++) {
      scenario.network.nodes().forEach(node -> scenario.write(node, "hot"));
    }

    scenario.settleWithin(Duration.ofSeconds(5));

    assertThat(scenario.network.invariants().fulfilled()).hasSize(100);
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isZero();
    scenario.nothingIsLeft();
  }

  @Test
  void severalTransactionsOfOneSenderAreAssembledInOneRequest() {
    for (int i = 0; i < 50; i++) {
      scenario.mint(scenario.sender());
    }

    scenario.settleWithin(Duration.ofSeconds(3));

    assertThat(scenario.sent(AssembleRequest.class)).isLessThan(10);
  }

  /** SUB-9. */
  @Test
  void whatWaitsForGasMoneyIsOnTheLedgerOnceThereIsSome() {
    scenario.network.ledger().takeMoney(signer -> true);
    var minted = scenario.mint(scenario.sender());
    scenario.run(Duration.ofSeconds(20));
    assertThat(scenario.receipt(minted)).isNull();
    assertThat(scenario.network.counted("submitter WAITS_FOR_GAS_MONEY")).isPositive();

    scenario.network.ledger().takeMoney(signer -> false);

    scenario.settle();
    assertThat(scenario.isConfirmed(minted)).isTrue();
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isZero();
    scenario.nothingIsLeft();
  }

  @Test
  void messagesForEachTransactionStayBelowSixForEachNode() {
    for (int i = 0; i < 50; i++) {
      scenario.network.nodes().forEach(scenario::mint);
    }

    scenario.settle();

    double each = scenario.network.wire().sentWithoutHeartbeats() / 200.0;
    assertThat(each).isLessThan(6.0 * 4);
  }

  @Test
  void inExternalModeTheCallerSubmitsWithoutLeaveToDispatchAndEverybodyKnowsTheOutputs() {
    var prepared = scenario.external(scenario.sender());

    scenario.until(() -> scenario.sender().disk().prepared.containsKey(prepared));
    assertThat(scenario.sent(RequestDispatchConfirmation.class)).isZero();

    scenario.until(() -> scenario.isConfirmed(prepared));
    scenario.nothingIsLeft();
  }

  @Test
  void aTransactionIsDelegatedOnlyWhenWhatItDependsOnIsConfirmed() {
    var first = scenario.mint(scenario.sender());
    var second = scenario.mintAfter(scenario.sender(), first);

    scenario.settle();

    assertThat(scenario.receipt(second).onLedger().orElseThrow().block())
        .isGreaterThan(scenario.receipt(first).onLedger().orElseThrow().block());
    scenario.nothingIsLeft();
  }

  @Test
  void aTransactionEndsAsRevertedWithWhatItDependsOn() {
    var first = scenario.mintAfter(scenario.sender());
    scenario.network.domain().script(first, new Domain.Assembly.Reverted("Never."));
    var second = scenario.mintAfter(scenario.sender(), first);

    scenario.settle();

    assertThat(scenario.receipt(second).failureMessage().orElseThrow())
        .contains("depends on " + first);
    scenario.nothingIsLeft();
  }

  @Test
  void twoContractsDoNotDisturbEachOther() {
    var both = new Simulation(SimulationSetup.of(3).withContracts(2));
    both.run(Duration.ofMillis(300));
    for (var group : both.groups()) {
      for (var node : both.nodes()) {
        both.submit(
            node.name(),
            group.contract(),
            SimulatedDomain.Function.WRITE,
            "hot",
            SubmitMode.AUTO,
            List.of());
      }
    }

    assertThat(both.runUntil(both::isSettled, Duration.ofSeconds(5))).isTrue();

    assertThat(both.invariants().fulfilled()).hasSize(6);
  }

  @Test
  void aLedgerRevertThatTryingAgainCanMendIsTriedAgainAfterAPause() {
    boolean[] once = {true};
    scenario.network.ledger().doom(prepared -> once[0] && !(once[0] = false));
    var doomed = scenario.mint(scenario.sender());

    scenario.settle();

    assertThat(scenario.isConfirmed(doomed)).isTrue();
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isEqualTo(1);
    scenario.nothingIsLeft();
  }

  /** Once the retries built upon each other's refused outputs until all of them gave up. */
  @Test
  void nobodyBuildsUponTheOutputsOfADispatchThatTheLedgerIsGoingToRefuse() {
    scenario.write(scenario.sender(), "hot");
    scenario.settle();
    int[] reverts = {1};
    scenario.network.ledger().doom(prepared -> reverts[0]-- > 0);
    for (int i = 0; i < 8; i++) {
      scenario.network.nodes().forEach(node -> scenario.write(node, "hot"));
      scenario.run(Duration.ofMillis(300));
    }

    scenario.settleWithin(Duration.ofSeconds(20));

    assertThat(scenario.network.invariants().fulfilled()).hasSize(33);
    long refused = scenario.network.counts().getOrDefault("submitter LEDGER_REVERT", 0L);
    assertThat(refused).isLessThan(33);
    scenario.nothingIsLeft();
  }

  @Test
  void receiptsNameTheBlockThatTheLedgerShows() {
    var minted = scenario.mint(scenario.sender());

    scenario.settle();

    var place = scenario.receipt(minted).onLedger().orElseThrow();
    var block = scenario.network.ledger().block(place.block().value());
    assertThat(block.receipts().get(place.index()).results())
        .hasOnlyElementsOfType(LedgerReceipt.Fulfilled.class);
  }
}
