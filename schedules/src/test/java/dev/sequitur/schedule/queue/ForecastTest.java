package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.PlansUnderTest.START;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.OperationFees;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each family foretells of a time; recurring tasks have theirs in {@link SeriesTest}. */
class ForecastTest {
  private static final long LEAST_FEE =
      OperationFees.DEFAULT.create().plus(OperationFees.DEFAULT.cryptoTransfer()).units();

  @Test
  void anExecutionCostsWhatTheCheapestPlanInTheQueuesOwnMoneyDoes() {
    var plans = PlansUnderTest.withBought(1);
    plans.addPlan(Plan.of(PRICE + 1, WINDOW, GAS, Optional.empty()));
    plans.addPlan(Plan.of(1, WINDOW, GAS, Optional.of(RIF)));
    plans.schedule(20, 0);

    var forecast = of(plans.queue, FamilyKind.PLAN_EXECUTION, START + 20);

    var capacity = PlansUnderTest.SETTINGS.readyLimit();
    assertThat(forecast)
        .isEqualTo(new Forecast(ConsensusTime.ofSeconds(START + 20), 1, capacity, PRICE, false));
  }

  @Test
  void anExecutionCannotBeScheduledTooNear() {
    var plans = PlansUnderTest.withBought(1);

    assertThat(of(plans.queue, FamilyKind.PLAN_EXECUTION, START + 14).full()).isTrue();
    assertThat(of(plans.queue, FamilyKind.PLAN_EXECUTION, START + 15).full()).isFalse();
  }

  @Test
  void theLastSecondOfTheClockTakesAnExecutionAndNoneAfterItDoes() {
    var plans = PlansUnderTest.withBought(1);
    long last = Long.MAX_VALUE / 1_000_000_000;

    assertThat(of(plans.queue, FamilyKind.PLAN_EXECUTION, last).full()).isFalse();
    // What any later time is read as.
    var end = new ConsensusTime(Long.MAX_VALUE);
    assertThat(of(plans.queue, FamilyKind.PLAN_EXECUTION, end).full()).isTrue();
  }

  @Test
  void ofThoseThatWaitForSignaturesItSaysHowManyAreLeftByThen() {
    var queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);
    queue.create(queue.gift(1));
    queue.create(queue.gift(2));
    long now = queue.queue.nowMs / 1_000;
    long expiry = now + MultiSignatureSettings.MVP.expiry().txExpiryTimeSecs();

    var soon = of(queue.queue, FamilyKind.MULTI_SIGNATURE, now + 60);
    assertThat(soon.taken()).isEqualTo(2);
    assertThat(soon.capacity()).isEqualTo(1_800_000);
    assertThat(soon.price()).isEqualTo(LEAST_FEE);
    assertThat(soon.full()).isFalse();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, expiry).taken()).isZero();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, now).full()).isFalse();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, now - 1).full()).isTrue();
  }

  @Test
  void inTheProfileCurrentItSaysHowManyExpireInThatSecond() {
    var settings = MultiSignatureSettings.CURRENT;
    var queue = new SignaturesUnderTest(settings);
    long second = queue.queue.nowMs / 1_000 + 600;
    queue.create(
        new Creation(
            queue.gift(1), Optional.empty(), Optional.empty(), "", Optional.of(second), true));

    var forecast = of(queue.queue, FamilyKind.MULTI_SIGNATURE, second);

    assertThat(forecast.taken()).isOne();
    assertThat(forecast.capacity()).isEqualTo(settings.expiry().maxPerSecond());
    assertThat(forecast.full()).isFalse();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, second + 1).taken()).isZero();
    long now = queue.queue.nowMs / 1_000;
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, now).full()).isTrue();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, now + 1).full()).isFalse();
    long last = now + settings.expiry().maxFutureSecs();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, last).full()).isFalse();
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, last + 1).full()).isTrue();
  }

  @Test
  void aSecondInWhichAsManyExpireAsMayIsFull() {
    var settings =
        MultiSignatureSettings.CURRENT.withExpiry(
            new MultiSignatureSettings.Expiry(1_800, 5_000, 2, 1));
    var queue = new SignaturesUnderTest(settings);
    long second = queue.queue.nowMs / 1_000 + 600;
    for (int nonce = 1; nonce <= 2; nonce++) {
      assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, second).full()).isFalse();
      queue.create(
          new Creation(
              queue.gift(nonce),
              Optional.empty(),
              Optional.empty(),
              "",
              Optional.of(second),
              true));
    }
    assertThat(of(queue.queue, FamilyKind.MULTI_SIGNATURE, second).full()).isTrue();

    queue.later(600);
    queue.queue.block();

    assertThat(queue.state().waiting().perSecond()).containsExactly(Map.entry(second, 1));
    queue.queue.block();
    assertThat(queue.state().waiting().perSecond()).isEmpty();
  }

  @Test
  void noTickThatHasPassedHasAPlace() {
    var family = new GasPriority(GasPrioritySettings.DEFAULT);
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, family));
    long now = queue.nowMs / 1_000;

    assertThat(of(queue, FamilyKind.GAS_PRIORITY, now).full()).isTrue();
    assertThat(of(queue, FamilyKind.GAS_PRIORITY, now + 1).full()).isFalse();
    assertThat(of(queue, FamilyKind.GAS_PRIORITY, Long.MAX_VALUE / 1_000_000_000).full())
        .as("the last second of the clock")
        .isFalse();
  }

  @Test
  void aPlaceInATickCostsTheLeastPriceUntilItsFirstBlockIsFull() {
    var queue = AlicesProposals.newQueue();
    queue.insert(pay(200, 9));
    queue.insert(pay(300, 8));
    queue.insert(pay(300, 8 + 1));
    queue.insert(pay(100, 6));
    queue.insert(pay(100, 5));

    var least = AlicesProposals.SETTINGS.minGasUnitPrice();
    assertThat(ofTick(queue, 250))
        .isEqualTo(new Forecast(ConsensusTime.ofMillis(START_MS + 200), 1, 2, least, false));
  }

  @Test
  void aPlaceInAFullTickCostsMoreThanTheLastThatItsFirstBlockTakes() {
    var queue = AlicesProposals.newQueue();
    queue.insert(pay(200, 9));
    queue.insert(pay(200, 5));
    assertThat(ofTick(queue, 200).price()).isEqualTo(6);

    queue.insert(pay(200, 3));
    assertThat(ofTick(queue, 200).price()).as("two run in a block").isEqualTo(6);
    queue.insert(pay(200, 7));
    assertThat(ofTick(queue, 200).price()).isEqualTo(8);
    assertThat(ofTick(queue, 200).taken()).isEqualTo(4);
  }

  @Test
  void whoeverOffersTheHighestPriceOfAllIsNotOutbid() {
    var family = new GasPriority(new GasPrioritySettings(100, 1, 3, 2, 1, 64));
    var plain = QueueSetup.of(OPERATOR, family);
    var queue =
        new QueueUnderTest(
            new QueueSetup(
                OPERATOR,
                plain.maxAhead(),
                new GasUse(1, 1),
                plain.shutdownBatch(),
                plain.historyLimit(),
                plain.throttles(),
                plain.opening(),
                plain.families()));
    queue.fund(ALICE, Long.MAX_VALUE);
    var target = new Target.Notify(Bytes.utf8("x"));
    queue.insert(proposal(200, 1, Long.MAX_VALUE, target));

    assertThat(ofTick(queue, 200).price()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theNextTickHasAPlaceAndThePresentOneHasNot() {
    var queue = AlicesProposals.newQueue();

    assertThat(ofTick(queue, 99).full()).isTrue();
    assertThat(ofTick(queue, 100).full()).isFalse();
  }

  private static Forecast ofTick(QueueUnderTest queue, long inMs) {
    return of(queue, FamilyKind.GAS_PRIORITY, ConsensusTime.ofMillis(START_MS + inMs));
  }

  private static Forecast of(QueueUnderTest queue, FamilyKind family, long second) {
    return of(queue, family, ConsensusTime.ofSeconds(second));
  }

  private static Forecast of(QueueUnderTest queue, FamilyKind family, ConsensusTime at) {
    return queue.queue.forecast(queue.state, family, at, queue.wall()).orElseThrow();
  }
}
