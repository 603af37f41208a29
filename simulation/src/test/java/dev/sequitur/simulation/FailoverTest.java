package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.DeliverySettings;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Restarts (RCV-5), coordinators and submitters that are away (AVL-1, SUB-6). */
final class FailoverTest {
  private static final Duration DOWN = Duration.ofSeconds(3);

  private final Scenario scenario = new Scenario(SimulationSetup.of(4).withEndorsers(3));

  private void survivesSenderCrashAt(Predicate<Moment> moment) {
    scenario.sender().crashAt(moment, DOWN);
    var survivor = scenario.mint(scenario.sender());

    scenario.settle();

    assertThat(scenario.isConfirmed(survivor)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void anIntentThatWasNotCommittedIsNotAcceptedAndMaySentAgain() {
    scenario.sender().crashAt(Moment.Accepting.class::isInstance, DOWN);
    scenario.mint(scenario.sender());
    scenario.run(DOWN.plusSeconds(1));
    assertThat(scenario.network.invariants().accepted()).isEmpty();

    scenario.mint(scenario.sender());

    scenario.settle();
    assertThat(scenario.network.invariants().fulfilled()).hasSize(1);
    scenario.nothingIsLeft();
  }

  @Test
  void theSenderRestartsAt2S() {
    survivesSenderCrashAt(Moment.Accepted.class::isInstance);
  }

  @Test
  void theSenderRestartsAt3S() {
    survivesSenderCrashAt(Scenario.sending(DelegationCommand.class));
  }

  @Test
  void theSenderRestartsAt4S() {
    survivesSenderCrashAt(Scenario.sending(AssembleResponse.class));
  }

  @Test
  void theSenderRestartsAt5S() {
    survivesSenderCrashAt(Scenario.sending(DispatchConfirmationResponse.class));
  }

  @Test
  void theSenderRestartsAt6S() {
    survivesSenderCrashAt(
        moment ->
            moment instanceof Moment.Indexing indexing && !indexing.block().receipts().isEmpty());
  }

  @Test
  void theCoordinatorRestartsAt1CAndHasForgotten() {
    scenario.coordinator().crashAt(committing("submitter"), Duration.ofMillis(500));
    var survivor = scenario.mint(scenario.sender());

    scenario.settle();

    assertThat(scenario.isConfirmed(survivor)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void theCoordinatorRestartsAt2CAndItsSubmitterGoesOn() {
    scenario.coordinator().crashAt(committed("submitter"), Duration.ofMillis(500));
    var survivor = scenario.mint(scenario.sender());

    scenario.settle();

    assertThat(scenario.isConfirmed(survivor)).isTrue();
    // It was never dispatched a second time.
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isZero();
    scenario.nothingIsLeft();
  }

  private static Predicate<Moment> committing(String machine) {
    return moment -> moment instanceof Moment.Committing write && write.machine().equals(machine);
  }

  private static Predicate<Moment> committed(String machine) {
    return moment -> moment instanceof Moment.Committed write && write.machine().equals(machine);
  }

  @Test
  void theNextInTheRankingTakesOverFromACoordinatorThatWasDeadBefore() {
    scenario.coordinator().crash();
    var orphan = scenario.mint(scenario.sender());

    scenario.settleWithin(stated(scenario.network.setup().settings()).plusSeconds(2));

    assertThat(scenario.story(orphan)).contains("-> " + scenario.substitute().name() + " Dele");
    scenario.coordinator().start();
    scenario.nothingIsLeft();
  }

  /** Whenever it dies between two heartbeats, and whatever else the sender is doing then. */
  @Test
  void aTransactionInFlightIsDelegatedToTheNextCoordinatorWithinTheStatedTime() {
    var settings = SequencerSettings.DEFAULT;
    for (int moment = 0; moment < 25; moment++) {
      assertThat(takeover(settings, moment)).isLessThanOrEqualTo(stated(settings));
    }
  }

  /** Those that docs/operations.md names. */
  @Test
  void withSuitableSettingsATransactionInFlightIsDelegatedToTheNextCoordinatorWithinASecond() {
    var usual = SequencerSettings.DEFAULT;
    var heartbeats = usual.heartbeats();
    var delivery = usual.delivery();
    var quick =
        new SequencerSettings(
            new HeartbeatSettings(
                Duration.ofMillis(200),
                Duration.ofMillis(400),
                heartbeats.submitterInterval(),
                heartbeats.submitterFailureThreshold(),
                heartbeats.maxHoldOff(),
                heartbeats.presumedUnavailable(),
                heartbeats.startupAgain()),
            new DeliverySettings(
                delivery.resend(),
                delivery.resendNotification(),
                delivery.notificationSends(),
                Duration.ofMillis(300),
                delivery.assembleTimeout(),
                delivery.endorsementTimeout(),
                delivery.confirmationTimeout()),
            usual.retries(),
            usual.limits());
    assertThat(stated(quick)).isLessThan(Duration.ofSeconds(1));
    for (int moment = 0; moment < 25; moment++) {
      assertThat(takeover(quick, moment)).isLessThanOrEqualTo(stated(quick));
    }
  }

  /** Failure threshold, delegation time-out and one heartbeat interval. */
  private static Duration stated(SequencerSettings settings) {
    return settings
        .heartbeats()
        .coordinatorFailureThreshold()
        .plus(settings.delivery().delegationTimeout())
        .plus(settings.heartbeats().coordinatorInterval());
  }

  /** From the death of a coordinator to when its transaction is delegated to the next one. */
  private static Duration takeover(SequencerSettings settings, int moment) {
    var scenario = new Scenario(SimulationSetup.of(4).withSeed(moment + 1L).withSettings(settings));
    var unanswered =
        LinkFault.lose(envelope -> envelope.payload() instanceof EndorsementResponse, 1);
    scenario.network.wire().add(unanswered);
    var inFlight = scenario.mint(scenario.sender());
    scenario.run(Duration.ofMillis(2_000 + 23L * moment));
    scenario.coordinator().crash();
    var died = scenario.network.elapsed();
    var delegated = "-> " + scenario.substitute().name() + " Delegation";
    scenario.until(() -> scenario.story(inFlight).contains(delegated));
    var took = scenario.network.elapsed().minus(died);
    scenario.network.wire().heal();
    scenario.coordinator().start();
    scenario.settle();
    assertThat(scenario.isConfirmed(inFlight)).isTrue();
    return took;
  }

  @Test
  void aCoordinatorThatDiesWithEverythingInFlightLosesNothing() {
    scenario.coordinator().crashAt(Scenario.sending(RequestDispatchConfirmation.class));
    for (int i = 0; i < 20; i++) {
      scenario.mint(scenario.sender());
      scenario.mint(scenario.substitute());
    }

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(40);
    scenario.coordinator().start();
    scenario.nothingIsLeft();
  }

  /** After each of its messages, before and after each of its writes, and before each block. */
  @Test
  void aCoordinatorThatDiesBetweenAnyTwoStepsOfABatchLosesNothing() {
    int step = 0;
    while (new FailoverTest().losesNothingThoughItDiesAt(step)) {
      step++;
    }
    assertThat(step).isGreaterThan(20);
  }

  /**
   * Of the batch half are another sender's, each of which builds upon the one before.
   *
   * @return false if all was confirmed before it came so far
   */
  private boolean losesNothingThoughItDiesAt(int step) {
    int[] left = {step};
    scenario
        .coordinator()
        .crashAt(moment -> !isHeartbeat(moment) && left[0]-- == 0, Duration.ofMillis(500));
    for (int i = 0; i < 4; i++) {
      scenario.mint(scenario.sender());
      scenario.write(scenario.substitute(), "hot");
    }

    scenario.settle();

    boolean died = left[0] < 0;
    scenario.coordinator().crashNoMore();
    assertThat(scenario.network.invariants().fulfilled()).as("step " + step).hasSize(8);
    scenario.nothingIsLeft();
    return died;
  }

  private static boolean isHeartbeat(Moment moment) {
    return moment instanceof Moment.Sent sent
        && sent.envelope().payload() instanceof Message.Heartbeat;
  }

  @Test
  void aRevivedPreferredCoordinatorIsChosenAgainAfterItsStartup() {
    scenario.coordinator().crash();
    scenario.mint(scenario.sender());
    scenario.settle();
    scenario.coordinator().start();
    var another = scenario.mint(scenario.substitute());
    scenario.run(Duration.ofSeconds(12));
    scenario.settle();
    assertThat(scenario.isConfirmed(another)).isTrue();

    var back = scenario.mint(scenario.sender());
    scenario.settle();

    assertThat(scenario.story(back)).contains("-> " + scenario.coordinator().name() + " Dele");
    scenario.nothingIsLeft();
  }

  @Test
  void aPreferredCoordinatorThatWasCutOffIsChosenAgainByItsHeartbeats() {
    var isolated = scenario.coordinator();
    // Nothing reaches the ledger: work stays in flight on both sides.
    scenario.network.domain().refuseWhere((node, request) -> true);
    var heal = scenario.network.wire().add(LinkFault.lose(Scenario.of(isolated), 1));
    var own = scenario.mint(isolated);
    var other = scenario.mint(scenario.sender());
    scenario.run(Duration.ofSeconds(5));

    heal.run();
    scenario.run(Duration.ofSeconds(3));
    scenario.network.domain().refuseWhere((node, request) -> false);
    scenario.settle();

    assertThat(scenario.isConfirmed(own)).isTrue();
    assertThat(scenario.isConfirmed(other)).isTrue();
    assertThat(scenario.story(other)).contains("-> " + isolated.name() + " Delegation");
    scenario.nothingIsLeft();
  }

  @Test
  void aSilentSubmittersTransactionIsDelegatedAgainAndConfirmedOnce() {
    var submitter = scenario.coordinator();
    scenario.network.ledger().limitBlocks(0);
    var delayed = scenario.mint(scenario.sender());
    scenario.until(() -> scenario.story(delayed).contains("Dispatched"));
    submitter.crash();
    scenario.run(Duration.ofSeconds(15));
    assertThat(scenario.network.counted("sender SUBMITTER_LOST")).isPositive();

    submitter.start();
    scenario.network.ledger().limitBlocks(Integer.MAX_VALUE);
    scenario.settle();

    assertThat(scenario.isConfirmed(delayed)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void aSubmitterWhoseHeartbeatsAreLostCostsAtMostASecondDispatch() {
    scenario
        .network
        .wire()
        .add(
            LinkFault.lose(
                Scenario.from(scenario.coordinator(), SubmitterHeartbeatNotification.class), 1));
    scenario.network.ledger().limitBlocks(0);
    var delayed = scenario.mint(scenario.sender());
    scenario.run(Duration.ofSeconds(12));
    scenario.network.wire().heal();
    scenario.network.ledger().limitBlocks(Integer.MAX_VALUE);

    scenario.settle();

    assertThat(scenario.isConfirmed(delayed)).isTrue();
    scenario.nothingIsLeft();
  }

  /** Once the sender acknowledged it unstored, and nobody ever sent it again. */
  @Test
  void aSenderThatRestartsBeforeItHasStoredWhatWasPreparedIsGivenItAgain() {
    scenario
        .network
        .wire()
        .add(
            LinkFault.delay(
                Scenario.from(scenario.coordinator(), PreparedTransactionDistribution.class),
                1,
                Duration.ofSeconds(1)));
    var prepared = scenario.external(scenario.sender());
    scenario.until(() -> scenario.story(prepared).contains("PreparedTransactionDistribution"));
    scenario.sender().crashFor(Duration.ofMillis(100));

    scenario.until(() -> scenario.sender().disk().prepared.containsKey(prepared));
    scenario.until(() -> scenario.isConfirmed(prepared));
    scenario.nothingIsLeft();
  }

  @Test
  void everybodyRestartsAtOnce() {
    for (var node : scenario.network.nodes()) {
      scenario.mint(node);
    }
    scenario.run(Duration.ofMillis(15));
    scenario.network.nodes().forEach(node -> node.crashFor(DOWN));

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(4);
    scenario.nothingIsLeft();
  }
}
