package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a transaction that cannot be assembled, endorsed or taken (DLG-5, ASM-4, EDR-5,
 * SND-5).
 */
final class AssemblyOutcomesTest {
  private final Scenario scenario = Scenario.of(3);

  private TransactionState stateOf(TransactionId id) {
    var sender = scenario.sender().running().entities(scenario.network.contract()).sender();
    return sender.state().transactions().get(id).state();
  }

  @Test
  void aFailedAssemblyIsTriedAgainUntilItCanBeMade() {
    var failing = scenario.mint(scenario.sender());
    scenario.network.domain().script(failing, new Domain.Assembly.Failed("Not now."));
    scenario.run(Duration.ofSeconds(4));

    scenario.network.domain().unscript(failing);
    scenario.settle();

    assertThat(scenario.isConfirmed(failing)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void anAssemblyThatNeverSucceedsEndsAfterABoundedNumberOfAttempts() {
    var hopeless = scenario.mint(scenario.sender());
    scenario.network.domain().script(hopeless, new Domain.Assembly.Failed("Never."));

    scenario.settleWithin(Duration.ofSeconds(240));

    assertThat(scenario.receipt(hopeless).failureMessage().orElseThrow()).contains("20 attempts");
    scenario.nothingIsLeft();
  }

  @Test
  void theCountOfAttemptsSurvivesARestart() {
    var hopeless = scenario.mint(scenario.sender());
    scenario.network.domain().script(hopeless, new Domain.Assembly.Failed("Never."));
    scenario.run(Duration.ofSeconds(60));
    scenario.sender().crashFor(Duration.ofSeconds(1));

    scenario.settleWithin(Duration.ofSeconds(180));

    assertThat(scenario.receipt(hopeless).failureMessage().orElseThrow()).contains("20 attempts");
  }

  @Test
  void aParkedTransactionWaitsForACallWhileOthersGoOn() {
    var parked = scenario.mint(scenario.sender());
    scenario.network.domain().script(parked, new Domain.Assembly.Parked("Later."));
    var other = scenario.mint(scenario.sender());
    scenario.until(() -> scenario.isConfirmed(other));
    assertThat(stateOf(parked)).isEqualTo(TransactionState.PARKED);

    scenario.network.domain().unscript(parked);
    var sender = scenario.sender().running().entities(scenario.network.contract()).sender();
    sender.tell(new SenderInput.Resume(parked));
    scenario.settle();

    assertThat(scenario.isConfirmed(parked)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void aParkedTransactionResumesByItselfAlsoAfterARestart() {
    var parked = scenario.mint(scenario.sender());
    scenario.network.domain().script(parked, new Domain.Assembly.Parked("Later."));
    scenario.run(Duration.ofSeconds(3));
    scenario.network.domain().unscript(parked);
    scenario.sender().crashFor(Duration.ofSeconds(1));
    scenario.run(Duration.ofSeconds(10));
    assertThat(stateOf(parked)).isEqualTo(TransactionState.PARKED);

    scenario.settleWithin(
        scenario.network.setup().settings().retries().parkedFor().plusSeconds(10));

    assertThat(scenario.isConfirmed(parked)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void aRefusedAssemblyIsMadeAnewAndItsSenderIsToldWhenItIsRefusedTooOften() {
    scenario.network.domain().refuseWhere((node, request) -> true);
    var refused = scenario.mint(scenario.sender());
    scenario.run(Duration.ofSeconds(10));
    double each = scenario.sent(EndorsementRequest.class) / 10.0;
    assertThat(each).isLessThan(6);

    scenario.network.domain().refuseWhere((node, request) -> false);
    scenario.settle();

    assertThat(scenario.isConfirmed(refused)).isTrue();
    scenario.nothingIsLeft();
  }

  /**
   * Heartbeats included, and alone on its contract, so that it shares no message with another. Its
   * first tries, in the first ten seconds, come as fast as a refusal that passes needs them.
   */
  @Test
  void aPermanentlyRefusingEndorserCostsLessThanOneMessageASecondOverAnyMinute() {
    var alone = Scenario.of(4);
    var refusing = alone.substitute().name();
    alone.network.domain().refuseWhere((node, request) -> node.equals(refusing));
    var refused = alone.mint(alone.sender());
    alone.run(Duration.ofSeconds(10));
    var sent = new ArrayList<Long>();
    while (alone.receipt(refused) == null && sent.size() < 600) {
      sent.add(alone.network.wire().sent().values().stream().mapToLong(Long::longValue).sum());
      alone.run(Duration.ofSeconds(1));
    }

    for (int second = 60; second < sent.size(); second++) {
      assertThat(sent.get(second) - sent.get(second - 60)).isLessThan(60);
    }
    assertThat(sent).hasSizeBetween(120, 599);
    assertThat(alone.receipt(refused).failureMessage().orElseThrow()).contains("20 attempts");
    alone.nothingIsLeft();
  }

  @Test
  void aPermanentlyRefusingEndorserCostsLessThanOneMessageASecondForEachOfSeveralTransactions() {
    scenario.network.domain().refuseWhere((node, request) -> true);
    for (int i = 0; i < 5; i++) {
      scenario.mint(scenario.sender());
    }
    scenario.run(Duration.ofSeconds(10));
    long before = scenario.network.wire().sentWithoutHeartbeats();

    scenario.run(Duration.ofSeconds(60));

    double each = (scenario.network.wire().sentWithoutHeartbeats() - before) / 60.0 / 5;
    assertThat(each).isLessThan(1.0);
  }

  /** The second is refused once the first is through, and not after twenty tries. */
  @Test
  void ofTwoPaymentsThatExceedTheBalanceTheSecondIsRefusedAsSoonAsTheFirstHasEnded() {
    var payer = scenario.sender();
    scenario.mint(payer);
    scenario.settle();
    var first = scenario.pay(payer, scenario.substitute());
    var second = scenario.pay(payer, scenario.substitute());

    scenario.settleWithin(Duration.ofSeconds(6));

    assertThat(List.of(scenario.isConfirmed(first), scenario.isConfirmed(second)))
        .containsExactlyInAnyOrder(true, false);
    var refused = scenario.isConfirmed(first) ? second : first;
    assertThat(scenario.receipt(refused).failureMessage())
        .contains("There is no coin to pay with.");
    scenario.nothingIsLeft();
  }

  /** An endorser that is silent for ever locks nothing for what has ended at its sender (SND-9). */
  @Test
  void whatHasEndedByItsDeadlineLeavesItsCoinToThePaymentThatWaitsForIt() {
    var payer = scenario.sender();
    scenario.mint(payer);
    scenario.settle();
    scenario.substitute().crash();
    var urgent = scenario.payWithin(Duration.ofSeconds(20), payer, scenario.coordinator());
    scenario.run(Duration.ofSeconds(5));
    var patient = scenario.pay(payer, scenario.coordinator());
    scenario.run(Duration.ofSeconds(10));
    assertThat(scenario.coordinatedBy(scenario.coordinator())).contains(urgent);

    scenario.run(Duration.ofMinutes(3));

    assertThat(scenario.receipt(urgent).failureMessage().orElseThrow()).contains("Its deadline");
    assertThat(scenario.receipt(patient)).isNull();
    assertThat(scenario.coordinatedBy(scenario.coordinator())).containsExactly(patient);

    scenario.substitute().start();
    scenario.settle();

    assertThat(scenario.isConfirmed(patient)).isTrue();
    scenario.nothingIsLeft();
  }

  /** The denial itself may get lost, and the sender forgets what has ended when it starts anew. */
  @Test
  void whatHasEndedIsLetGoThoughItsSenderWasRestartedMeanwhile() {
    var payer = scenario.sender();
    scenario.mint(payer);
    scenario.settle();
    scenario.substitute().crash();
    var urgent = scenario.payWithin(Duration.ofSeconds(20), payer, scenario.coordinator());
    scenario.run(Duration.ofSeconds(15));
    var heal =
        scenario
            .network
            .wire()
            .add(LinkFault.lose(Scenario.from(payer, DispatchConfirmationResponse.class), 1));
    scenario.run(Duration.ofSeconds(10));
    assertThat(scenario.receipt(urgent)).isNotNull();
    assertThat(scenario.coordinatedBy(scenario.coordinator())).contains(urgent);

    payer.crashFor(Duration.ofSeconds(1));
    heal.run();
    scenario.run(Duration.ofSeconds(15));

    assertThat(scenario.coordinatedBy(scenario.coordinator())).isEmpty();
  }

  /** Who is away has refused nothing: a quarter of an hour ends no transaction (EDR-8). */
  @Test
  void whatWaitsForAMemberThatIsAwayIsDoneWhenItIsBack() {
    scenario.substitute().crash();
    var waiting = scenario.mint(scenario.sender());
    var another = scenario.mint(scenario.coordinator());
    scenario.run(Duration.ofMinutes(15));
    assertThat(scenario.receipt(waiting)).isNull();
    assertThat(scenario.receipt(another)).isNull();
    assertThat(scenario.waitsFor(waiting))
        .hasValueSatisfying(
            who ->
                assertThat(who)
                    .startsWith(
                        "member@" + scenario.substitute().name() + "'s endorsement, asked "));

    scenario.substitute().start();
    scenario.settleWithin(Duration.ofSeconds(15));

    assertThat(scenario.isConfirmed(waiting)).isTrue();
    assertThat(scenario.isConfirmed(another)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void whatOneEndorserHasRefusedIsShownToItAloneFirst() {
    var refusing = scenario.substitute().name();
    scenario.network.domain().refuseWhere((node, request) -> node.equals(refusing));
    var refused = scenario.mint(scenario.sender());
    scenario.until(() -> scenario.network.counted("coordinator REFUSAL") == 2);
    // All three at first, and then one.
    assertThat(scenario.sent(EndorsementRequest.class)).isEqualTo(4);

    scenario.network.domain().refuseWhere((node, request) -> false);
    scenario.settle();

    assertThat(scenario.isConfirmed(refused)).isTrue();
    assertThat(scenario.sent(EndorsementRequest.class)).isEqualTo(7);
    scenario.nothingIsLeft();
  }

  @Test
  void manyAtOnceCostFewEndorsementRequests() {
    for (int i = 0; i < 200; i++) {
      scenario.mint(scenario.sender());
    }

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(200);
    // Each would be three of its own.
    assertThat(scenario.sent(EndorsementRequest.class)).isLessThan(60);
    scenario.nothingIsLeft();
  }

  @Test
  void oneOfManyThatIsRefusedHoldsUpNoneOfTheOthers() {
    var all = new ArrayList<TransactionId>();
    for (int i = 0; i < 100; i++) {
      all.add(scenario.mint(scenario.sender()));
    }
    var refused = all.get(70);
    scenario.network.domain().refuseWhere((node, transaction) -> transaction.equals(refused));

    scenario.until(() -> scenario.network.invariants().fulfilled().size() == 99);
    assertThat(scenario.network.counted("coordinator REFUSAL")).isPositive();
    assertThat(scenario.isConfirmed(refused)).isFalse();

    scenario.network.domain().refuseWhere((node, transaction) -> false);
    scenario.settle();
    assertThat(scenario.isConfirmed(refused)).isTrue();
    scenario.nothingIsLeft();
  }

  /** Each writes upon what the one before it has made. */
  @Test
  void whatDependsOnOneOfThemThatIsRefusedIsMadeAnew() {
    var all = new ArrayList<TransactionId>();
    for (int i = 0; i < 40; i++) {
      all.add(scenario.write(scenario.sender(), "hot"));
    }
    var refused = all.get(20);
    var times = new int[1];
    scenario
        .network
        .domain()
        .refuseWhere((node, transaction) -> transaction.equals(refused) && times[0]++ < 3);

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(40);
    assertThat(scenario.network.counted("coordinator REFUSAL")).isPositive();
    scenario.nothingIsLeft();
  }

  @Test
  void theOthersGoOnWhenTheSenderOfSomeDies() {
    for (int i = 0; i < 60; i++) {
      scenario.mint(scenario.sender());
      scenario.mint(scenario.substitute());
    }
    scenario.until(() -> scenario.sent(EndorsementRequest.class) > 6);
    scenario.sender().crashFor(Duration.ofSeconds(5));

    scenario.settle();

    assertThat(scenario.network.invariants().fulfilled()).hasSize(120);
    scenario.nothingIsLeft();
  }

  /** Once it was assembled again as fast as messages travel, some 200 times a second. */
  @Test
  void whatConflictsTimeAndAgainIsAssembledLessAndLessOften() {
    scenario.network.caller().take(() -> Duration.ofSeconds(30));
    // The first version of a record, which nobody knows when it is on the ledger.
    scenario.externalWrite(scenario.sender(), "hot");
    scenario.run(Duration.ofSeconds(1));
    var conflicting = scenario.write(scenario.substitute(), "hot");

    scenario.run(Duration.ofSeconds(20));

    assertThat(scenario.sent(AssembleRequest.class)).isBetween(5L, 12L);
    scenario.settle();
    assertThat(scenario.isConfirmed(conflicting)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void anEndorserThatIsSilentForAWhileIsAskedUntilItAnswers() {
    var silent = scenario.substitute();
    var heal = scenario.network.wire().add(LinkFault.lose(Scenario.of(silent), 1));
    var waiting = scenario.mint(scenario.coordinator());
    scenario.run(Duration.ofSeconds(6));
    assertThat(scenario.isConfirmed(waiting)).isFalse();

    heal.run();
    scenario.settle();

    assertThat(scenario.isConfirmed(waiting)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void anOverloadedCoordinatorSaysSoAndTakesTheRestLater() {
    var settings = SequencerSettings.DEFAULT.withLimits(LimitSettings.DEFAULT.withCoordinated(10));
    var small = new Scenario(SimulationSetup.of(3).withSettings(settings));
    for (int i = 0; i < 40; i++) {
      small.mint(small.sender());
    }

    small.settle();

    assertThat(small.network.invariants().fulfilled()).hasSize(40);
    assertThat(small.sent(DelegationRejected.class)).isBetween(1L, 60L);
    small.nothingIsLeft();
  }
}
