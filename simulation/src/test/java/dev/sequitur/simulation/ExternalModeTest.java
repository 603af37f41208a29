package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers that submit what was prepared for them (EXT-1). */
final class ExternalModeTest {
  private static final int RANGE = 10;

  private final Scenario scenario = Scenario.of(4);
  private final Scenario switching = Scenario.withSwitchover(4, RANGE);

  private TransactionId readExternally(SimulatedNode node, String key) {
    return scenario.network.submit(
        node.name(),
        scenario.network.contract(),
        Function.READ,
        key,
        SubmitMode.EXTERNAL,
        List.of());
  }

  /** Seed 180 found that callers had it before its inputs were on the ledger, and were refused. */
  @Test
  void aCallerGetsWhatItIsToSubmitWhenAllThatItNeedsIsConfirmedAndNobodySpendsItMeanwhile() {
    var read = new ArrayList<TransactionId>();
    for (var node : scenario.network.nodes()) {
      String key = "key of " + node.name();
      scenario.write(node, key);
      scenario.run(Duration.ofMillis(30));
      read.add(readExternally(node, key));
      scenario.run(Duration.ofMillis(30));
      scenario.write(node, key);
    }

    scenario.settle();
    scenario.run(Duration.ofSeconds(5));

    assertThat(scenario.network.invariants().reverts()).isZero();
    assertThat(read).allMatch(scenario::isConfirmed);
    scenario.nothingIsLeft();
  }

  @Test
  void noLaterCoordinatorLetsAnotherHaveTheCoin() {
    var payer = switching.sender();
    var left = paysExternally(payer);

    var second = switching.pay(payer, switching.coordinator());
    switching.settle();

    assertPaidOnceBy(left, second);
  }

  @Test
  void norAfterTheSendersNodeHasBeenRestarted() {
    var payer = switching.sender();
    var left = paysExternally(payer);
    payer.crashFor(Duration.ofSeconds(1));
    switching.run(Duration.ofSeconds(2));

    var second = switching.pay(payer, switching.coordinator());
    switching.settle();

    assertPaidOnceBy(left, second);
  }

  @Test
  void whoChangesARecordThatACallerHasWaitsAndMakesNoFirstVersion() {
    switching.network.caller().take(() -> Duration.ofSeconds(5));
    switching.write(switching.sender(), "key");
    switching.settle();
    var left = switching.externalWrite(switching.sender(), "key");
    switching.until(() -> switching.sender().disk().prepared.containsKey(left));

    var own = switching.write(switching.sender(), "key");
    var others = switching.write(switching.substitute(), "key");
    switching.settle();

    assertThat(switching.network.invariants().reverts()).isZero();
    assertThat(List.of(left, own, others)).allMatch(switching::isConfirmed);
    switching.nothingIsLeft();
  }

  /** Prepared for its caller, who takes until a later range. */
  private TransactionId paysExternally(SimulatedNode payer) {
    switching.network.caller().take(() -> Duration.ofSeconds(30));
    switching.mint(payer);
    switching.settle();
    var left = switching.externalPay(payer, switching.substitute());
    toTheNextRangeOnceHas(payer, left);
    return left;
  }

  @Test
  void noLaterCoordinatorLetsAnotherMemberChangeTheRecord() {
    switching.write(switching.sender(), "key");
    switching.settle();

    assertWaitedFor(switching.sender());
  }

  @Test
  void norMakeTheFirstVersionThatACallerHas() {
    assertWaitedFor(switching.sender());
  }

  /** What is known of it is in the node store only. */
  @Test
  void norAfterTheNodesOfSenderAndCoordinatorHaveBeenRestarted() {
    switching.write(switching.sender(), "key");
    switching.settle();
    var left = writesExternally(switching.sender());
    for (var node : List.of(switching.sender(), switching.ranked(range(), 0))) {
      node.crashFor(Duration.ofSeconds(1));
      switching.run(Duration.ofSeconds(2));
    }

    assertWaitedFor(left);
  }

  private void assertWaitedFor(SimulatedNode sender) {
    assertWaitedFor(writesExternally(sender));
  }

  private void assertWaitedFor(TransactionId left) {
    var others =
        switching.network.nodes().stream().map(node -> switching.write(node, "key")).toList();
    switching.settleWithin(Duration.ofSeconds(90));

    assertThat(switching.network.invariants().reverts()).isZero();
    assertThat(switching.isConfirmed(left)).isTrue();
    assertThat(others).allMatch(switching::isConfirmed);
    switching.nothingIsLeft();
  }

  private TransactionId writesExternally(SimulatedNode sender) {
    switching.network.caller().take(() -> Duration.ofSeconds(40));
    var left = switching.externalWrite(sender, "key");
    toTheNextRangeOnceHas(sender, left);
    return left;
  }

  private long range() {
    return switching.head().value() / RANGE;
  }

  private void toTheNextRangeOnceHas(SimulatedNode sender, TransactionId left) {
    switching.until(() -> sender.disk().prepared.containsKey(left));
    var next = range() + 1;
    switching.until(() -> switching.head().value() >= next * RANGE);
    assertThat(switching.ranked(next, 0)).isNotEqualTo(switching.ranked(next - 1, 0));
    switching.run(Duration.ofMillis(200));
  }

  private void assertPaidOnceBy(TransactionId left, TransactionId second) {
    assertThat(switching.network.invariants().reverts()).isZero();
    assertThat(switching.isConfirmed(left)).isTrue();
    assertThat(switching.receipt(second).failureMessage())
        .contains("There is no coin to pay with.");
    switching.nothingIsLeft();
  }
}
